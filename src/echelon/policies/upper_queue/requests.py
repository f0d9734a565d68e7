"""Multiple simultaneous requests: copies of a job in several queues; the first to start cancels the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.upper_queue.contract import Copy, Handing, Spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.upper_queue.contract import UpperView


@dataclass(frozen=True, slots=True)
class SimultaneousRequests:
    """Put a copy of each job into the queues of several clusters; the first to start cancels the others.

    Parameters
    ----------
    copies : int, default 0
        Most copies, >= 1: in the clusters that the broker chooses one after another. 0: in every cluster that
        can hold the job and takes it.

    Raises
    ------
    InputError
        If it is negative.

    Notes
    -----
    **Ties**: of copies that could start at one instant the one in the lowest cluster does. **Cost**: one
    choice a copy. **Source**: Subramani, Kettimuthu, Srinivasan and Sadayappan, HPDC 2002, as cited in the
    M-CISNE thesis, section 1.3.
    """

    copies: int = 0

    name: ClassVar[str] = "requests"
    source: ClassVar[str] = "Subramani, Kettimuthu, Srinivasan and Sadayappan, HPDC 2002"

    def __post_init__(self) -> None:
        if self.copies < 0:
            raise InputError(f"must be at least 0, got {self.copies}", field="requests, copies")

    def hand_out(self, view: UpperView) -> Iterator[Handing]:
        """Yield what is handed out in this pass."""
        for job in view.queue:
            if not view.able(job):
                yield Spread(job)
                if job in view.queue:
                    return
                continue
            takers = [site for site in view.able(job) if view.accepts(job, site)]
            if not takers:
                return
            sites: list[int] = [] if self.copies else list(takers)
            while len(sites) < min(self.copies, len(takers)):
                sites.append(view.choose(job, [site for site in takers if site not in sites]))
            yield Copy(job, tuple(sites))
