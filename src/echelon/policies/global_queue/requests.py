"""Multiple simultaneous requests: copies of a job in several queues; the first to start cancels the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.global_queue.contract import Copy, Handing
from echelon.policies.global_queue.head_first import HeadFirst

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.global_queue.contract import GlobalQueueView


@dataclass(frozen=True, slots=True)
class SimultaneousRequests(HeadFirst):
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

    def hand(self, job: Job, view: GlobalQueueView) -> Handing | None:
        """Return where copies of `job`, the head, go now; None if it waits."""
        takers = [site for site in view.able(job) if view.accepts(job, site)]
        if not takers:
            return None
        sites: list[int] = [] if self.copies else list(takers)
        while len(sites) < min(self.copies, len(takers)):
            sites.append(view.choose(job, [site for site in takers if site not in sites]))
        return Copy(job, tuple(sites))
