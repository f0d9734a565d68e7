"""Leaf: a site of a tree that runs jobs, as the sites above it know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.system import System
from echelon.model import Forecast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.statistics import Member, SiteStatistics
    from echelon.model import Job
    from echelon.policies import Planned


class Leaf(System):
    """A site that runs jobs: a `System` that may stand in a tree.

    Attributes
    ----------
    blur : float
        Largest difference of ENDs of one instant, in spacings of float64 numbers: 0 if ENDs are exact.
    speed : float
        Speed of a core, relative to the machine of the run times.
    has_queue : bool
        Whether jobs may wait here.
    predicts_starts : bool
        Whether it knows when waiting jobs would start under any local policy.
    counts_its_jobs : bool
        Whether it updates the statistics above it by itself when jobs leave.
    above : list of (SiteStatistics, int)
        The statistics of the inner sites above it, each with the place of its branch there.
    above_waits : sequence of callable () -> int
        The number of jobs that wait at each inner site above it.
    """

    blur = 0.0
    speed = 1.0
    has_queue = True
    predicts_starts = False
    counts_its_jobs = False
    above: list[tuple[SiteStatistics, int]]
    above_waits: Sequence[Callable[[], int]] = ()

    on_start: Sequence[Callable[[Job, int], None]] = ()
    """Called at every start, with the job and the index of the leaf."""

    on_end: Sequence[Callable[[Job], None]] = ()
    """Called at every END here, with the job."""

    on_change: Callable[[], None] | None = None
    """If set, the controller above decides what starts here, and is called when something else changes."""

    def start(self, delay: float) -> None:
        """Start the job that has just joined: it holds what it needs now, and begins in `delay` seconds."""
        raise NotImplementedError

    def tell_end(self, job: Job, start: float, end: float) -> None:
        """Tell those above that `job` has ended here; both times in seconds."""
        if not self.counts_its_jobs:
            for statistics, branch in self.above:
                statistics.ended(job, branch, start, end)
        for ended in self.on_end:
            ended(job)

    def waits_above(self) -> bool:
        """Return whether jobs wait at an inner site above: `above_waits` says so."""
        return any(waits() for waits in self.above_waits)

    @property
    def waiting(self) -> Sequence[Job]:
        """The jobs that wait here, in queue order."""
        return ()

    @property
    def running_jobs(self) -> int:
        """Number of jobs that run here."""
        raise NotImplementedError

    @property
    def running_now(self) -> Sequence[Job]:
        """The jobs that run here."""
        raise NotImplementedError

    def starts_at_once(self, job: Job) -> bool:
        """Return whether `job` would start at once if it joined now."""
        raise NotImplementedError

    def withdraw(self, job: Job) -> None:
        """Remove waiting `job`, which runs elsewhere or nowhere."""
        raise NotImplementedError

    def forecast(self, job: Job) -> Forecast:
        """Return how long `job` would wait and run if it joined now, as planned."""
        plan = self.planned_schedule(job)
        start, end = next((one.start, one.end) for one in plan if one.job.position == job.position)
        return Forecast(start - self.ledger.now, end - start)

    def occupied(self, job: Job) -> int:
        """Return the nodes with a working owner among those that `job` would get; see `GridView.occupied`."""
        return 0

    def memory_use(self) -> float:
        """Return the mean share of its nodes' memory in use; see `GridView.memory_use`."""
        return 0.0

    def fullest_node(self) -> int:
        """Return the most parallel tasks in one of its nodes; see `GridView.fullest_node`."""
        return 0

    def frozen(self) -> Member:
        """Return the leaf as it is now, whatever happens later."""
        raise NotImplementedError

    @property
    def processors(self) -> int:
        """Its processors."""
        raise NotImplementedError

    @property
    def free(self) -> int:
        """Its processors that no running job holds."""
        raise NotImplementedError

    def enter(self, job: Job) -> None:
        """Take over `job`, of which observers know."""
        raise NotImplementedError

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """Return the planned schedule of its jobs now, as if `job` joined; see `GridView.schedule`."""
        raise NotImplementedError

    def load(self) -> float:
        """Return its published load, in processes: without monitoring, the processors that jobs hold now."""
        return float(self.processors - self.free)

    def estimated_load(self) -> float:
        """Return its load, corrected for what its last publication does not reflect, in processes."""
        return self.load()

    def cpu_time(self, job: Job) -> float | None:
        """Return the mean CPU time of the application of `job` here, in seconds; None if it is not known."""
        return None

    def execution_time(self, job: Job) -> float:
        """Return the planned time of `job` alone here, in seconds."""
        return job.planned_time

    def ready_time(self) -> float:
        """Return when it would complete all its jobs as planned, with all its processors, in seconds."""
        raise NotImplementedError
