"""CountedProcessors: processors of which only the number counts, now and as planned."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Self

from echelon.engine.resources.node_outlook import WholeMachine
from echelon.engine.resources.profile import AvailabilityProfile
from echelon.policies import Start

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closures import Closure, Closures
    from echelon.engine.resources.resource import Calendar, Fits, Holding, Place, Window
    from echelon.model import Job
    from echelon.policies import Running
    from echelon.policies.contract import Lineup, NodeView, Shadow, Where


class CountedLineup:
    """Implements `echelon.policies.contract.Lineup`: there is room while processors are left.

    Parameters
    ----------
    processors : int
        Of the machine.

    Attributes
    ----------
    free : int
        Processors that are left beside the jobs added.
    """

    __slots__ = ("free",)

    def __init__(self, processors: int) -> None:
        self.free = processors

    def admits(self, job: Job) -> bool:
        """See `Lineup.admits`. Cost: O(1)."""
        return job.processors <= self.free

    def add(self, job: Job) -> None:
        """See `Lineup.add`."""
        self.free -= job.processors


class CountShadow:
    """Implements `echelon.policies.contract.Shadow`, by counting processors.

    Parameters
    ----------
    now : float
        Simulation time, in seconds.
    outlook : (float, int)
        When enough processors for the blocked job are planned to be free, in seconds, and how many more.
    """

    __slots__ = ("_extra", "_now", "time")

    def __init__(self, now: float, outlook: tuple[float, int]) -> None:
        self._now = now
        self.time, self._extra = outlook

    def admits(self, job: Job) -> Start | None:
        """See `Shadow.admits`. Cost: O(1)."""
        return Start(job) if self._in_time(job) or job.processors <= self._extra else None

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        if not self._in_time(job):
            self._extra -= job.processors

    def _in_time(self, job: Job) -> bool:
        return self._now + job.planned_time <= self.time


class CountedProcessors:
    """A resource by counting: a job holds a number of processors.

    Where it matters which these are, `NumberedProcessors` of `echelon.engine.nodes` gives them numbers.

    Implements `echelon.engine.resources.resource.PlannedResource`.

    Parameters
    ----------
    processors : int
        At least 1.
    """

    __slots__ = ("free", "out", "processors")

    stretches = is_capped = False
    keeps_reservations = True
    closures: Closures | None = None
    most_in_one_node = None

    def __init__(self, processors: int) -> None:
        self.processors = self.free = processors
        self.out: dict[Outage, Running] = {}

    def copy(self) -> Self:
        """See `PlannedResource.copy`."""
        twin = copy(self)
        twin.out = dict(self.out)
        return twin

    def close(self, closures: Sequence[Closure], site: int | None) -> None:
        """See `PlannedResource.close`: only processors with numbers can be closed."""
        raise NotImplementedError

    def count_closed(self, now: float) -> int:
        """See `PlannedResource.count_closed`."""
        return 0

    def count_closed_to(self, job: Job, now: float) -> int:
        """See `PlannedResource.count_closed_to`."""
        return 0

    def in_service(self, now: float, job: Job | None = None) -> int:
        """See `PlannedResource.in_service`."""
        return self.processors - sum(holder.job.processors for holder in self.out.values())

    def fits(self, job: Job, where: Place | None = None, now: float = 0.0) -> bool:
        """See `PlannedResource.fits`."""
        return job.processors <= self.free

    def test_in(self, cluster: Cluster) -> Fits:
        """See `PlannedResource.test_in`: neither time nor reservations matter."""
        return self.fits

    def room(self, job: Job, now: float, where: Place | None = None) -> Holding | None:
        """See `PlannedResource.room`."""
        return job.processors if job.processors <= self.free else None

    def room_beside(self, job: Job, now: float, window: Window) -> Holding | None:
        """See `PlannedResource.room_beside`."""
        return job.processors if job.processors <= min(window, self.free) else None

    def planned_time_on(self, job: Job, holding: Holding) -> float:
        """See `PlannedResource.planned_time_on`."""
        return job.planned_time

    def place_of(self, holding: Holding) -> Place:
        """See `PlannedResource.place_of`."""
        return holding

    def misplacement_of(self, job: Job, where: Where) -> str | None:
        """See `PlannedResource.misplacement_of`."""
        return "was started in nodes by name, but this machine has no node-level model"

    def no_room(self, job: Job, window: Window | None = None) -> str:
        """See `PlannedResource.no_room`."""
        if window is None or job.processors > self.free:
            return f"was started on {job.processors} processors, but {self.free} are free"
        return f"was started on {job.processors} processors, but reservations of other jobs leave {window}"

    def forget(self, job: Job) -> None:
        """See `PlannedResource.forget`."""

    def take(self, job: Job, holding: Holding, now: float) -> None:
        """See `Resource.take`."""
        self.free -= holding

    def give(self, job: Job, now: float, part: None = None) -> Place:
        """See `Resource.give`: a job gives all its processors back at once."""
        self.free += job.processors
        return job.processors

    def holders(self, outage: Outage, running: Callable[[], Sequence[Job]]) -> list[Job]:
        """See `Resource.holders`: idle processors go down first, then those of the latest starts."""
        left, holders = outage.processors - self.free, []
        for job in running():
            if left > 0:
                holders.append(job)
                left -= job.processors
        return holders

    def change(self, outage: Outage, now: float, *, down: bool) -> None:
        """See `Resource.change`: outages at once take as many in all as each says, or all there are."""
        left = self.free + self._down
        if down:
            self.out[outage] = outage.holding(0, now)
        else:
            del self.out[outage]
        for each in self.out:
            self.out[each] = each.holding(min(each.processors, left), now)
            left -= self.out[each].job.processors
        self.free = left

    def expect(self, outage: Outage, now: float) -> None:
        """See `PlannedResource.expect`."""
        self.out[outage] = outage.holding(self.out[outage].job.processors, now)

    @property
    def _down(self) -> int:
        return sum(holder.job.processors for holder in self.out.values())

    def profile(self, cluster: Cluster, *, kept: bool = False) -> Calendar:
        """See `PlannedResource.profile`."""
        ends = ((end, job.processors) for end, _, job in cluster.holders)
        return AvailabilityProfile.around(cluster.now, self.processors, ends)

    def shadow(self, size: int, cluster: Cluster) -> tuple[float, int]:
        """See `PlannedResource.shadow`."""
        free, shadow = self.free, cluster.now
        for end, _, job in cluster.holders:
            if free >= size and end > shadow:
                break
            free += job.processors
            shadow = end
        return shadow, free - size

    def head_start(self, head: Job, cluster: Cluster) -> Shadow:
        """See `PlannedResource.head_start`."""
        return CountShadow(cluster.now, self.shadow(head.processors, cluster))

    def by_node(self, head: Job, cluster: Cluster, *, small: bool) -> Sequence[NodeView]:
        """See `PlannedResource.by_node`: the machine is its only node."""
        return [WholeMachine(cluster, head, self.processors)]

    def lineup(self, cluster: Cluster) -> Lineup:
        """See `PlannedResource.lineup`."""
        return CountedLineup(self.processors - self._down)

    def side_by_side(self, jobs: Sequence[Job], cluster: Cluster) -> bool:
        """See `PlannedResource.side_by_side`."""
        return sum(job.processors for job in jobs) <= self.processors
