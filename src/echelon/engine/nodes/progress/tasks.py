"""Tasks: how jobs progress on nodes: tasks on cores, which may give these back one by one, or wait again."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.engine.nodes.progress.running_group import RoundRobinGroup, RunningGroup
from echelon.engine.nodes.progress.task_rates import TaskRates
from echelon.engine.progress.progress_model import ProgressModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.ledger.attempt_lengths import AttemptLengths
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.nodes.progress.record import Numbers, Record
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Demand, Hardware, Job


class TaskLeft(NamedTuple):
    """A task of a job that starts or resumes.

    Attributes
    ----------
    group : int
        Index of its group in the demand of the job.
    operations : float or None
        Operations left; None of a task that has ended, but whose core the job holds to its own end.
    """

    group: int
    operations: float | None


class SuspendedJob(NamedTuple):
    """A job that waits again, as its placement sees it, and its tasks.

    Attributes
    ----------
    job : Job
        With the planned time and the tasks that it has left: a task whose core was given back when it ended
        does not get one again.
    tasks : tuple of TaskLeft
        In the order in which they are dealt to the cores: by group, then the most operations left first.
    allowance : float
        How long it may hold cores until it is cut, in seconds; infinity if it is not.
    """

    job: Job
    tasks: tuple[TaskLeft, ...]
    allowance: float = math.inf

    @classmethod
    def of(
        cls, job: Job, demand: Demand, planned_left: float, tasks: Iterable[TaskLeft], allowance: float
    ) -> SuspendedJob:
        """Return `job` with these tasks, in any order; of those that gave their cores back there are none."""
        dealt = tuple(sorted(tasks, key=_turn))
        numbers = [sum(task.group == g for task in dealt) for g in range(len(demand.groups))]
        if len(dealt) < demand.tasks:
            # Each task keeps the memory of the largest, even if that has ended.
            groups = tuple(
                group._replace(tasks=number, memory=demand.memory)
                for group, number in zip(demand.groups, numbers, strict=True)
                if number
            )
            demand = demand._replace(groups=groups)
        left = job._replace(processors=len(dealt), planned_time=planned_left, demand=demand)
        return cls(left, dealt, allowance)


def _turn(task: TaskLeft) -> tuple[int, float]:
    return task.group, math.inf if task.operations is None else -task.operations


class Tasks(ProgressModel):
    """The tasks of running jobs.

    A job ends when its last task does. A task of a sequential job releases its core when it ends, those of
    an MPI job, and under ``release="gang"`` of every job, all together when the job ends. Under
    ``estimates="kill"`` a job is cut when its planned time is over.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    cluster : Cluster
        The jobs on the nodes.
    nodes : Nodes
        What they hold.
    hardware : Hardware
        The nodes.
    rules : NodeRules
        What may run where, and how.
    record : Record
        What happens on the nodes of the run.
    numbers : Numbers
        The numbers of the nodes among those of the run.

    Attributes
    ----------
    pace : TaskRates
        How fast tasks run beside each other.
    keeps_run_times : bool
        Whether every job runs exactly its run time from its start.
    is_exact : bool
        Whether its planned time, too, is not less.
    """

    def __init__(
        self,
        ledger: Ledger,
        cluster: Cluster,
        nodes: Nodes,
        hardware: Hardware,
        rules: NodeRules,
        *,
        record: Record,
        numbers: Numbers,
    ) -> None:
        instance = ledger.scenario.instance
        self._cluster, self._nodes, self._hardware = cluster, nodes, hardware
        self._jobs, self._dispatches = ledger.jobs, ledger.dispatches
        # By position: on nodes every job has one.
        self._demands = [job.demand for job in ledger.jobs if job.demand is not None]
        self._record, self._numbers = record, numbers
        self.pace = TaskRates(hardware, rules)
        self.blur = self.pace.blur
        nodes.bandwidth_asked = self.pace.bandwidth_asked
        self._fixed, self._sharing = rules.execution.fixed, rules.sharing
        self.keeps_run_times = rules.keeps_run_times and not nodes.sleep.is_used
        self.is_exact = self.keeps_run_times and instance.estimates != "request"
        self._kills = instance.estimates == "kill" and not self.is_exact
        self._limit = instance.planned_time
        gang = rules.release == "gang"
        self._frees = [not gang and each for each in instance.frees_each_task]
        # What jobs that wait again need when they resume.
        self._suspended: dict[int, SuspendedJob] = {}
        self._processor_of = hardware.processor_of_core.tolist()
        self._node_of = hardware.node_of_core.tolist()
        self._speed_of = hardware.core_speed.tolist()

    def start(self, job: Job, end: float, switch: float) -> None:
        """See `ProgressModel.start`: deal the tasks to the cores that the job holds."""
        nodes, now, position = self._nodes, self._cluster.now, job.position
        suspended = self._suspended.pop(position, None)
        assignment = nodes.assignments[position]
        begin = nodes.sleep.wake(assignment.where, now) + switch
        tasks = self._all_tasks(job) if suspended is None else suspended.tasks
        cut = math.inf
        if self._kills:
            cut = now + switch + (self._longest(job) if suspended is None else suspended.allowance)
        groups = self._groups(job, tasks, assignment, (now, begin))
        self.pace.enter(position, groups, self._demands[position], cut=cut)
        self.pace.join(now)

    def _longest(self, job: Job) -> float:
        """Return how long `job`, which starts, may hold cores until it is cut, in seconds.

        It is cut at its planned end by its limit, whatever an estimator has predicted.
        """
        limit, lengths = float(self._limit[job.position]), self._dispatches.lengths
        limit = limit if lengths is None else lengths.limit(job.position, limit)
        job, nodes = job._replace(planned_time=limit), self._nodes
        if not nodes.stretches:
            return job.planned_time
        return nodes.planned_time_on(job, nodes.assignments[job.position])

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`."""
        return self.pace.next_time(other, planned)

    def jobs_due(self, now: float) -> list[int]:
        """See `ProgressModel.jobs_due` in order of dispatch; tasks that end give back cores, too."""
        by_dispatch = self._dispatches.serial.__getitem__
        ending, changed = self.pace.jobs_due(now), self.pace.changed
        if changed:
            self._nodes.forget()
        for position in sorted(changed.difference(ending), key=by_dispatch):
            self._give_back(self._jobs[position])
        return sorted(ending, key=by_dispatch)

    def _give_back(self, job: Job) -> None:
        """Release the cores of ended tasks of a job that continues, if it releases cores one by one."""
        if not self._frees[job.position]:
            return
        cores: list[int] = []
        for group in self.pace.groups(job.position):
            if not group.is_running and math.isnan(group.released):
                group.released = self._cluster.now
                cores += group.cores
                self.pace.give_back(group)
        self._cluster.release(job, cores)

    def settle(self, now: float) -> None:
        """See `ProgressModel.settle`."""
        self.pace.settle(now)

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`."""
        return self.pace.outlook(position)

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`: whether all its tasks have ended, or it is to be cut now."""
        groups = self.pace.groups(position)
        return position in self.pace.cut or not any(group.is_running for group in groups)

    def end(self, job: Job, now: float) -> float:
        """See `ProgressModel.end`."""
        position, dispatches = job.position, self._dispatches
        self._leave_cores(position, now, keep=True)
        start = dispatches.last_start(job)
        run_time = now - start if start is not None else 0.0
        if dispatches.is_interrupted(position):
            fixed = dispatches.run_time[position]
            run_time = fixed if self.is_exact else dispatches.progress_of(position, now)
            self._record.note_run_time(position, run_time)
        self._record.note_end(position, now, cut=position in self.pace.cut)
        dispatches.note_actual_end(position, now)
        return run_time

    def suspend(self, job: Job, now: float) -> tuple[Job | None, float | None]:
        """See `ProgressModel.suspend`: each task keeps the operations that it has left."""
        if self._sharing is not None:
            rule = f"was preempted, but under {self._sharing.name} its tasks may share cores; use no sharing"
            self._cluster.refuse(job, rule)
        position, dispatches = job.position, self._dispatches
        progress, planned_left = max(0.0, now - self._begin(position)), self.time_left(job)
        frees = self._frees[position]
        tasks = [
            TaskLeft(group.group_index, group.left_at(now) if group.is_running else None)
            for group in self.pace.groups(position)
            for _ in range(0 if frees and not group.is_running else group.tasks)
        ]
        left = self._suspended[position] = SuspendedJob.of(
            job, self._demands[position], planned_left, tasks, self._holding_allowance(position)
        )
        self._leave_cores(position, now, keep=dispatches.last_start(job) != now)
        return left.job, progress

    def abandon(self, job: Job, now: float) -> float | None:
        """See `ProgressModel.abandon`: by its longest task."""
        lengths = self._dispatches.lengths
        progress = None if lengths is None else self._progress(job.position, lengths)
        self._leave_cores(job.position, now, keep=self._dispatches.last_start(job) != now)
        return progress

    def _progress(self, position: int, lengths: AttemptLengths) -> float:
        """Return what a running job has done since it last lost its work, in seconds of its run time."""
        now = self._cluster.now
        most = max(group.left_at(now) for group in self.pace.groups(position) if group.is_running)
        # With fixed run times operations are seconds.
        each = 1.0 if self._fixed else lengths.work(position) / self._demands[position].operations
        return max(0.0, self._dispatches.run_time[position] - most * each)

    def _stretch(self, position: int) -> float:
        """Return how much more than its work a job does in an attempt, by checkpoints, or what is left."""
        lengths = self._dispatches.lengths
        return 1.0 if lengths is None else self._dispatches.run_time[position] / lengths.work(position)

    def _leave_cores(self, position: int, now: float, *, keep: bool) -> None:
        """Let the tasks of a job leave their cores now, and keep a record of these, or none."""
        pace = self.pace
        for group in pace.groups(position):
            if group.is_running:
                pace.finish(group, now)
            if math.isnan(group.released):
                group.released = now
                pace.give_back(group)
            if keep:
                self._record.keep(group, self._numbers)
        pace.leave(position)

    def _begin(self, position: int) -> float:
        """Return when the tasks of a running job began, or will begin, in seconds."""
        return self.pace.groups(position)[0].begin

    def time_left(self, job: Job) -> float:
        """Return the planned time that running `job` has left, in seconds.

        With fixed run times its planned time less its progress; else the share of its longest task that is
        left, times its planned time. Never more than until its cut.
        """
        position, now = job.position, self._cluster.now
        if self._fixed:
            left = self._dispatches.planned_left[position] - max(0.0, now - self._begin(position))
        else:
            most = max(group.left_at(now) for group in self.pace.groups(position))
            planned, lengths = job.planned_time, self._dispatches.lengths
            planned = planned if lengths is None else lengths.limit(position, planned)
            left = most / (self._demands[position].operations * self._stretch(position)) * planned
        return min(max(0.0, left), self._holding_allowance(position))

    def _holding_allowance(self, position: int) -> float:
        """Return how long a running job may hold cores until its cut, apart from its switch, in seconds."""
        return self.pace.cut_at(position) - self._dispatches.pay_time(position, self._cluster.now)

    def _all_tasks(self, job: Job) -> list[TaskLeft]:
        """Return the tasks of a job that has not run yet, in order."""
        # With a fixed run time, operations are its seconds.
        run_time = self._dispatches.run_time[job.position] if self._fixed else None
        stretch = self._stretch(job.position)
        return [
            TaskLeft(g, group.operations * stretch if run_time is None else run_time)
            for g, group in enumerate(self._demands[job.position].groups)
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
        run_time, demand = self._dispatches.run_time[job.position], self._demands[job.position]
        groups: list[RunningGroup] = []
        for key, members in gathered.items():
            processor, (g, left), speed = key
            group, levels = demand.groups[g], self._hardware.processors[processor].levels
            level = min(assignment.level, len(levels) - 1)
            rate = 1.0 if self._fixed else speed * levels[level].clock
            operations = run_time if self._fixed else group.operations
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
