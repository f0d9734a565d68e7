"""NumberedProcessors: processors that have numbers, which matter where single ones go down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self

from echelon.engine.nodes.lineup import OnPlaces
from echelon.engine.nodes.processor_profile import ProcessorProfile, ProcessorSet
from echelon.engine.nodes.shadows.calendar_shadow import CalendarShadow
from echelon.engine.resources.access import at_leaf
from echelon.engine.resources.counted_processors import CountedProcessors, CountShadow
from echelon.engine.resources.node_set import NodeSet, node_set
from echelon.policies import Start

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.ledger.ledger import HeldRecord
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closures import Closure
    from echelon.model import Job
    from echelon.policies.contract import Shadow, Where


class NumberedProcessors(OnPlaces, CountedProcessors):
    """`CountedProcessors` with numbers, of which a job takes the lowest that are free and open to it.

    Implements `echelon.engine.resources.resource.PlacedResource`. Sets of processors are the bits of
    integers, so that hardly anything grows with their number.

    Parameters
    ----------
    processors : int
        At least 1.
    record : HeldRecord, optional
        Keeps which processors each job held, and when; copies keep nothing.
    site : int, default -1
        Index of the site in the platform; -1 on one machine.

    Attributes
    ----------
    idle : NodeSet
        The processors that no job and no outage holds.
    held : dict of int to ProcessorSet
        What each job, or outage, holds, by position.
    closures : Closures or None
        When processors are closed to some jobs; None if never.
    """

    def __init__(self, processors: int, record: HeldRecord | None = None, *, site: int = -1) -> None:
        super().__init__(processors)
        self.idle: NodeSet = (1 << processors) - 1
        self.held: dict[int, ProcessorSet] = {}
        self._record, self._site = record, site
        # What each outage takes, alone or with others, and all of them.
        self._claims: dict[int, NodeSet] = {}
        self._gone: NodeSet = 0

    def copy(self) -> Self:
        """See `PlannedResource.copy`."""
        twin = super().copy()
        twin.held = dict(self.held)
        twin.__dict__.update(_claims=dict(self._claims), _record=None)
        return twin

    def close(self, closures: Sequence[Closure], site: int | None) -> None:
        """See `PlannedResource.close`."""
        self.closures = at_leaf(closures, site, self.processors)

    def count_closed(self, now: float) -> int:
        """See `PlannedResource.count_closed`."""
        return 0 if self.closures is None else (self.idle & self.closures.nodes_closed_now(now)).bit_count()

    def count_closed_to(self, job: Job, now: float) -> int:
        """See `PlannedResource.count_closed_to`."""
        return self.free - self._open(job, now).bit_count()

    def in_service(self, now: float, job: Job | None = None) -> int:
        """See `PlannedResource.in_service`."""
        gone = self._gone
        for one in () if self.closures is None else self.closures.current_closures(now):
            if job is None or job.position not in one.may_use:
                gone |= node_set(one.nodes)
        return self.processors - gone.bit_count()

    def fits(self, job: Job, where: Where | None = None, now: float = 0.0) -> bool:
        """See `PlannedResource.fits`. Counting will do unless some processors are closed to some jobs."""
        if job.processors > self.free:
            return False
        if where is not None:
            return self.room(job, now, where) is not None
        if self.closures is None:
            return True
        closed = self.idle & self.closures.nodes_closed_to(job, now, now + job.planned_time, now)
        return not closed or self.free - closed.bit_count() >= job.processors

    def room(self, job: Job, now: float, where: Where | None = None) -> ProcessorSet | None:
        """See `PlannedResource.room`; `where` has one core of each processor."""
        there = self._open(job, now)
        if where is None:
            return ProcessorSet.lowest(there, job.processors)
        chosen = ProcessorSet.of(where)
        if chosen is None or chosen.bits & ~there:
            return None
        return ProcessorSet.lowest(chosen.bits, job.processors)

    def room_beside(self, job: Job, now: float, window: NodeSet) -> ProcessorSet | None:
        """See `PlannedResource.room_beside`."""
        return ProcessorSet.lowest(self._open(job, now) & window, job.processors)

    def _open(self, job: Job, now: float) -> NodeSet:
        """Return the idle processors that are open to `job` from now on for its planned time."""
        if self.closures is None:
            return self.idle
        return self.idle & ~self.closures.nodes_closed_to(job, now, now + job.planned_time, now)

    def place_held(self, position: int) -> ProcessorSet:
        """Return where a job holds processors now."""
        return self.held[position]

    def misplacement_of(self, job: Job, where: Where) -> str | None:
        """See `PlannedResource.misplacement_of`: its users know no nodes."""
        place = ProcessorSet.of(where) if isinstance(where, Mapping) else None
        if place is None or place.bits >> self.processors or len(place) != job.processors:
            return super().misplacement_of(job, where)
        return None

    def no_room(self, job: Job, window: object = None) -> str:
        """See `PlannedResource.no_room`."""
        free = f"{self.free} of {self.processors} cores are free, at most {min(1, self.free)} in one node"
        return f"was started, but does not fit: {free}"

    def take(self, job: Job, holding: ProcessorSet, now: float) -> None:
        """See `Resource.take`."""
        self.idle &= ~holding.bits
        self.free -= job.processors
        self.held[job.position] = holding

    def give(self, job: Job, now: float, part: None = None) -> ProcessorSet:
        """See `Resource.give`: a job gives all its processors back at once."""
        held = self.held.pop(job.position)
        self.idle |= held.bits
        self.free += job.processors
        if self._record is not None:
            self._record.keep(job, now, held.numbers, self._site)
        return held

    def holders(self, outage: Outage, running: Callable[[], Sequence[Job]]) -> list[Job]:
        """See `Resource.holders`. Cost: O(jobs) only if the outage may hit some."""
        busy = node_set(outage.nodes) & ~self.idle & ~self._gone
        return [job for job in running() if self.held[job.position].bits & busy] if busy else []

    def change(self, outage: Outage, now: float, *, down: bool) -> None:
        """See `Resource.change`. A processor that several outages take is held by the last to end."""
        if down:
            holder = self.out[outage] = outage.holding(0, now)
            self._claims[holder.position] = node_set(outage.nodes)
            touched = self._claims[holder.position]
        else:
            holder = self.out.pop(outage)
            touched = self._claims.pop(holder.position)
            del self.held[holder.position]
        self._share_out(touched)

    def expect(self, outage: Outage, now: float) -> None:
        """See `PlannedResource.expect`."""
        holder = self.out[outage] = outage.holding(0, now)
        self._share_out(self._claims[holder.position])

    def _share_out(self, touched: NodeSet) -> None:
        """Share these processors out again among the outages that take them, or none any more.

        Each goes to the outage that is expected to end last; of several to the one that was there first.
        """
        down: NodeSet = 0
        for outage, holder in sorted(self.out.items(), key=lambda pair: -pair[1].planned_end):
            position = holder.position
            if not self._claims[position] & touched:
                continue
            own = self._claims[position] & touched & ~down
            down |= own
            others = self.held[position].bits & ~touched if position in self.held else 0
            self.held[position] = ProcessorSet(others | own)
            self.out[outage] = holder._replace(job=holder.job._replace(processors=len(self.held[position])))
        self._gone = (self._gone & ~touched) | down
        self.idle = (self.idle & ~touched) | (touched & ~down)
        self.free = self.idle.bit_count()

    def put(self, job: Job, now: float) -> bool:
        """Place `job` in this copy; return whether there is room for it."""
        if (nodes := self.room(job, now)) is None:
            return False
        self.take(job, nodes, now)
        return True

    def put_back(self, job: Job, other: NumberedProcessors, now: float) -> None:
        """Let `job`, which runs in `other`, of which this is a copy, run on the same processors here."""
        self.take(job, other.held[job.position], now)

    def profile(self, cluster: Cluster, *, kept: bool = False) -> ProcessorProfile:
        """See `PlannedResource.profile`."""
        return ProcessorProfile(self, cluster, kept=kept)

    def shadow(self, size: int, cluster: Cluster) -> tuple[float, int]:
        """See `PlannedResource.shadow`."""
        if self.closures is not None:
            return self.profile(cluster).open_shadow(size, self.closures)
        return super().shadow(size, cluster)

    def head_start(self, head: Job, cluster: Cluster) -> Shadow:
        """See `PlannedResource.head_start`: counting will do unless some processors are closed to some."""
        if self.closures is not None:
            profile = self.profile(cluster)
            return CalendarShadow(self, cluster, head, profile, profile.earliest_for(head))
        return LeftShadow(cluster, self.shadow(head.processors, cluster))

    def side_by_side(self, jobs: Sequence[Job], cluster: Cluster) -> bool:
        """See `PlannedResource.side_by_side`: beyond any closure of now, but not on what is down."""
        return sum(job.processors for job in jobs) <= self.processors - self._gone.bit_count()


class LeftShadow(CountShadow):
    """`CountShadow` of jobs that may be planned with what they have left.

    Parameters
    ----------
    cluster : Cluster
        Whose jobs wait.
    outlook
        See `CountShadow`.
    """

    __slots__ = ("_cluster",)

    def __init__(self, cluster: Cluster, outlook: tuple[float, int]) -> None:
        super().__init__(cluster.now, outlook)
        self._cluster = cluster

    def admits(self, job: Job) -> Start | None:
        """See `Shadow.admits`. Cost: O(1)."""
        left = self._cluster.as_left(job)
        return Start(job) if self._in_time(left) or left.processors <= self._extra else None

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        if self._cluster.planned_end(job) > self.time:
            self._extra -= job.processors
