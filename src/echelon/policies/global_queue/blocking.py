"""B, NB, B.RS and NB.RS: job selection over bounded queues (algorithm 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.global_queue.contract import Deliver, Handing, Spread
from echelon.policies.global_queue.head_first import HeadFirst

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.global_queue.contract import GlobalQueueView


@dataclass(frozen=True, slots=True)
class Blocking(HeadFirst):
    """Choose a cluster for the head once, and wait until this cluster takes it; no job overtakes (B).

    Notes
    -----
    **Ties**: the broker's. **Cost**: one choice a job. **Source**: M-CISNE thesis, section 4.4, algorithm
    4.4.
    """

    name: ClassVar[str] = "b"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, algorithm 4.4"
    again: ClassVar[bool] = False

    def hand(self, job: Job, view: GlobalQueueView) -> Handing | None:
        """Return the dispatch of the head `job` now; None if it waits."""
        site = choose_once(job, view.able(job), view, again=self.again)
        return Deliver(job, site) if view.accepts(job, site) else None


@dataclass(frozen=True, slots=True)
class BlockingRescheduling(Blocking):
    """As B, but choose again whenever anything has changed since the cluster was chosen (B.RS).

    Changed means: a job or an owner has come, started, ended or gone anywhere.

    Notes
    -----
    **Ties**: the broker's. **Cost**: one choice for the head per scheduling cycle. **Source**: M-CISNE
    thesis, section 4.4, algorithm 4.4.
    """

    name: ClassVar[str] = "b.rs"
    again: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class NonBlocking:
    """Skip jobs whose cluster takes no more, and skip this cluster for the rest of the cycle (NB).

    A job without a cluster chooses among those not found full in this cycle; it keeps the chosen cluster
    until that takes it.

    Notes
    -----
    **Ties**: the broker's. **Cost**: one choice a job. **Source**: M-CISNE thesis, section 4.4, algorithm
    4.4; that a skipped job is tried again in the next cycle, and that full clusters may be chosen at first,
    are our corrections of its lines 7, 8 and 12.
    """

    name: ClassVar[str] = "nb"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, algorithm 4.4"
    again: ClassVar[bool] = False

    def dispatch(self, view: GlobalQueueView) -> Iterator[Handing]:
        """Yield the dispatches of this scheduling cycle."""
        full: set[int] = set()
        for job in view.queue:
            if len(full) == view.sites:
                return
            if not view.able(job):
                yield Spread(job)
                continue
            left = [site for site in view.able(job) if site not in full]
            site = choose_once(job, left, view, again=self.again) if left else -1
            if site < 0 or site in full:
                continue
            if view.accepts(job, site):
                yield Deliver(job, site)
            else:
                full.add(site)


@dataclass(frozen=True, slots=True)
class NonBlockingRescheduling(NonBlocking):
    """As NB, but choose again whenever anything has changed since the cluster was chosen (NB.RS).

    Notes
    -----
    **Ties**: the broker's. **Cost**: at most one choice per waiting job in each cycle. **Source**: M-CISNE
    thesis, section 4.4, algorithm 4.4.
    """

    name: ClassVar[str] = "nb.rs"
    again: ClassVar[bool] = True


def choose_once(job: Job, sites: Sequence[int], view: GlobalQueueView, *, again: bool) -> int:
    """Return the cluster chosen for `job`: the one noted, or, if `again` at another state, a new one."""
    noted = view.notes.get(job.position)
    if noted is not None and not (again and noted[1] != view.version):
        return noted[0]
    site = view.choose(job, sites)
    view.notes[job.position] = (site, view.version)
    return site
