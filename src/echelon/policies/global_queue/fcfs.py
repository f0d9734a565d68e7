"""FCFS, SJF, FPFS, pull: only the head, by arrival or by length, every job that can be sent, or that fits."""

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
class Fcfs(HeadFirst):
    """Send the head to the cluster that the broker chooses among those that take it; else all jobs wait.

    A job too large for every cluster may get nodes of several; if they are not free, all jobs wait, too.

    Notes
    -----
    **Ties**: none; the queue is in order of arrival. **Cost**: one choice a job. **Source**: M-CISNE thesis,
    section 2.5.1.
    """

    name: ClassVar[str] = "fcfs"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 2.5.1"

    def hand(self, job: Job, view: GlobalQueueView) -> Handing | None:
        """Return the dispatch of the head `job` now; None if it waits."""
        takers = [site for site in view.able(job) if view.accepts(job, site)]
        return Deliver(job, view.choose(job, takers)) if takers else None


@dataclass(frozen=True, slots=True)
class ShortestFirst(Fcfs):
    """As FCFS, but the job with the shortest planned time is the head (SJF).

    Long jobs can starve. The planned time is the request, or under ``exact`` the run time alone.

    Notes
    -----
    **Ties**: the order of arrival. **Cost**: O(jobs log jobs) per scheduling cycle, one choice per job.
    **Source**: M-CISNE thesis, appendix A, whose order SJF was designed and not evaluated.
    """

    name: ClassVar[str] = "sjf"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A"

    def order_jobs(self, view: GlobalQueueView) -> Sequence[Job]:
        """Return the waiting jobs, the shortest first."""
        return sorted(view.queue, key=lambda job: job.planned_time)


@dataclass(frozen=True, slots=True)
class FitProcessorsFirst:
    """Walk the queue from its head and send every job that some cluster takes (FPFS).

    Notes
    -----
    **Ties**: none; the queue is in order of arrival. **Cost**: one choice per dispatched job, one check of
    each cluster per job. **Source**: M-CISNE thesis, section 2.5.1, after Sinaga, Mohamed and Epema.
    """

    name: ClassVar[str] = "fpfs"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 2.5.1"

    def dispatch(self, view: GlobalQueueView) -> Iterator[Handing]:
        """Yield the dispatches of this scheduling cycle."""
        for job in view.queue:
            if not view.able(job):
                yield Spread(job)
            elif takers := [site for site in view.able(job) if view.accepts(job, site)]:
                yield Deliver(job, view.choose(job, takers))


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

    def dispatch(self, view: GlobalQueueView) -> Iterator[Handing]:
        """Yield the dispatches of this cycle: at most one job per cluster, until they have started."""
        for site in range(view.sites):
            for job in view.queue:
                if site in view.able(job) and view.fits(job, site) and view.accepts(job, site):
                    yield Deliver(job, site)
                    break
        for job in view.queue:
            if not view.able(job):
                yield Spread(job)
