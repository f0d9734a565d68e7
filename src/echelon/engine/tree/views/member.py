"""Member: a site as the controller right above it knows it, now or as it was at one instant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from echelon.model import Forecast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.leaf import Leaf
    from echelon.model import Job
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

    def occupied_nodes(self, job: Job) -> int:
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


class FrozenLeaf:
    """Implements `echelon.engine.tree.views.member.Member` of a leaf that nothing happens to any more.

    Parameters
    ----------
    leaf : Leaf
        As it is now; what it says of a job alone there does not change with time.
    plan : callable (Job or None) -> list of Planned
        Its planned schedule from now, with the job if there is one.
    fits : callable (Job) -> bool
        Whether a job would start at once if it joined now.
    serves : callable (Job) -> bool
        Whether enough of it is in service for a job now.
    """

    def __init__(
        self,
        leaf: Leaf,
        plan: Callable[[Job | None], list[Planned]],
        fits: Callable[[Job], bool],
        serves: Callable[[Job], bool],
    ) -> None:
        self._leaf, self._plan, self.starts_at_once, self.serves = leaf, plan, fits, serves
        self.cpu_time, self.execution_time = leaf.cpu_time, leaf.execution_time
        self._load, self._estimated_load, self._ready = leaf.load(), leaf.estimated_load(), leaf.ready_time()
        self._memory_use, self._fullest_node = leaf.memory_use(), leaf.fullest_node()
        self.processors, self.speed, self.free = leaf.processors, leaf.speed, leaf.free
        self.in_service = leaf.in_service
        self.waiting: Sequence[Job] = tuple(leaf.waiting)
        self.running_jobs = leaf.running_jobs
        self.running_now: Sequence[Job] = tuple(leaf.running_now)

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`; what is planned for the past counts as planned for now."""
        start, end = next(one[1:] for one in self._plan(job) if one.job.position == job.position)
        run = end - start if start < math.inf else self.execution_time(job)
        return Forecast(max(0.0, start - self._leaf.ledger.now), run)

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Member.planned_schedule`."""
        return self._plan(job)

    def load(self) -> float:
        """See `Member.load`."""
        return self._load

    def estimated_load(self) -> float:
        """See `Member.estimated_load`."""
        return self._estimated_load

    def ready_time(self) -> float:
        """See `Member.ready_time`."""
        return self._ready

    def occupied_nodes(self, job: Job) -> int:
        """See `Member.occupied_nodes`."""
        return self._leaf.occupied_nodes(job)

    def memory_use(self) -> float:
        """See `Member.memory_use`."""
        return self._memory_use

    def fullest_node(self) -> int:
        """See `Member.fullest_node`."""
        return self._fullest_node

    def freeze(self) -> FrozenLeaf:
        """See `Member.freeze`."""
        return self
