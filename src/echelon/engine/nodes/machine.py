"""NodeMachine: one machine of nodes during a run: its cluster, its scheduler, its tasks."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NoReturn

from echelon.engine.cluster import Cluster
from echelon.engine.machine import Machine
from echelon.engine.nodes.nodes import Nodes
from echelon.engine.nodes.pace import Pace
from echelon.engine.nodes.record import ALONE, Numbers, Record
from echelon.engine.nodes.round_robin_group import RoundRobinGroup
from echelon.engine.nodes.running_group import RunningGroup
from echelon.engine.nodes.suspended_job import SuspendedJob, TaskLeft
from echelon.engine.observer import NO_SITE
from echelon.errors import InputError
from echelon.policies.capabilities import capabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.ledger import Ledger
    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.observer import Place
    from echelon.model import Hardware, Job, Schedule
    from echelon.policies.contract import Where


_MOST_NAMED = 20


class NodeMachine(Machine):
    """`Machine` with a node-level model, down to the tasks on the cores.

    A job ends when its last task does. A task of a sequential job releases its core when it ends, those of
    an MPI job, and under ``release="gang"`` of every job, all together when the job ends. Under
    ``estimates="kill"`` a job is cut when its planned time is over. Otherwise one that runs on at its planned
    end is from then on planned to end when it will at its present speed, and all reservations are made again.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    hardware : Hardware
        The nodes.
    rules : NodeRules
        What may run where, and how.
    record : Record, optional
        What happens on the nodes of the run; default: only these.
    numbers : Numbers, default those of one machine
        The numbers of the nodes among those of the run.
    place : Place, default one machine
        The site.
    """

    progress: Pace

    def __init__(
        self,
        ledger: Ledger,
        hardware: Hardware,
        rules: NodeRules,
        *,
        record: Record | None = None,
        numbers: Numbers = ALONE,
        place: Place = NO_SITE,
    ) -> None:
        instance = ledger.scenario.instance
        self.nodes = Nodes(hardware, rules, seed=ledger.scenario.seed, begin=instance.first_submission)
        cluster, progress = Cluster(ledger, self.nodes), Pace(hardware, rules)
        super().__init__(
            ledger, hardware.cores, place.name, cluster=cluster, site=place.site, progress=progress
        )
        self._numbers = numbers
        self._hardware = hardware
        self._fixed = rules.execution.fixed
        self._sharing = rules.sharing
        self.blur = progress.blur
        self.nodes.bandwidth_asked = progress.bandwidth_asked
        self._record = Record(len(instance)) if record is None else record
        # Whether every job runs exactly its run time from its start, and its planned time is not less.
        is_alike = self._fixed and self._sharing is None and not self.nodes.sleep.is_used
        self._exact = is_alike and instance.estimates != "request"
        self._has_predictions = self._exact and ledger.predictions is not None
        self._puts_off = not self._exact
        self._kills = instance.estimates == "kill" and not self._exact
        gang = rules.release == "gang"
        self._frees = [not gang and each for each in instance.frees_each_task]
        # What jobs that wait again need when they resume.
        self._suspended: dict[int, SuspendedJob] = {}
        if capabilities(self._scheduler).preempts:
            self.cluster.time_left = self._time_left
        self._processor_of = self._hardware.processor_of_core.tolist()
        self._node_of = self._hardware.node_of_core.tolist()
        self._speed_of = self._hardware.core_speed.tolist()
        self._refuse_too_hungry()

    def next_event(self, release: float) -> float:
        """See `System.next_event`; under a power cap jobs wait for nodes that are switched off, too."""
        return super().next_event(min(release, self._next_relief()))

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`: the jobs without remaining tasks; others give cores back."""
        now, by_dispatch = self.cluster.now, self._dispatches.serial.__getitem__
        ending, changed = self.progress.due(now), self.progress.changed
        if changed:
            self.nodes.forget()
        for position in sorted(changed.difference(ending), key=by_dispatch):
            self._give_back(self.ledger.jobs[position])
        self.has_changed = bool(changed or ending) or not self._only_pace(now)
        return [self.ledger.jobs[position] for position in sorted(ending, key=by_dispatch)]

    def _give_back(self, job: Job) -> None:
        """Release the cores of ended tasks of a job that continues, if it releases cores one by one."""
        if not self._frees[job.position]:
            return
        cores: list[int] = []
        for group in self.progress.groups(job.position):
            if not group.is_running and math.isnan(group.released):
                group.released = self.cluster.now
                cores += group.cores
                self.progress.give_back(group)
        self.cluster.release(job, cores)

    def end(self, job: Job) -> None:
        """End running `job` now."""
        now, position, dispatches = self.cluster.now, job.position, self._dispatches
        self._leave_cores(position, keep=True)
        start = dispatches.last_start(job)
        run_time = now - start if start is not None else 0.0
        if dispatches.is_interrupted(position):
            fixed = dispatches.run_time[position]
            run_time = fixed if self._exact else dispatches.progressed(position, now)
            self._record.ran(position, run_time)
        self._record.ended(position, now, cut=position in self.progress.cut)
        dispatches.ended_at(position, now)
        self._ended(job, run_time)

    def _leave_cores(self, position: int, *, keep: bool) -> None:
        """Let the tasks of a job leave their cores now, and keep a record of these, or none."""
        now, pace = self.cluster.now, self.progress
        for group in pace.groups(position):
            if group.is_running:
                pace.finish(group, now)
            if math.isnan(group.released):
                group.released = now
                pace.give_back(group)
            if keep:
                self._record.keep(group, self._numbers)
        pace.leave(position)

    def decide(self) -> None:
        """See `System.decide`."""
        cluster = self.cluster
        # Those that could not be kept for lack of power. Those due now that no end can help, too: their nodes
        # may need more power than others.
        cluster.withdraw_late(due=self.nodes.power.is_capped and not cluster.running)
        super().decide()

    def settle(self) -> None:
        """See `System.settle`."""
        self.progress.settle(self.cluster.now)

    def raise_deadlock(self) -> NoReturn:
        """Report that jobs can never start here, and whether the placement is the cause."""
        cluster = self.cluster
        if not cluster.running:
            self.nodes.places.check(map(cluster.as_left, cluster.waiting.jobs), cluster.now)
        super().raise_deadlock()

    def schedule(self) -> Schedule:
        """See `System.schedule`."""
        self.note_sleeps(self.cluster.now)
        return self._record.schedule(self.ledger.schedule())

    def note_sleeps(self, end: float) -> None:
        """Note when nodes were off in the run that ends at `end`, in seconds."""
        if self.nodes.sleep.is_used:
            first = self._numbers.node
            self._record.slept((first + node, *off) for node, off in self.nodes.sleep.log(end))

    def _start(self, job: Job, switch: float, where: Where | None) -> None:
        cluster, now = self.cluster, self.cluster.now
        suspended = self._suspended.pop(job.position, None)
        cluster.start(job, switch, where)
        assignment = self.nodes.assignments[job.position]
        begin = self.nodes.sleep.wake(assignment.where, now) + switch
        assert job.demand is not None
        tasks = self._all_tasks(job) if suspended is None else suspended.tasks
        cut = math.inf
        if self._kills:
            cut = cluster.planned_end(job) if suspended is None else now + switch + suspended.allowance
        groups = self._groups(job, tasks, assignment, (now, begin))
        self.progress.enter(job.position, groups, job.demand, cut=cut)
        self.progress.join(now)
        self._started(job)

    def _is_over(self, job: Job) -> bool:
        """Return whether all tasks of running `job` have ended, or it is to be cut now."""
        groups = self.progress.groups(job.position)
        return job.position in self.progress.cut or not any(group.is_running for group in groups)

    def _suspend(self, job: Job) -> None:
        """Take the cores of running `job`: each task keeps the operations that it has left."""
        if self._sharing is not None:
            rule = f"was preempted, but under {self._sharing.name} its tasks may share cores; use no sharing"
            self.cluster.refuse(job, rule)
        now, position, dispatches = self.cluster.now, job.position, self._dispatches
        progress, planned_left = max(0.0, now - self._begin(position)), self._time_left(job)
        frees = self._frees[position]
        tasks = [
            TaskLeft(group.group_index, group.left_at(now) if group.is_running else None)
            for group in self.progress.groups(position)
            for _ in range(0 if frees and not group.is_running else group.tasks)
        ]
        left = SuspendedJob.of(job, planned_left, tasks, self._allowance(position))
        self._leave_cores(position, keep=dispatches.last_start(job) != now)
        self._suspended[position] = left
        self.cluster.suspend(job, left=left.job, progress=progress)

    def _requeue(self, job: Job) -> None:
        """See `Machine._requeue`."""
        self._leave_cores(job.position, keep=self._dispatches.last_start(job) != self.cluster.now)
        super()._requeue(job)

    def _begin(self, position: int) -> float:
        """Return when the tasks of a running job began, or will begin, in seconds."""
        return self.progress.groups(position)[0].begin

    def _time_left(self, job: Job) -> float:
        """Return the planned time that running `job` has left, in seconds.

        With fixed run times its planned time less its progress; else the share of its longest task that is
        left, times its planned time. Never more than until its cut.
        """
        position, now = job.position, self.cluster.now
        assert job.demand is not None
        if self._fixed:
            left = self._dispatches.planned_left[position] - max(0.0, now - self._begin(position))
        else:
            most = max(group.left_at(now) for group in self.progress.groups(position))
            left = most / job.demand.operations * job.planned_time
        return min(max(0.0, left), self._allowance(position))

    def _allowance(self, position: int) -> float:
        """Return how long a running job may hold cores until its cut, apart from its switch, in seconds."""
        return self.progress.cut_at(position) - self._dispatches.paid(position, self.cluster.now)

    def _place_of(self, job: Job) -> Place:
        return self._site._replace(nodes=self.nodes.assignments[job.position].where)

    def _all_tasks(self, job: Job) -> list[TaskLeft]:
        """Return the tasks of a job that has not run yet, in order."""
        assert job.demand is not None
        # With a fixed run time, operations are its seconds.
        run_time = self._dispatches.run_time[job.position] if self._fixed else None
        return [
            TaskLeft(g, group.operations if run_time is None else run_time)
            for g, group in enumerate(job.demand.groups)
            for _ in range(group.tasks)
        ]

    def _groups(
        self, job: Job, tasks: Sequence[TaskLeft], assignment: CoreAssignment, times: tuple[float, float]
    ) -> list[RunningGroup]:
        """Deal the tasks of a job to its cores, in order, and group those that run alike."""
        gathered: dict[tuple[int, TaskLeft, float], list[int]] = defaultdict(list)
        count: dict[tuple[int, TaskLeft, float], int] = defaultdict(int)
        cores = len(assignment.cores)
        for index, task in enumerate(tasks):
            core = assignment.cores[index % cores]
            key = (self._processor_of[core], task, self._speed_of[core])
            if index < cores:
                gathered[key].append(core)
            count[key] += 1
        run_time, demand = self._dispatches.run_time[job.position], job.demand
        assert demand is not None
        groups: list[RunningGroup] = []
        for key, members in gathered.items():
            processor, (g, left), speed = key
            group, level = demand.groups[g], self._level(processor, assignment.level)
            clock = self._hardware.processors[processor].levels[level].clock
            operations, rate = (run_time, 1.0) if self._fixed else (group.operations, speed * clock)
            bandwidth = group.memory_volume / (operations / rate)
            common: dict[str, Any] = {
                "tasks": count[key], "operations": operations, "left": left, "speed": rate,
                "bandwidth": bandwidth, "times": times, "level": level,
            }  # fmt: skip
            part, place = (job.position, g), (processor, self._node_of[members[0]])
            if (turn := self._turn(count[key], len(members))) is None:
                groups.append(RunningGroup(part, place, sorted(members), **common))
            else:
                groups.append(RoundRobinGroup(part, place, sorted(members), quantum=turn, **common))
            if left is None:
                groups[-1].finish(times[0])
        return groups

    def _turn(self, tasks: int, cores: int) -> float | None:
        """Return how long a task runs before the next has its turn; None if none waits for one."""
        return None if self._sharing is None or tasks <= cores else self._sharing.turn(tasks, cores)

    def _level(self, processor: int, level: int) -> int:
        return min(level, len(self._hardware.processors[processor].levels) - 1)

    def _refuse_too_hungry(self) -> None:
        """Refuse, before anything happens, jobs that would exceed the power cap even alone."""
        nodes, cap = self.nodes, self.nodes.power.cap
        if not math.isfinite(cap):
            return
        alone = ((job, nodes.places.power_alone(job)) for job in self.ledger.jobs)
        over = [(job, power) for job, power in alone if power > cap]
        if over:
            named = self.cluster.scenario.instance.label
            shown = "; ".join(f"job {named(job.position)} {power:g} W" for job, power in over[:_MOST_NAMED])
            more = f"; and {len(over) - _MOST_NAMED} more" if len(over) > _MOST_NAMED else ""
            jobs = "1 job" if len(over) == 1 else f"{len(over)} jobs"
            raise InputError(
                f"{jobs} would exceed {cap:g} W even alone on the machine with all nodes on: {shown}{more}; "
                "raise the cap, or let a governor run jobs at a lower frequency level",
                field="power cap",
            )

    def _next_relief(self) -> float:
        """Return when a node is next switched off, for which jobs may wait under a power cap."""
        cluster = self.cluster
        if not (cluster.waiting and self.nodes.power.is_capped and self.nodes.sleep.is_used):
            return math.inf
        return self.nodes.sleep.next_off(cluster.now)

    def _only_pace(self, now: float) -> bool:
        """Return whether only a turn of tasks or a node that becomes ready causes this event."""
        cluster = self.cluster
        due = any(time == now for time in cluster.reservations.values())
        late = bool(cluster.running) and cluster.running[0].planned_end <= now
        woken = bool(cluster.wakes) and cluster.wakes[0] <= now
        return not (due or late or woken or self.nodes.power.is_capped)
