"""NodeCluster: the state of one machine of nodes. Every change is made and checked here."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from echelon.engine.cluster import NOT_WAITING, Cluster
from echelon.engine.nodes.core_assignment import CoreAssigner
from echelon.engine.nodes.lineup import NodeLineup
from echelon.engine.nodes.one_node import OneNode
from echelon.engine.nodes.power_budget import PowerBudget
from echelon.engine.nodes.profile import NodeProfile
from echelon.engine.nodes.room import NodeRoom
from echelon.engine.nodes.shadow import NodeShadow
from echelon.engine.nodes.sleep_states import Sleeping
from echelon.model.machines.capacity import DECIDED
from echelon.policies import Running, misspread
from echelon.policies.placement import node_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger import Ledger
    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.nodes.suspended_job import SuspendedJob
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import Lineup, Profile, Shadow, Where


class NodeCluster(Cluster):
    """Idle cores and free memory of each node, waiting and running jobs, reservations of waiting jobs.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    hardware : Hardware
        The nodes.
    rules : NodeRules
        What may run where, and how.
    scenario : Scenario, optional
        The run as the queue here knows it; default: the ledger's.
    """

    def __init__(
        self, ledger: Ledger, hardware: Hardware, rules: NodeRules, scenario: Scenario | None = None
    ) -> None:
        self.hardware = hardware
        super().__init__(scenario or ledger.scenario, hardware.cores, ledger)
        self.rules = rules
        first = self.hardware.first_core.tolist()
        self.idle: list[list[int]] = [list(range(a, b)) for a, b in pairwise(first)]
        self.cores: IntColumn = self.hardware.node_cores.copy()
        self.memory: FloatColumn = self.hardware.node_memory.copy()
        self.memory_in_use: FloatColumn = np.zeros(len(self.cores))
        self.bandwidth_asked: Callable[[], FloatColumn] = lambda: np.zeros(len(self.hardware.processors))
        self.jobs_in_node: IntColumn = np.zeros(len(self.cores), dtype=np.int64)
        self.held: dict[int, dict[int, tuple[int, float]]] = {}
        self.assignments: dict[int, CoreAssignment] = {}
        begin = ledger.scenario.instance.first_submission
        self.sleep = Sleeping(hardware, rules.sleep_after, begin)
        self.power = PowerBudget(self)
        self._reserved_nodes: dict[int, Where] = {}
        self._kept: NodeProfile | None = None
        self._ledger_jobs = ledger.jobs
        self.suspended: dict[int, SuspendedJob] = {}
        self.time_left: Callable[[Job], float] | None = None
        self._found: dict[int, CoreAssignment | None] = {}
        self.places = CoreAssigner(self)

    def copy(self) -> NodeCluster:
        """Return an independent copy; see `Cluster.copy`. Nodes are as much awake and asleep as now."""
        twin = super().copy()
        assert isinstance(twin, NodeCluster)
        twin.idle = [list(cores) for cores in self.idle]
        twin.cores, twin.memory = self.cores.copy(), self.memory.copy()
        twin.memory_in_use, twin.jobs_in_node = self.memory_in_use.copy(), self.jobs_in_node.copy()
        twin.held = {position: dict(held) for position, held in self.held.items()}
        twin.assignments, twin.suspended = dict(self.assignments), dict(self.suspended)
        twin.__dict__.update(_found={}, _reserved_nodes=dict(self._reserved_nodes), _kept=None)
        twin.sleep, twin.places = self.sleep.copy(), CoreAssigner(twin)
        twin.power = self.power.copy(twin)
        twin.keep_again(self)
        return twin

    def keep_again(self, other: NodeCluster) -> None:
        """Make the profile with all reservations again if `other` keeps one."""
        if other._kept is None:
            return
        profile = self._kept_nodes()
        for position, time in self.reservations.items():
            job, where = self.as_left(self._ledger_jobs[position]), self._reserved_nodes[position]
            profile.take_where(job, where, max(time, self.now), time + job.planned_time)

    def as_left(self, job: Job) -> Job:
        """Return `job` as its placement sees it: if it was suspended, with what it has left."""
        suspended = self.suspended.get(job.position)
        return job if suspended is None else suspended.job

    def memory_of(self, job: Job) -> float:
        """Return the memory reserved for each task of `job`, that of its largest, in bytes."""
        return job.demand.memory if job.demand is not None else 0.0

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now; a job whose reservation is due has its own."""
        if self.as_left(job).processors > self.free and self.rules.sharing is None:
            # The most frequent refusal, and the cheapest.
            return False
        return (self.assignment(job) if where is None else self.assignment_in(job, where)) is not None

    def may_start(self, job: Job) -> bool:
        """Return whether waiting `job`, which has no reservation, can start now without touching one."""
        return self._assignment_beside(job) is not None

    def assignment(self, job: Job) -> CoreAssignment | None:
        """Return where `job` would start now, apart from reservations of other jobs, or None."""
        due = self.reservations.get(job.position)
        if due is not None and due <= self.now:
            return self.assignment_in(job, self._reserved_nodes[job.position])
        if self.sleep.is_used:
            # Whether a node is off changes with time alone.
            return self.places.among(self.as_left(job), self.cores, self.memory)
        if job.position not in self._found:
            self._found[job.position] = self.places.among(self.as_left(job), self.cores, self.memory)
        return self._found[job.position]

    def assignment_in(self, job: Job, where: Where) -> CoreAssignment | None:
        """Return where `job` would start now with these numbers of cores in these nodes, or None."""
        cores, memory = np.zeros_like(self.cores), np.zeros_like(self.memory)
        for node, count in where.items():
            if self.cores[node] < count:
                return None
            cores[node], memory[node] = count, self.memory[node]
        job = self.as_left(job)
        # The spread of the job is decided; all remaining choices are allowed.
        demand = job.demand and job.demand._replace(nodes=0, tasks_per_node=DECIDED)
        return self.places.among(job._replace(demand=demand), cores, memory, shared=False)

    def planned_on(self, job: Job, assignment: CoreAssignment) -> float:
        """Return the planned time of `job` on these cores, in seconds: longer if tasks share cores."""
        return self.as_left(job).planned_time * assignment.share

    def start(self, job: Job, switch: float = 0.0, where: Where | None = None) -> float:
        """Give `job` its cores; return its planned end, in seconds.

        Raises
        ------
        PolicyError
            If it does not wait, does not fit, would delay a reservation, or `switch` is not a time >= 0.
        """
        if not self.waiting.holds(job):
            self._refuse(job, f"was started, but {NOT_WAITING}")
        self._check_switch(job, switch)
        assignment = self._assignment_to_start(job, where, switch)
        end = self.now + switch + self.planned_on(job, assignment)
        self.waiting.remove(job)
        self.first_reservations.pop(job.position, None)
        self.suspended.pop(job.position, None)
        self._take(job, assignment)
        if self._kept is not None:
            self._kept.take_where(job, assignment.where, self.now, end)
        self._planned_ends[job.position] = end
        insort(self.running, Running(end, job.position, job))
        self.dispatches.dispatch(job, self.now, switch)
        return end

    def drop(self, job: Job) -> None:
        """See `Cluster.drop`."""
        super().drop(job)
        self._found.pop(job.position, None)

    def suspend(self, left: SuspendedJob, progress: float) -> None:
        """Take the cores and the memory of a running job, and let it wait again.

        Parameters
        ----------
        left : SuspendedJob
            The job with what it has left.
        progress : float
            How long it has progressed since its dispatch, in seconds.
        """
        early, job = self.ended_early, self._ledger_jobs[left.job.position]
        self.release(job)
        # The job has released its cores early, but has not ended.
        self.ended_early = early
        planned = left.job.planned_time
        self.dispatches.preempt(job, self.now, progress=progress, planned_left=planned)
        self.suspended[job.position] = left
        self.waiting.add(job)

    def refuse_to_suspend(self, job: Job, sharing: str) -> NoReturn:
        """Refuse to suspend a job whose tasks may share cores: each resumes on a core of its own."""
        self._refuse(job, f"was preempted, but under {sharing} its tasks may share cores; use no sharing")

    def lineup(self) -> Lineup:
        """Return a lineup without jobs; see `SystemView.lineup`."""
        return NodeLineup(self)

    def side_by_side(self, jobs: Sequence[Job]) -> bool:
        """Return whether the empty machine has room for `jobs`; see `SystemView.side_by_side`."""
        if sum(job.processors for job in jobs) > self.processors:
            return False
        empty = self.with_only(())
        empty.suspended.clear()
        return all(empty.put(job) for job in jobs)

    def with_only(self, kept: Container[int]) -> NodeCluster:
        """Return a copy in which all running jobs but those at the positions `kept` have been suspended."""
        twin = self.copy()
        for running in self.running:
            if running.position not in kept:
                twin.release(running.job)
        return twin

    def room_for(self, job: Job) -> CoreAssignment | None:
        """Return where waiting `job` would start now, regardless of reservations, or None."""
        return self.places.among(self.as_left(job), self.cores, self.memory)

    def put(self, job: Job) -> bool:
        """Place waiting `job` in this copy of a cluster; return whether there is room for it."""
        if (found := self.room_for(job)) is None:
            return False
        self.sleep.wake(found.where, self.now)
        self._take(job, found)
        return True

    def put_back(self, job: Job, other: NodeCluster) -> None:
        """Let `job`, which runs in `other`, of which this is a copy, run on the same cores here."""
        held = {node: cores for node, (cores, _) in other.held[job.position].items()}
        self.sleep.hold(held)
        self._take(job, other.assignments[job.position]._replace(where=held))

    def remaining(self, job: Job) -> float:
        """Return the planned time `job` has left; see `SystemView.remaining`."""
        if self.time_left is None or job.position not in self._planned_ends:
            return super().remaining(job)
        return self.time_left(job)

    def release(self, job: Job) -> None:
        """Release the cores that `job` still holds: it has ended."""
        self.give_back(job, self.assignments[job.position].cores)
        end = self._planned_ends.pop(job.position)
        self.running.remove(Running(end, job.position, job))
        del self.assignments[job.position], self.held[job.position]

    def give_back(self, job: Job, cores: Sequence[int]) -> None:
        """Release some cores of running `job`, whose tasks there have ended."""
        position = job.position
        assignment, held = self.assignments[position], self.held[position]
        gone = set(cores)
        parted = self.places.by_node(cores)
        where = {node: len(these) for node, these in parted.items()}
        each = self.memory_of(job) * assignment.share
        for node, count in where.items():
            self.idle[node] = sorted(self.idle[node] + parted[node])
            self._free(node, count, count * each)
            left, memory = held[node][0] - count, held[node][1] - count * each
            held[node] = (left, memory)
            if not left:
                del held[node]
                self.jobs_in_node[node] -= 1
                if not self.jobs_in_node[node]:
                    # Sums of fractions of bytes need not return to exactly 0.
                    self.memory[node] = self.hardware.node_memory[node]
                    self.memory_in_use[node] = 0.0
                    self.sleep.idle_from(node, self.now)
        self.assignments[position] = assignment._replace(
            cores=tuple(core for core in assignment.cores if core not in gone)
        )
        self.power.give_back(position, cores)
        self.usage.change(self.now, job, -len(cores))
        end = self._planned_ends[position]
        if end > self.now and cores:
            self.ended_early = True
            if self._kept is not None:
                self._kept.give_where(job, where, self.now, end)

    def _free(self, node: int, cores: int, memory: float) -> None:
        self.cores[node] += cores
        self.memory[node] += memory
        self.memory_in_use[node] -= memory
        self.free += cores
        self._found.clear()

    def forget(self) -> None:
        """Forget where jobs would start, since the running tasks have changed."""
        self._found.clear()

    def _take(self, job: Job, assignment: CoreAssignment) -> None:
        each = self.memory_of(job) * assignment.share
        self.usage.change(self.now, job, len(assignment.cores))
        for node, these in self.places.by_node(assignment.cores).items():
            used = set(these)
            self.idle[node] = [core for core in self.idle[node] if core not in used]
        for node, count in assignment.where.items():
            self._free(node, -count, -count * each)
            self.jobs_in_node[node] += 1
        self.held[job.position] = {node: (count, count * each) for node, count in assignment.where.items()}
        self.assignments[job.position] = assignment
        self.power.take(job.position, assignment.cores, assignment.level)

    def _assignment_to_start(self, job: Job, where: Where | None, switch: float) -> CoreAssignment:
        """Return where `job` starts: as chosen by the policy, as reserved, or beside all reservations."""
        reserved = self.reservations.get(job.position)
        if where is None and reserved is not None and reserved <= self.now:
            where = self._reserved_nodes[job.position]
        elif where is not None:
            self._check_where(job, where)
        self._withdraw(job)
        assignment = self._assignment_beside(job) if where is None else self.assignment_in(job, where)
        if assignment is None:
            self._refuse(job, f"was started, but does not fit: {self._free_words()}")
        if self._kept is not None:
            end = self.now + switch + self.planned_on(job, assignment)
            cores, _ = self._kept_nodes().window(self.now, end)
            if any(cores[node] < count for node, count in assignment.where.items()):
                self._refuse(job, "was started in cores that are reserved for other jobs")
        return assignment

    def _check_where(self, job: Job, where: Where) -> None:
        """Refuse nodes named by a policy, perhaps a user's own, if `job` may not start there."""
        nodes = len(self.cores)
        if not isinstance(where, Mapping) or not all(
            isinstance(number, int | np.integer) for pair in where.items() for number in pair
        ):
            self._refuse(job, f"was started in {where!r:.60}; expected numbers of cores by node number")
        if beyond := [node for node in where if not 0 <= node < nodes]:
            self._refuse(job, f"was started in node {beyond[0]}, but there are 0 to {nodes - 1}")
        counts = [int(count) for count in where.values()]
        job = self.as_left(job)
        if min(counts, default=0) < 1 or sum(counts) != job.processors:
            sizes = ", ".join(map(str, counts))
            self._refuse(job, f"was started on {sizes or 'no'} cores of nodes, but needs {job.processors}")
        used = np.array(counts)
        if job.demand is not None and (fault := misspread(used, job.demand)):
            self._refuse(job, fault)

    def _assignment_beside(self, job: Job) -> CoreAssignment | None:
        """Return where `job` can start now for its planned time without delaying a reservation, or None."""
        if self._kept is None:
            return self.assignment(job)
        job = self.as_left(job)
        cores, memory = self._kept_nodes().window(self.now, self.now + job.planned_time)
        return self.places.among(job, np.minimum(cores, self.cores), np.minimum(memory, self.memory))

    def _free_words(self) -> str:
        most = int(self.cores.max(initial=0))
        return f"{self.free} of {self.processors} cores are free, at most {most} in one node"

    def reserve(self, job: Job, time: float) -> None:
        """Reserve a start at `time` for waiting `job`; see `Cluster.reserve`."""
        self._check_reservation(job, time)
        if self.reservations.get(job.position) == time:
            return
        job, profile = self.as_left(job), self._kept_nodes()
        self._withdraw(job)
        where = profile.place(job, time)
        if where is None:
            self._refuse(job, f"got a reservation at {time:g} s, but there is no room for it then")
        profile.take_where(job, where, time, time + job.planned_time)
        self._reserved_nodes[job.position] = where
        self.reservations[job.position] = time
        self.first_reservations.setdefault(job.position, time)

    def withdraw_late(self) -> None:
        """Withdraw the reservations that fell due before now: they could not be kept for lack of power.

        If no job runs, reservations due now are withdrawn, too: their nodes may need more power than others.
        """
        for position, time in [*self.reservations.items()]:
            if time < self.now or (time == self.now and self.power.is_capped and not self.running):
                self._withdraw(self._ledger_jobs[position])

    def earliest_start(self, job: Job) -> float:
        """Return the earliest start of `job` that delays no reservation of another job, in seconds."""
        job, profile = self.as_left(job), self._kept_nodes()
        reserved = self.reservations.get(job.position)
        if reserved is None:
            return profile.earliest_for(job)
        where, span = self._reserved_nodes[job.position], (reserved, reserved + job.planned_time)
        profile.give_where(job, where, *span)
        start = profile.earliest_for(job)
        profile.take_where(job, where, *span)
        # Its own room is free, though a placement that spreads evenly may need more than it takes.
        return min(start, max(reserved, self.now))

    def plan_end(self, job: Job, end: float) -> None:
        """Plan running `job` to end at `end`, later than planned so far; see `Cluster.plan_end`."""
        super().plan_end(job, end)
        self._reserved_nodes.clear()
        self._kept = None

    def availability(self) -> Profile:
        """Return a fresh profile of the running jobs alone."""
        return self._profile_of()

    def head_start(self, head: Job) -> Shadow:
        """Return when blocked `head` could start as planned; see `SystemView.head_start`."""
        return NodeShadow(self, head)

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[OneNode]:
        """Return the nodes that could hold `head`, or all if `small`; see `SystemView.by_node`."""
        room = NodeRoom(self, self.cores, self.memory)
        order = node_sequence(self.rules.placement, head, room).tolist()
        nodes = (OneNode(self, head, node) for node in order)
        return [node for node in nodes if small or node.could_hold]

    def shadow(self, size: int) -> tuple[float, int]:
        """Return when `size` cores in any nodes are planned to be free, and how many more."""
        free, shadow = self.free, self.now
        for end, position, _ in self.running:
            if free >= size and end > shadow:
                break
            free += sum(cores for cores, _ in self.held[position].values())
            shadow = end
        return shadow, free - size

    def _kept_nodes(self) -> NodeProfile:
        if self._kept is None:
            self._kept = self._profile_of(kept=True)
        self._kept.advance(self.now)
        return self._kept

    def _profile_of(self, *, kept: bool = False) -> NodeProfile:
        return NodeProfile(self, kept=kept)

    def _withdraw(self, job: Job) -> None:
        reserved = self.reservations.pop(job.position, None)
        job = self.as_left(job)
        if reserved is not None:
            where = self._reserved_nodes.pop(job.position)
            # A reservation that fell due between two cycles of one instant begins now at the earliest.
            self._kept_nodes().give_where(job, where, max(reserved, self.now), reserved + job.planned_time)
