"""InnerMember: an inner site with all that is below it, as the broker above it knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.member import Member
    from echelon.model import Forecast, Job
    from echelon.policies import Planned


class InnerMember:
    """Implements `echelon.engine.tree.member.Member`: sums over the sites below.

    What depends on a job is asked of the site to which it would be sent now.

    Parameters
    ----------
    members : sequence of Member
        The sites right below.
    choose : callable (Job) -> int
        The place among them to which the broker there would send a job now.
    held : callable () -> sequence of Job
        The jobs that wait at the inner site itself, for a decision or a dispatch.
    """

    def __init__(
        self,
        members: Sequence[Member],
        choose: Callable[[Job], int],
        held: Callable[[], Sequence[Job]] = tuple,
    ) -> None:
        self._members, self._choose, self._held = members, choose, held
        self.processors = sum(member.processors for member in members)
        self.speed = sum(member.speed * member.processors for member in members) / self.processors

    @property
    def waiting(self) -> list[Job]:
        """See `Member.waiting`: those at the sites below, then those at its controller."""
        return [*(job for member in self._members for job in member.waiting), *self._held()]

    @property
    def running_jobs(self) -> int:
        """See `Member.running_jobs`."""
        return sum(member.running_jobs for member in self._members)

    @property
    def running_now(self) -> list[Job]:
        """See `Member.running_now`."""
        return [job for member in self._members for job in member.running_now]

    def starts_at_once(self, job: Job) -> bool:
        """See `Member.starts_at_once`."""
        return self._members[self._choose(job)].starts_at_once(job)

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`."""
        return self._members[self._choose(job)].forecast(job)

    @property
    def free(self) -> int:
        """See `Member.free`."""
        return sum(member.free for member in self._members)

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Member.planned_schedule`: by start, then end, then position."""
        chosen = -1 if job is None else self._choose(job)
        plan = [
            planned
            for place, member in enumerate(self._members)
            for planned in member.planned_schedule(job if place == chosen else None)
        ]
        return sorted(plan, key=lambda planned: (planned.start, planned.end, planned.job.position))

    def occupied(self, job: Job) -> int:
        """See `Member.occupied`."""
        return self._members[self._choose(job)].occupied(job)

    def memory_use(self) -> float:
        """See `Member.memory_use`: the mean of the sites below, weighted by their processors."""
        return sum(member.memory_use() * member.processors for member in self._members) / self.processors

    def fullest_node(self) -> int:
        """See `Member.fullest_node`."""
        return max(member.fullest_node() for member in self._members)

    def frozen(self) -> InnerMember:
        """See `Member.frozen`."""
        held = tuple(self._held())
        return InnerMember([member.frozen() for member in self._members], self._choose, lambda: held)

    def load(self) -> float:
        """See `Member.load`."""
        return sum(member.load() for member in self._members)

    def estimated_load(self) -> float:
        """See `Member.estimated_load`."""
        return sum(member.estimated_load() for member in self._members)

    def cpu_time(self, job: Job) -> float | None:
        """See `Member.cpu_time`."""
        return self._members[self._choose(job)].cpu_time(job)

    def execution_time(self, job: Job) -> float:
        """See `Member.execution_time`."""
        return self._members[self._choose(job)].execution_time(job)

    def ready_time(self) -> float:
        """See `Member.ready_time`: the mean of the sites below, weighted by their processors."""
        times = (member.ready_time() * member.processors for member in self._members)
        return sum(times) / self.processors
