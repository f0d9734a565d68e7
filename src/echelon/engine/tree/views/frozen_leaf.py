"""FrozenLeaf: a leaf as it was at one instant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.model import Forecast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.leaf import Leaf
    from echelon.model import Job
    from echelon.policies import Planned


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
        self._leaf, self._plan, self._fits, self._serves = leaf, plan, fits, serves
        self._asked = leaf.ledger.now
        self._load, self._estimated_load, self._ready = leaf.load(), leaf.estimated_load(), leaf.ready_time()
        self._memory_use, self._fullest_node = leaf.memory_use(), leaf.fullest_node()
        self.processors, self.speed, self.free = leaf.processors, leaf.speed, leaf.free
        self.in_service = leaf.in_service
        self.waiting: Sequence[Job] = tuple(leaf.waiting)
        self.running_jobs = leaf.running_jobs
        self.running_now: Sequence[Job] = tuple(leaf.running_now)

    def starts_at_once(self, job: Job) -> bool:
        """See `Member.starts_at_once`."""
        return self._fits(job)

    def serves(self, job: Job) -> bool:
        """See `Member.serves`."""
        return self._serves(job)

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

    def cpu_time(self, job: Job) -> float | None:
        """See `Member.cpu_time`."""
        return self._leaf.cpu_time(job)

    def execution_time(self, job: Job) -> float:
        """See `Member.execution_time`."""
        return self._leaf.execution_time(job)

    def ready_time(self) -> float:
        """See `Member.ready_time`."""
        return self._ready

    def occupied(self, job: Job) -> int:
        """See `Member.occupied`."""
        return self._leaf.occupied(job)

    def memory_use(self) -> float:
        """See `Member.memory_use`."""
        return self._memory_use

    def fullest_node(self) -> int:
        """See `Member.fullest_node`."""
        return self._fullest_node

    def freeze(self) -> FrozenLeaf:
        """See `Member.freeze`."""
        return self
