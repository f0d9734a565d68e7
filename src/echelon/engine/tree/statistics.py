"""SiteStatistics: counts and sums of the jobs at each of several sites, which brokers read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Forecast, Job


class Member(Protocol):
    """A site as the broker above it knows it: a leaf, or an inner site with all its leaves."""

    @property
    def processors(self) -> int:
        """Its processors."""

    @property
    def free(self) -> int:
        """Its processors that no running job holds."""

    @property
    def speed(self) -> float:
        """The speed of its cores, relative to the machine of the run times."""

    @property
    def waiting(self) -> Sequence[Job]:
        """The jobs that wait there for processors, in queue order."""

    @property
    def running_jobs(self) -> int:
        """Number of jobs that run there."""

    @property
    def running_now(self) -> Sequence[Job]:
        """The jobs that run there."""

    def starts_at_once(self, job: Job) -> bool:
        """Return whether `job` would start at once if it joined now."""

    def forecast(self, job: Job) -> Forecast:
        """Return how long `job` would wait and run if it joined now, as planned."""

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """Return the planned schedule of its jobs, as if `job` joined; see `GridView.schedule`."""

    def load(self) -> float:
        """Return its load as known now; see `ImmediateView.load`."""

    def estimated_load(self) -> float:
        """Return its load, corrected; see `ImmediateView.estimated_load`."""

    def cpu_time(self, job: Job) -> float | None:
        """Return the mean CPU time of the application of `job` here; see `ImmediateView.cpu_time`."""

    def execution_time(self, job: Job) -> float:
        """Return the planned time of `job` alone here; see `ImmediateView.execution_time`."""

    def ready_time(self) -> float:
        """Return when it would complete its jobs as planned; see `ImmediateView.ready_time`."""

    def occupied(self, job: Job) -> int:
        """See `GridView.occupied`."""

    def memory_use(self) -> float:
        """See `GridView.memory_use`."""

    def fullest_node(self) -> int:
        """See `GridView.fullest_node`."""

    def frozen(self) -> Member:
        """Return it as it is now, whatever happens later."""


class SiteStatistics:
    """Counts and sums of the waiting and running jobs of each site.

    Sums are updated where a job joins and where it leaves, and are 0 when no job is left, so that both
    engines get the same bits.

    Parameters
    ----------
    members : sequence of Member
        The sites.

    Attributes
    ----------
    sizes : tuple of int
        Processors of each site.
    speeds : tuple of float
        Speed of a core of each site.
    jobs, size_sum : list of int
        By site.
    time_sum, area_sum : list of float
        Planned times (s), and sizes times planned times (processor-seconds), by site.
    past : list of list of Planned
        Jobs that have ended at each site.
    on_leave : tuple of callable (int) -> None
        Called with the site when a job has left it.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self.sizes = tuple(member.processors for member in members)
        self.speeds = tuple(member.speed for member in members)
        count = len(members)
        self.jobs, self.size_sum = [0] * count, [0] * count
        self.time_sum, self.area_sum = [0.0] * count, [0.0] * count
        self.past: list[list[Planned]] = [[] for _ in members]
        self.on_leave: tuple[Callable[[int], None], ...] = ()

    def free(self, site: int) -> int:
        """Return the processors of `site` that no running job holds."""
        return self.members[site].free

    def planned_schedule(self, site: int, job: Job | None) -> list[Planned]:
        """Return the planned schedule of the jobs at `site` now; see `GridView.schedule`."""
        return self.members[site].planned_schedule(job)

    def join(self, job: Job, site: int) -> None:
        """Count `job` at `site`."""
        self.jobs[site] += 1
        self.size_sum[site] += job.processors
        self.time_sum[site] += job.planned_time
        self.area_sum[site] += job.area

    def leave(self, job: Job, site: int) -> None:
        """Stop counting `job` at `site`."""
        self.jobs[site] -= 1
        self.size_sum[site] -= job.processors
        # Sums of fractions need not return to exactly 0.
        if self.jobs[site]:
            self.time_sum[site] -= job.planned_time
            self.area_sum[site] -= job.area
        else:
            self.time_sum[site] = self.area_sum[site] = 0.0
        for left in self.on_leave:
            left(site)

    def ended(self, job: Job, site: int, start: float, end: float) -> None:
        """Note that `job` has ended at `site`; both times in seconds."""
        self.past[site].append(Planned(job, start, end))
        self.leave(job, site)
