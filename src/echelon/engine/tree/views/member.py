"""Member: a site as the controller right above it knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Forecast, Job
    from echelon.policies import Planned


class Member(Protocol):
    """A leaf, or an inner site with all its leaves."""

    @property
    def processors(self) -> int:
        """Its processors."""

    @property
    def free(self) -> int:
        """Its processors that no running job holds."""

    @property
    def in_service(self) -> int:
        """Its processors that are neither down nor closed to some jobs now."""

    def serves(self, job: Job) -> bool:
        """Return whether so much of it is in service for `job` now that it could run it if it were empty."""

    @property
    def speed(self) -> float:
        """The speed of its cores, relative to the machine of the run times."""

    @property
    def waiting(self) -> Sequence[Job]:
        """The jobs that wait there for processors, in queue order."""
        return ()

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
        """Return the planned schedule of its jobs now, as if `job` joined; see `GridView.schedule`."""

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

    def occupied(self, job: Job) -> int:
        """Return the nodes with a working owner among those that `job` would get; see `GridView.occupied`."""
        return 0

    def memory_use(self) -> float:
        """Return the mean share of its nodes' memory in use; see `GridView.memory_use`."""
        return 0.0

    def fullest_node(self) -> int:
        """Return the most parallel tasks in one of its nodes; see `GridView.fullest_node`."""
        return 0

    def freeze(self) -> Member:
        """Return it as it is now, whatever happens later."""
