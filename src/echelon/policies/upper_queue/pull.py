"""Pull: clusters ask for jobs when they have room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.upper_queue.contract import Deliver, Handing, Spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.upper_queue.contract import UpperView


@dataclass(frozen=True, slots=True)
class Pull:
    """Each cluster in turn takes the first job that it can start at once; no local queue builds up.

    The broker is not used. Jobs too large for every cluster are offered nodes of several.

    Notes
    -----
    **Ties**: the first cluster of the platform chooses first; of two jobs it gets the earlier one.
    **Cost**: clusters x waiting jobs per scheduling cycle.
    **Source**: Abawajy and Dandamudi, as cited in the M-CISNE thesis, section 1.3.
    """

    name: ClassVar[str] = "pull"
    asks_broker: ClassVar[bool] = False
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 1.3, after Abawajy and Dandamudi"

    def dispatch(self, view: UpperView) -> Iterator[Handing]:
        """Yield the dispatches of this cycle: at most one job per cluster, until they have started."""
        for site in range(view.sites):
            for job in view.queue:
                if site in view.able(job) and view.fits(job, site) and view.accepts(job, site):
                    yield Deliver(job, site)
                    break
        for job in view.queue:
            if not view.able(job):
                yield Spread(job)
