"""InnerMember: an inner site with all that is below it, as the broker above it knows it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.model import Forecast
from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.views.member import Member
    from echelon.model import Job


class InnerMember:
    """Implements `echelon.engine.tree.views.member.Member`: sums over the sites below.

    What depends on a job is asked of the site to which it would be sent now. Of a job that only several
    sites together can hold it is asked of each that would have a part of it if all were empty: the job waits
    until the last part starts, and runs as long as the longest.

    Parameters
    ----------
    members : sequence of Member
        The sites right below.
    parts : callable (Job) -> list of (int, Job)
        The place among them to which the broker there would send a job now, or those of its parts, each with
        what would be sent there.
    held : callable () -> sequence of Job
        The jobs that wait at the inner site itself, for a decision or a dispatch.
    """

    def __init__(
        self,
        members: Sequence[Member],
        parts: Callable[[Job], list[tuple[int, Job]]],
        held: Callable[[], Sequence[Job]] = tuple,
    ) -> None:
        self._members, self._parts, self._held = members, parts, held
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
        return all(self._members[place].starts_at_once(part) for place, part in self._parts(job))

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`."""
        forecasts = [self._members[place].forecast(part) for place, part in self._parts(job)]
        return forecasts[0] if len(forecasts) == 1 else Forecast(*map(max, zip(*forecasts, strict=True)))

    @property
    def free(self) -> int:
        """See `Member.free`."""
        return sum(member.free for member in self._members)

    @property
    def in_service(self) -> int:
        """See `Member.in_service`."""
        return sum(member.in_service for member in self._members)

    def serves(self, job: Job) -> bool:
        """See `Member.serves`."""
        return all(self._members[place].serves(part) for place, part in self._parts(job))

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Member.planned_schedule`: by start, then end, then position."""
        parts = {} if job is None else dict(self._parts(job))
        plan = [
            planned
            for place, member in enumerate(self._members)
            for planned in member.planned_schedule(parts.get(place))
        ]
        if job is not None and len(parts) > 1:
            mine = [one for one in plan if one.job.position == job.position]
            start = max(one.start for one in mine)
            longest = max(one.end - one.start for one in mine) if start < math.inf else 0.0
            whole = Planned(job, start, start + longest)
            plan = [*(one for one in plan if one.job.position != job.position), whole]
        return sorted(plan, key=lambda planned: (planned.start, planned.end, planned.job.position))

    def occupied_nodes(self, job: Job) -> int:
        """See `Member.occupied_nodes`."""
        return sum(self._members[place].occupied_nodes(part) for place, part in self._parts(job))

    def memory_use(self) -> float:
        """See `Member.memory_use`: the mean of the sites below, weighted by their processors."""
        return sum(member.memory_use() * member.processors for member in self._members) / self.processors

    def fullest_node(self) -> int:
        """See `Member.fullest_node`."""
        return max(member.fullest_node() for member in self._members)

    def freeze(self) -> InnerMember:
        """See `Member.freeze`."""
        held = tuple(self._held())
        return InnerMember([member.freeze() for member in self._members], self._parts, lambda: held)

    def load(self) -> float:
        """See `Member.load`."""
        return sum(member.load() for member in self._members)

    def estimated_load(self) -> float:
        """See `Member.estimated_load`."""
        return sum(member.estimated_load() for member in self._members)

    def cpu_time(self, job: Job) -> float | None:
        """See `Member.cpu_time`."""
        times = [self._members[place].cpu_time(part) for place, part in self._parts(job)]
        return None if None in times else max(time for time in times if time is not None)

    def execution_time(self, job: Job) -> float:
        """See `Member.execution_time`."""
        return max(self._members[place].execution_time(part) for place, part in self._parts(job))

    def ready_time(self) -> float:
        """See `Member.ready_time`: the mean of the sites below, weighted by their processors."""
        times = (member.ready_time() * member.processors for member in self._members)
        return sum(times) / self.processors
