"""FakeClusterView: small clusters on which forecasters can be tried without a multicluster."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.model import Experience, Forecast
from echelon.policies.estimators import case_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies import Forecaster
    from echelon.policies.estimators import Slowdown

_SITES = ((16, 4), (40, 2))
"""Number of nodes, and largest number of tasks per node, of each cluster."""

_UNEXPLAINED = (1.0, 1.1, 1.3)
"""Factors, in turn, by which jobs run longer than the tasks on their nodes explain."""


@dataclass
class FakeClusterView:
    """A cluster that runs its jobs one after another, each beside other tasks by its position in the log.

    See `echelon.policies.estimators.forecast.ClusterView`. The dedicated time of a job is its planned time.
    """

    site: int
    nodes: int
    mpl: int
    now: float = 0.0
    queue: list[tuple[float, Job]] = field(default_factory=list)
    free_at: float = 0.0

    @property
    def waiting(self) -> Sequence[Job]:
        """Jobs that have not started."""
        return tuple(job for start, job in self.queue if start > self.now)

    @property
    def waiting_work(self) -> float:
        """Processor-seconds of the waiting jobs."""
        return sum(job.processors * self.dedicated_time(job) for job in self.waiting)

    def dedicated_time(self, job: Job) -> float:
        """Return the planned time."""
        return job.planned_time

    def mpl_of(self, job: Job) -> int:
        """Return the tasks that share its fullest node."""
        return 1 + job.position % self.mpl

    def simulate(self, job: Job, slowdown: Slowdown | None = None) -> Forecast | None:
        """Return wait and run time behind all waiting jobs; None if the job needs too many nodes."""
        if job.processors > self.nodes:
            return None
        ahead = [self._time(other, slowdown) for other in self.waiting]
        running = [
            start + self.run_time(other) - self.now for start, other in self.queue if start <= self.now
        ]
        return Forecast(max([0.0, *running]) + sum(ahead), self._time(job, slowdown))

    def run_time(self, job: Job) -> float:
        """Return the actual run time of `job` here, in seconds."""
        return self.dedicated_time(job) * self.mpl_of(job) * _UNEXPLAINED[job.position % len(_UNEXPLAINED)]

    def advance(self, now: float) -> None:
        """Advance the time to `now`."""
        self.now = now
        self.queue = [(start, job) for start, job in self.queue if start + self.run_time(job) > now]

    def join(self, job: Job) -> Experience:
        """Add `job` to the queue; return its record, to be learned when it has ended."""
        case = case_of(
            job, waiting_jobs=len(self.waiting), waiting_work=self.waiting_work, mpl=self.mpl_of(job)
        )
        start, run = max(self.now, self.free_at), self.run_time(job)
        self.queue.append((start, job))
        self.free_at = start + run
        return case._replace(wait=start - self.now, run=run, end=start + run)

    def _time(self, job: Job, slowdown: Slowdown | None) -> float:
        shared = self.mpl_of(job)
        return self.dedicated_time(job) * (float(shared) if slowdown is None else slowdown(job, shared))


def practice(forecaster: Forecaster, jobs: Sequence[Job]) -> Iterator[tuple[Forecast | None, Experience]]:
    """Send jobs to two clusters in turn; yield the forecast and the outcome of each.

    Parameters
    ----------
    forecaster : Forecaster
        Forecasts every job at every cluster with enough nodes, and learns from every end.
    jobs : sequence of Job
        In order of submission; jobs with more nodes than any cluster are skipped.
    """
    clusters = [FakeClusterView(site, nodes, mpl) for site, (nodes, mpl) in enumerate(_SITES)]
    to_end: list[tuple[float, int, Job, Forecast | None, Experience]] = []
    for job in jobs:
        while to_end and to_end[0][0] <= job.submit_time:
            _, _, ended, forecast, experience = to_end.pop(0)
            forecaster.learn(experience, ended, forecast)
        for cluster in clusters:
            cluster.advance(job.submit_time)
        able = [cluster for cluster in clusters if job.processors <= cluster.nodes]
        if not able:
            continue
        answers = [forecaster.forecast(job, cluster) for cluster in able]
        chosen = job.position % len(able)
        experience = able[chosen].join(job)
        insort(to_end, (experience.end, job.position, job, answers[chosen], experience))
        yield answers[chosen], experience


PracticeCluster = FakeClusterView
"""An earlier name."""
