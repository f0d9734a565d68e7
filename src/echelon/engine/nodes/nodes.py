"""Nodes: the idle cores and the free memory of each node, and the cores that each job holds."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.nodes.core_assignment import CoreAssigner, NodeRoom
from echelon.engine.nodes.lineup import OnPlaces
from echelon.engine.nodes.one_node import OneNode
from echelon.engine.nodes.power_budget import PowerBudget
from echelon.engine.nodes.profile import NodeProfile
from echelon.engine.nodes.shadows.calendar_shadow import CalendarShadow
from echelon.engine.nodes.shadows.shadow import NodeShadow
from echelon.engine.nodes.sleep_states import Sleeping
from echelon.engine.resources.access import at_leaf
from echelon.engine.resources.closures import open_cores
from echelon.model.machines.capacity import DECIDED
from echelon.policies import spread_violation
from echelon.policies.placement import node_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closures import Closure, Closures
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Running
    from echelon.policies.contract import NodeView, Shadow, Where


class Nodes(OnPlaces):
    """A resource of nodes: a job holds cores, and memory in their nodes.

    Implements `echelon.engine.resources.resource.PlannedResource`.

    Parameters
    ----------
    hardware : Hardware
        The nodes.
    rules : NodeRules
        What may run where, and how.
    seed : int
        Of the run, for placements that draw.
    begin : float
        When the first job is submitted, in seconds.

    Attributes
    ----------
    idle : list of list of int
        Idle cores of each node, ascending.
    cores, memory : array, shape (n_nodes,)
        Free cores of each node, and its free memory, in bytes.
    held : dict of int to dict
        Number of cores and bytes of memory that each job, or outage, holds in each node, by position.
    assignments : dict of int to CoreAssignment
        The cores that each job holds, by position.
    places : CoreAssigner
        Finds cores for jobs.
    planners : tuple of CoreAssigner
        What finds cores for jobs at later times: where one never does, the next.
    closures : Closures or None
        When its nodes are closed to some jobs; None if never.
    """

    keeps_reservations = False
    closures: Closures | None = None

    def __init__(self, hardware: Hardware, rules: NodeRules, *, seed: int, begin: float) -> None:
        self.hardware, self.rules, self.seed = hardware, rules, seed
        self.processors = self.free = hardware.cores
        self.idle: list[list[int]] = [list(range(a, b)) for a, b in pairwise(hardware.first_core.tolist())]
        self.cores: IntColumn = hardware.node_cores.copy()
        self.memory: FloatColumn = hardware.node_memory.copy()
        self.memory_in_use: FloatColumn = np.zeros(len(self.cores))
        self.bandwidth_asked: Callable[[], FloatColumn] = lambda: np.zeros(len(hardware.processors))
        self.jobs_in_node: IntColumn = np.zeros(len(self.cores), dtype=np.int64)
        self.held: dict[int, dict[int, tuple[int, float]]] = {}
        self.assignments: dict[int, CoreAssignment] = {}
        self.sleep = Sleeping(hardware, rules.sleep_after, begin)
        self.power = PowerBudget(self)
        self.out: dict[Outage, Running] = {}
        # The outages of each node that is down, and that of them which holds its cores.
        self._down: dict[int, list[Outage]] = {}
        self._holder: dict[int, Outage] = {}
        self._rooms: dict[int, CoreAssignment | None] = {}
        self._rooms_at = begin
        self.places = CoreAssigner(self)
        self.planners: tuple[CoreAssigner, ...] = (self.places,)

    def copy(self) -> Nodes:
        """See `PlannedResource.copy`. Nodes are as much awake and asleep as now."""
        twin = copy(self)
        twin.__dict__["_rooms"] = {}
        twin.idle = [list(cores) for cores in self.idle]
        twin.cores, twin.memory = self.cores.copy(), self.memory.copy()
        twin.memory_in_use, twin.jobs_in_node = self.memory_in_use.copy(), self.jobs_in_node.copy()
        twin.held = {position: dict(held) for position, held in self.held.items()}
        twin.assignments, twin.out = dict(self.assignments), dict(self.out)
        down = {node: list(outages) for node, outages in self._down.items()}
        twin.__dict__.update(_down=down, _holder=dict(self._holder))
        twin.planners = tuple(places.copy(twin) for places in self.planners)
        twin.sleep, twin.places = self.sleep.copy(), twin.planners[0]
        twin.power = self.power.copy(twin)
        return twin

    def close(self, closures: Sequence[Closure], site: int | None) -> None:
        """See `PlannedResource.close`."""
        self.closures = at_leaf(closures, site, len(self.cores))

    def count_closed(self, now: float) -> int:
        """See `PlannedResource.count_closed`."""
        closed = None if self.closures is None else self.closures.mask_closed_now(now)
        return 0 if closed is None else int(self.cores[closed].sum())

    def count_closed_to(self, job: Job, now: float) -> int:
        """See `PlannedResource.count_closed_to`."""
        if self.closures is None:
            return 0
        closed = self.closures.mask_closed_to(job, now, now + job.planned_time, now)
        return 0 if closed is None else int(self.cores[closed].sum())

    def in_service(self, now: float, job: Job | None = None) -> int:
        """See `PlannedResource.in_service`."""
        return int(self.hardware.node_cores[self.mask_serving(now, job)].sum())

    @property
    def down(self) -> Collection[int]:
        """The nodes that are down."""
        return self._down

    def mask_serving(self, now: float, job: Job | None = None) -> NDArray[np.bool_]:
        """Return which nodes are neither down nor closed now to some jobs, or to `job`, shape (n_nodes,)."""
        is_serving = np.ones(len(self.cores), dtype=np.bool_)
        is_serving[list(self._down)] = False
        for one in () if self.closures is None else self.closures.current_closures(now):
            if job is None or job.position not in one.may_use:
                is_serving[list(one.nodes)] = False
        return is_serving

    @property
    def most_in_one_node(self) -> int:
        """See `PlannedResource.most_in_one_node`."""
        return int(self.cores.max(initial=0))

    def memory_of(self, job: Job) -> float:
        """Return the memory reserved for each task of `job`, that of its largest, in bytes."""
        return job.demand.memory if job.demand is not None else 0.0

    @property
    def is_capped(self) -> bool:
        """See `PlannedResource.is_capped`."""
        return self.power.is_capped

    @property
    def stretches(self) -> bool:
        """See `PlannedResource.stretches`."""
        return self.rules.sharing is not None

    def fits(self, job: Job, where: Where | None = None, now: float = 0.0) -> bool:
        """See `PlannedResource.fits`."""
        if job.processors > self.free and self.rules.sharing is None:
            # The most frequent refusal, and the cheapest.
            return False
        return self.room(job, now, where) is not None

    def room(self, job: Job, now: float, where: Where | None = None) -> CoreAssignment | None:
        """See `PlannedResource.room`; `where` has numbers of cores by node."""
        if self.closures is not None:
            return self._open_room(job, now, self.closures, where)
        if where is not None:
            return self._room_in(job, now, where)
        if self.sleep.is_used:
            # Whether a node is off changes with time alone.
            return self.places.among(job, self.cores, self.memory, now)
        if job.position not in self._rooms:
            self._rooms[job.position] = self.places.among(job, self.cores, self.memory, now)
        return self._rooms[job.position]

    def _open_room(
        self, job: Job, now: float, closures: Closures, where: Where | None
    ) -> CoreAssignment | None:
        """Return the room for `job` in nodes that are open to it for all of its planned time."""
        if where is not None:
            closed = closures.mask_closed_to(job, now, now + job.planned_time, now)
            shut = closed is not None and any(closed[node] for node in where)
            return None if shut else self._room_in(job, now, where)
        if self.sleep.is_used:
            return self._open_among(job, now, closures, self.cores, self.memory)
        if now != self._rooms_at:
            self._rooms.clear()
            self._rooms_at = now
        if job.position not in self._rooms:
            self._rooms[job.position] = self._open_among(job, now, closures, self.cores, self.memory)
        return self._rooms[job.position]

    def _open_among(
        self, job: Job, now: float, closures: Closures, cores: IntColumn, memory: FloatColumn
    ) -> CoreAssignment | None:
        """Return where `job` would start now, in nodes open to it until it has used what it is planned to."""
        assignment, planned = None, 0.0
        # Tasks that share cores take longer, and may then meet what they did not meet before.
        while assignment is None or self.planned_time_on(job, assignment) > planned:
            planned = job.planned_time if assignment is None else self.planned_time_on(job, assignment)
            closed = closures.mask_closed_to(job, now, now + planned, now)
            assignment = self.places.among(job, open_cores(cores, closed), memory, now)
            if assignment is None:
                return None
        return assignment

    def _room_in(self, job: Job, now: float, where: Where) -> CoreAssignment | None:
        cores, memory = np.zeros_like(self.cores), np.zeros_like(self.memory)
        for node, count in where.items():
            if self.cores[node] < count:
                return None
            cores[node], memory[node] = count, self.memory[node]
        # The spread of the job is decided; all remaining choices are allowed.
        demand = job.demand and job.demand._replace(nodes=0, tasks_per_node=DECIDED)
        return self.places.among(job._replace(demand=demand), cores, memory, now, shared=False)

    def room_beside(
        self, job: Job, now: float, window: tuple[IntColumn, FloatColumn]
    ) -> CoreAssignment | None:
        """See `PlannedResource.room_beside`."""
        cores, memory = np.minimum(window[0], self.cores), np.minimum(window[1], self.memory)
        if self.closures is not None:
            return self._open_among(job, now, self.closures, cores, memory)
        return self.places.among(job, cores, memory, now)

    def planned_time_on(self, job: Job, holding: CoreAssignment) -> float:
        """See `PlannedResource.planned_time_on`."""
        return job.planned_time * holding.share

    def place_of(self, holding: CoreAssignment) -> Where:
        """See `PlannedResource.place_of`."""
        return holding.where

    def place_held(self, position: int) -> Where:
        """Return where a job holds cores now."""
        return {node: cores for node, (cores, _) in self.held[position].items()}

    def misplacement_of(self, job: Job, where: Where) -> str | None:
        """See `PlannedResource.misplacement_of`."""
        nodes = len(self.cores)
        if not isinstance(where, Mapping) or not all(
            isinstance(number, int | np.integer) for pair in where.items() for number in pair
        ):
            return f"was started in {where!r:.60}; expected numbers of cores by node number"
        if beyond := [node for node in where if not 0 <= node < nodes]:
            return f"was started in node {beyond[0]}, but there are 0 to {nodes - 1}"
        counts = [int(count) for count in where.values()]
        if min(counts, default=0) < 1 or sum(counts) != job.processors:
            sizes = ", ".join(map(str, counts))
            return f"was started on {sizes or 'no'} cores of nodes, but needs {job.processors}"
        return spread_violation(np.array(counts), job.demand) if job.demand is not None else None

    def no_room(self, job: Job, window: object = None) -> str:
        """See `PlannedResource.no_room`."""
        most = self.most_in_one_node
        free = f"{self.free} of {self.processors} cores are free, at most {most} in one node"
        return f"was started, but does not fit: {free}"

    def forget(self, job: Job | None = None) -> None:
        """Forget where waiting `job` would start, or all: the running tasks have changed."""
        if job is None:
            self._rooms.clear()
        else:
            self._rooms.pop(job.position, None)

    def take(self, job: Job, holding: CoreAssignment, now: float) -> None:
        """See `Resource.take`."""
        each = self.memory_of(job) * holding.share
        for node, these in self.places.by_node(holding.cores).items():
            used = set(these)
            self.idle[node] = [core for core in self.idle[node] if core not in used]
        for node, count in holding.where.items():
            self._free(node, -count, -count * each)
            self.jobs_in_node[node] += 1
        self.held[job.position] = {node: (count, count * each) for node, count in holding.where.items()}
        self.assignments[job.position] = holding
        self.power.take(job.position, holding.cores, holding.level, now)

    def give(self, job: Job, now: float, part: Sequence[int] | None = None) -> Where:
        """See `Resource.give`: a part is cores, whose tasks have ended."""
        position = job.position
        assignment, held = self.assignments[position], self.held[position]
        cores = assignment.cores if part is None else part
        cores_by_node = self.places.by_node(cores)
        each = self.memory_of(job) * assignment.share
        for node, these in cores_by_node.items():
            count = len(these)
            self.idle[node] = sorted(self.idle[node] + these)
            self._free(node, count, count * each)
            left, memory = held[node][0] - count, held[node][1] - count * each
            held[node] = (left, memory)
            if not left:
                del held[node]
                self._leave(node, now)
        self.power.give_back(position, cores)
        if part is None:
            del self.assignments[position], self.held[position]
        else:
            still = tuple(core for core in assignment.cores if core not in set(part))
            self.assignments[position] = assignment._replace(cores=still)
        return {node: len(these) for node, these in cores_by_node.items()}

    def _leave(self, node: int, now: float) -> None:
        """Let a job leave `node`."""
        self.jobs_in_node[node] -= 1
        if not self.jobs_in_node[node]:
            # Sums of fractions of bytes need not return to exactly 0.
            self.memory[node] = self.hardware.node_memory[node]
            self.memory_in_use[node] = 0.0
            self.sleep.idle_from(node, now)

    def _free(self, node: int, cores: int, memory: float) -> None:
        self.cores[node] += cores
        self.memory[node] += memory
        self.memory_in_use[node] -= memory
        self.free += cores
        self._rooms.clear()

    def holders(self, outage: Outage, running: Callable[[], Sequence[Job]]) -> list[Job]:
        """See `Resource.holders`: the jobs in these nodes."""
        nodes = set(outage.nodes)
        return [job for job in running() if not nodes.isdisjoint(self.held[job.position])]

    def change(self, outage: Outage, now: float, *, down: bool) -> None:
        """See `Resource.change`. Memory stays: no job takes it without cores.

        A node that several outages take is held by the one that is expected to end last.
        """
        if down:
            holder = self.out[outage] = outage.holding(0, now)
            self.held[holder.position] = {}
        for node in outage.nodes:
            if down:
                self._goes_down(node, outage)
            else:
                self._ends(node, outage)
        if not down:
            del self.held[self.out.pop(outage).position]
        self._size_holders(outage)

    def expect(self, outage: Outage, now: float) -> None:
        """See `PlannedResource.expect`."""
        self.out[outage] = outage.holding(0, now)
        for node in outage.nodes:
            self._hold_by_last(node)
        self._size_holders(outage)

    def _size_holders(self, outage: Outage) -> None:
        """Note how many cores each outage holds that shares nodes with this one."""
        for each in {other for node in outage.nodes for other in self._down.get(node, ())}:
            holder = self.out[each]
            size = sum(cores for cores, _ in self.held[holder.position].values())
            self.out[each] = holder._replace(job=holder.job._replace(processors=size))

    def _goes_down(self, node: int, outage: Outage) -> None:
        self._down.setdefault(node, []).append(outage)
        if len(self._down[node]) > 1:
            self._hold_by_last(node)
            return
        self._holder[node], cores = outage, int(self.cores[node])
        self.held[self.out[outage].position][node] = (cores, 0.0)
        self.idle[node] = []
        self._free(node, -cores, 0.0)

    def _ends(self, node: int, outage: Outage) -> None:
        self._down[node].remove(outage)
        if self._down[node]:
            self._hold_by_last(node)
            return
        del self._down[node], self._holder[node]
        cores, _ = self.held[self.out[outage].position].pop(node)
        first = self.hardware.first_core
        self.idle[node] = list(range(int(first[node]), int(first[node + 1])))
        self._free(node, cores, 0.0)

    def _hold_by_last(self, node: int) -> None:
        before, after = self._holder[node], max(self._down[node], key=lambda each: self.out[each].planned_end)
        if after != before:
            self._holder[node] = after
            held = self.held[self.out[before].position].pop(node)
            self.held[self.out[after].position][node] = held

    def put(self, job: Job, now: float) -> bool:
        """Place `job` in this copy; return whether there is room for it."""
        if (assignment := self.room(job, now)) is None:
            return False
        self.sleep.wake(assignment.where, now)
        self.take(job, assignment, now)
        return True

    def put_back(self, job: Job, other: Nodes, now: float) -> None:
        """Let `job`, which runs in `other`, of which this is a copy, run on the same cores here."""
        held = other.place_held(job.position)
        self.sleep.hold(held)
        self.take(job, other.assignments[job.position]._replace(where=held), now)

    def profile(self, cluster: Cluster, *, kept: bool = False) -> NodeProfile:
        """See `PlannedResource.profile`."""
        return NodeProfile(self, cluster, kept=kept)

    def shadow(self, size: int, cluster: Cluster) -> tuple[float, int]:
        """See `PlannedResource.shadow`: cores in any nodes."""
        if self.closures is not None:
            return self.profile(cluster).open_shadow(size, self.closures)
        free, shadow = self.free, cluster.now
        for end, position, _ in cluster.holders:
            if free >= size and end > shadow:
                break
            free += sum(cores for cores, _ in self.held[position].values())
            shadow = end
        return shadow, free - size

    def head_start(self, head: Job, cluster: Cluster) -> Shadow:
        """See `PlannedResource.head_start`."""
        if self.closures is None:
            return NodeShadow(self, cluster, head)
        profile = self.profile(cluster)
        time = profile.earliest_for(head, after=self.power.free_from(head, cluster))
        return CalendarShadow(self, cluster, head, profile, time)

    def by_node(self, head: Job, cluster: Cluster, *, small: bool) -> Sequence[NodeView]:
        """See `PlannedResource.by_node`."""
        room = NodeRoom(self, self.cores, self.memory, cluster.now)
        order = node_sequence(self.rules.placement, head, room).tolist()
        nodes = (OneNode(self, cluster, head, node) for node in order)
        return [node for node in nodes if small or node.could_hold]

    def side_by_side(self, jobs: Sequence[Job], cluster: Cluster) -> bool:
        """See `PlannedResource.side_by_side`."""
        if sum(job.processors for job in jobs) > self.processors:
            return False
        empty = self.with_only((), cluster)
        # A job that shares the machine in turns does so beyond any closure of now.
        empty.closures = None
        return all(empty.put(job, cluster.now) for job in jobs)
