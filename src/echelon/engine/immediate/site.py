"""TimeSharedSite: one time-shared machine of a run: every job starts as soon as it joins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.immediate.closing import Closing, Return
from echelon.engine.immediate.machine import TimeSharedMachine, Work
from echelon.engine.ledger.observer import Place
from echelon.engine.resources.capacity import Outage
from echelon.engine.resources.closure_events import ClosureEvent
from echelon.engine.tree.leaf import Leaf
from echelon.engine.tree.views.member import FrozenLeaf
from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.engine.immediate.accounting import RecentJobs
    from echelon.engine.immediate.machines import MachineParts
    from echelon.engine.immediate.monitoring import Daemon
    from echelon.engine.resources.closures import Closure
    from echelon.engine.resources.resource import Resource
    from echelon.model import Job


class Copy(NamedTuple):
    """One copy of a job at a site: its start, and the computing time of its processes, in seconds.

    The latter is known when it has ended.
    """

    job: Job
    site: int
    start: float
    computed: float = math.nan


class Outlook(NamedTuple):
    """What plans are made with.

    Attributes
    ----------
    now : float
        When they are made, in seconds.
    start : Return
        When the next job may start, and with how many cores.
    stranded : tuple of Job
        The jobs that wait for that.
    """

    now: float
    start: Return
    stranded: tuple[Job, ...] = ()


class TimeSharedSite(Leaf):
    """A time-shared machine: its cores, the jobs on it, and the load that it publishes.

    Parameters
    ----------
    parts : MachineParts
        What the time-shared machines of a run share.
    index : int
        Its index in the platform.
    name : str
        Its name.
    cores : int
        At least 1.
    speed : float
        Of a core.
    monitored : pair of Daemon and RecentJobs
        What it publishes, and the jobs that its last publications do not reflect.

    Attributes
    ----------
    running : dict of int to Copy
        Copies that run here, by the job's position.
    on_capacity : callable (sequence of Job, int) -> None, optional
        If set, the controller above dispatches copies again that are lost here: called when cores go down or
        come back, with the jobs that lose a copy and the index.
    on_stop : callable (Job) -> None, optional
        If set, the controller above may have copied jobs: called to take all copies of one away.
    """

    on_stop: Callable[[Job], None] | None = None
    on_capacity: Callable[[Sequence[Job], int], None] | None = None
    blur = TimeSharedMachine.blur
    has_queue = False
    predicts_starts = True
    counts_its_jobs = True

    def __init__(
        self,
        parts: MachineParts,
        index: int,
        name: str,
        cores: int,
        speed: float,
        *,
        monitored: tuple[Daemon, RecentJobs],
    ) -> None:
        self.ledger = parts.ledger
        self.above = []
        self._predictions = parts.ledger.predictions
        self.machine = TimeSharedMachine(cores, puts_off=self._predictions is not None)
        self.resource: Resource = self.machine
        self.speed = speed
        self.index, self.place = index, Place(index, name)
        self.running: dict[int, Copy] = {}
        self._computing, self._record, self._cpu_times = parts.computing, parts.record, parts.cpu_times
        self.daemon, self._recent = monitored
        self._done: dict[int, Copy] = {}
        # The planned times of jobs that have outlived a prediction.
        self._put_off: dict[int, float] = {}
        self.closing = Closing(self.machine)
        # Jobs that came, or lost all, while it took none.
        self._stranded: list[Job] = []
        # What copies that were lost had done, in seconds of the jobs' run times.
        self._progress: dict[int, float] = {}
        self._plan: tuple[Planned, ...] | None = None

    @property
    def processors(self) -> int:
        """See `Leaf.processors`."""
        return self.machine.processors

    @property
    def free(self) -> int:
        """See `Leaf.free`: the cores that would idle if its processes only computed."""
        return self.machine.free

    @property
    def in_service(self) -> int:
        """See `Leaf.in_service`: cores without those that drains and maintenance are to take."""
        return self.machine.cores if self.closing.is_open else 0

    def serves(self, job: Job) -> bool:
        """See `Leaf.serves`: jobs share the cores that are left."""
        return self.closing.is_open

    @property
    def running_jobs(self) -> int:
        """See `Leaf.running_jobs`."""
        return len(self.running)

    @property
    def waiting(self) -> Sequence[Job]:
        """See `Leaf.waiting`: while no job may start."""
        return tuple(self._stranded)

    @property
    def running_now(self) -> list[Job]:
        """See `Leaf.running_now`: in the order of their starts."""
        return [copy.job for copy in self.running.values()]

    def starts_at_once(self, job: Job) -> bool:
        """See `Leaf.starts_at_once`: every job does, unless none may start."""
        return self.closing.is_open

    def next_event(self, release: float) -> float:
        """See `System.next_event`: when the next job ends, or reaches its predicted end, as things are."""
        if self._predictions is None:
            return self.machine.next_time(release)
        return self.machine.next_time(release, (self.machine.next_planned(),))

    def begin(self, now: float) -> None:
        """See `System.begin`."""

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`; the copies that are complete or cut have left the machine."""
        due = self.machine.jobs_due(self.ledger.now)
        for position in due:
            computed = self.machine.cut.get(position, self._computing.work(position) / self.speed)
            self._done[position] = self._remove_copy(position)._replace(computed=computed)
        self._note_change()
        return [self._done[position].job for position in due]

    def correct(self) -> bool:
        """See `System.correct`: jobs that have outlived a prediction are planned to take longer."""
        if self._predictions is None:
            return False
        late = self.machine.late_jobs(self.ledger.now)
        for position in late:
            before = self._put_off.get(position, self.running[position].job.planned_time)
            planned = self._put_off[position] = self._predictions.correct(position, 0.0, before)
            self.machine.put_off(position, self._computing.planned_time_alone(position, planned, self.speed))
        self._plan = None if late else self._plan
        return bool(late)

    def is_cut(self, job: Job) -> bool:
        """Return whether the copy of `job` that ends here now is cut at its request."""
        return job.position in self.machine.cut

    def end(self, job: Job) -> None:
        """See `System.end`: the copy here has completed the job, or was cut as its last."""
        now, copy = self.ledger.now, self._done.pop(job.position)
        self.ledger.dispatches.note_end(job.position)
        self.ledger.dispatches.note_actual_end(job.position, now)
        self.ledger.ended += 1
        self._record.note_end(copy, now, cut=job.position in self.machine.cut)
        if self._predictions is not None:
            self._predictions.note_end(job.position, now, self._time_alone(copy))
        for statistics, branch in self.above:
            statistics.sites[branch].past.append(Planned(job, copy.start, now))
        self._cpu_times.observe(job.executable, self.index, copy.computed)
        for observer in self.ledger.observers:
            observer.ended(now, job, self.place)

    def too_late(self, job: Job) -> None:
        """Note that the copy of `job` that ends here now is not the one that completes the job."""
        self.machine.cut.pop(job.position, None)
        self._record.note_cancellation(self._done.pop(job.position), self.ledger.now)

    def cancel(self, job: Job) -> None:
        """Cancel the copy of `job` here now."""
        if job.position not in self.running:
            self.withdraw(job)
            for statistics, branch in self.above:
                statistics.leave(job, branch)
            return
        computed = self.machine.give(job, self.ledger.now)
        copy = self._remove_copy(job.position)
        self._note_change()
        self._record.note_cancellation(copy._replace(computed=computed), self.ledger.now)

    def withdraw(self, job: Job) -> None:
        """See `Leaf.withdraw`: `job` waits while no job may start."""
        self._stranded = [other for other in self._stranded if other.position != job.position]

    def join(self, job: Job) -> None:
        """See `System.join`."""
        for observer in self.ledger.observers:
            observer.submitted(self.ledger.now, job, self.place)
        self.enter(job)

    def enter(self, job: Job) -> None:
        """See `Leaf.enter`: a copy of `job` starts; observers receive the start of the first."""
        if not self.closing.is_open:
            self._stranded.append(job)
            self._plan = None
            return
        now, position, ledger = self.ledger.now, job.position, self.ledger
        if ledger.follows_plans:
            self._computing.follow_plan(job)
        self.machine.take(job, self._work(job, self._computing.time_alone(position, self.speed)), now)
        self.running[position] = Copy(job, self.index, now)
        self._recent.note_start(now, job.processors)
        self._note_change()
        ledger.decisions += 1
        if not ledger.dispatches.serial[position]:
            ledger.dispatches.planned_left[position] = job.planned_time
            ledger.dispatches.dispatch(job, now, 0.0)
            if self._predictions is not None:
                self._predictions.note_start(position)
            for observer in ledger.observers:
                observer.started(now, job, self.place)
            for started in self.on_start:
                started(job, self.index)

    def _time_alone(self, copy: Copy) -> float:
        """Return the time that a job which has ended would have taken alone on cores of speed 1, in seconds.

        Of one that was cut the part that it has got of that.
        """
        position = copy.job.position
        whole = self._computing.planned_time_alone(position, 1.0, self.speed)
        if position not in self.machine.cut:
            return self._computing.run_time(position)
        return copy.computed / self._computing.demand(position, self.speed) / whole

    def _work(self, job: Job, alone: float) -> Work:
        """Return what `job` does here if it takes so many seconds alone."""
        position = job.position
        return Work(
            self._computing.demand(position, self.speed),
            alone,
            self.execution_time(job),
            self._computing.longest_run(position),
        )

    def expect(self, outage: Outage) -> None:
        """See `System.expect`: plans are for when a core is expected back."""
        self._plan = None

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """See `System.change_capacity`: fewer cores are shared; while there are none, jobs wait for them."""
        now, dispatches = self.ledger.now, self.ledger.dispatches
        latest = sorted(self.running, key=lambda position: -dispatches.serial[position])
        lost = self.machine.holders(outage, lambda: [self.running[at].job for at in latest]) if down else []
        for job in lost:
            self._lose(job)
        self.machine.change(outage, now, down=down)
        self._note_change(lost, again=not down)

    def change_closure(self, event: ClosureEvent, closure: Closure) -> Sequence[Job]:
        """See `System.change_closure`: no job can be kept out, so what is closed goes down.

        Maintenance that takes all cores at once does so as a failure, and jobs wait again: no queue has kept
        out those that it would evict elsewhere. Other closures of all cores begin with the end of the last
        job.
        """
        if event not in (ClosureEvent.BEGINS, ClosureEvent.ENDS):
            return ()
        cores, now = len(closure.nodes), self.ledger.now
        gone = Outage(closure.start, closure.end, closure.nodes, cores, self.index, closure.number)
        begins = event == ClosureEvent.BEGINS
        if closure.evicts:
            self.change_capacity(gone, down=begins)
        elif begins:
            self.closing.begin(gone, now)
            self._note_change(())
        else:
            self.closing.end(gone, now)
            self._note_change((), again=True)
        return ()

    def _lose(self, job: Job) -> None:
        """Take from running `job` what it holds here, so that it waits again."""
        computed = self.machine.give(job, self.ledger.now)
        copy, position = self._remove_copy(job.position), job.position
        if self.ledger.dispatches.lengths is not None:
            whole = self._computing.planned_time_alone(position, 1.0, self.speed)
            self._progress[position] = computed / self._computing.demand(position, self.speed) / whole
        self._record.note_loss(copy._replace(computed=computed), self.ledger.now)
        if self.on_capacity is not None:
            return
        # It waits here, and counts as it did.
        for statistics, branch in self.above:
            statistics.join(job, branch)
        self._stranded.append(job)
        self.requeue(job)

    @property
    def is_whole(self) -> bool:
        """See `System.is_whole`."""
        return self.closing.is_open and self.machine.cores == self.machine.processors

    def has_waiting(self, job: Job) -> bool:
        """See `Leaf.has_waiting`: only while no job may start."""
        return any(other.position == job.position for other in self._stranded)

    def hold(self, job: Job) -> bool:
        """See `System.hold`."""
        self.withdraw(job)
        return False

    def rejoin(self, job: Job, *, is_away: bool) -> None:
        """See `System.rejoin`: it counts as it did."""
        self.enter(job)

    def stop(self, job: Job) -> None:
        """See `System.stop`: with all copies, if a dispatcher may make some."""
        if self.on_stop is not None:
            self.on_stop(job)
        else:
            self._lose(job)

    def lose(self, job: Job) -> None:
        """Take from running `job` what its copy here holds."""
        self._lose(job)
        self._note_change()

    def requeue(self, job: Job) -> None:
        """Note that `job`, which ran here and nowhere else, begins again later, and tell observers."""
        now, dispatches, position = self.ledger.now, self.ledger.dispatches, job.position
        dispatches.requeue(job, now, self._progress.pop(position, None))
        if dispatches.lengths is not None:
            self._computing.plan_attempt(position, dispatches.run_time[position])
        self.ledger.waits_again(job, self.place, now)

    def decide(self) -> None:
        """See `System.decide`: no local scheduler decides."""

    def check_done(self) -> None:
        """See `System.check_done`: no job waits here."""

    def load(self) -> float:
        """See `Leaf.load`: the load average that it published last."""
        return self.daemon.last_average(self.ledger.now)

    def estimated_load(self) -> float:
        """See `Leaf.estimated_load`: corrected for recent starts and ends."""
        return self._recent.estimated_load(self.load(), self.ledger.now)

    def cpu_time(self, job: Job) -> float | None:
        """See `Leaf.cpu_time`."""
        return self._cpu_times.mean(job.executable, self.index)

    def execution_time(self, job: Job) -> float:
        """See `Leaf.execution_time`."""
        return self._computing.planned_time_alone(job.position, job.planned_time, self.speed)

    def ready_time(self) -> float:
        """See `Leaf.ready_time`; infinity if it is not known when jobs may start again."""
        now, machine = self.ledger.now, self.machine
        if self.closing.is_open:
            return now + machine.planned_work(now) / machine.cores
        back, left = self.closing.back(now), 0.0
        if back.time == math.inf:
            return math.inf
        if len(machine):
            left = machine.planned_work(now) / machine.cores
        work = sum(
            job.processors * self._computing.demand(job.position, self.speed) * self.execution_time(job)
            for job in self._stranded
        )
        return max(now + left, back.time) + work / back.cores

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """Return the ends of the jobs here if each takes its planned time and no further job arrives.

        By end, then position; then `job`, if it began now. Cost: O(n log n) of n jobs of one kind here, or
        O(1) if nothing has changed since the last call without a job. A job that runs on beyond its planned
        end is planned to end when it will at its present speed.
        """
        if job is not None and job.position not in self.running and not self.has_waiting(job):
            return self._plan_jobs(job, self.machine, self.running, self._outlook())
        if not self._plan or self._plan[0].end <= self.ledger.now:
            self._plan = tuple(self._plan_jobs(None, self.machine, self.running, self._outlook()))
        return list(self._plan)

    def freeze(self) -> FrozenLeaf:
        """See `Leaf.freeze`."""
        running, outlook = dict(self.running), self._outlook()
        machine, is_open = self.machine.by_plan(outlook.now), self.closing.is_open

        def serves(_: Job) -> bool:
            return is_open

        return FrozenLeaf(self, lambda job: self._plan_jobs(job, machine, running, outlook), serves, serves)

    def _outlook(self) -> Outlook:
        """Return when jobs may start, as known now."""
        now = self.ledger.now
        if self.closing.is_open:
            return Outlook(now, Return(now, self.machine.cores))
        return Outlook(now, self.closing.back(now), tuple(self._stranded))

    def _plan_jobs(
        self, job: Job | None, machine: TimeSharedMachine, running: Mapping[int, Copy], outlook: Outlook
    ) -> list[Planned]:
        """Return the jobs that run on `machine`, or wait for it, by planned end; then `job`, if it comes."""
        (now, (start, cores), stranded) = outlook
        twin, ends = machine.by_plan(now), dict[int, float]()
        new = stranded if job is None else (*stranded, job)
        if new and start < math.inf:
            twin.run(ends, start)
            twin.cores = cores
            for one in new:
                twin.take(one, self._work(one, self.execution_time(one)), start)
        twin.run(ends, math.inf)
        plan = [Planned(copy.job, copy.start, ends[copy.job.position]) for copy in running.values()]
        coming = [Planned(one, start, ends.get(one.position, math.inf)) for one in new]
        if job is None:
            return sorted((*plan, *coming), key=lambda one: (one.end, one.job.position))
        return [*sorted((*plan, *coming[:-1]), key=lambda one: (one.end, one.job.position)), coming[-1]]

    def _remove_copy(self, position: int) -> Copy:
        copy = self.running.pop(position)
        self._put_off.pop(position, None)
        self._recent.note_end(copy.start, self.ledger.now, copy.job.processors)
        for statistics, branch in self.above:
            statistics.leave(copy.job, branch)
        return copy

    def _note_change(self, lost: Sequence[Job] | None = None, *, again: bool = False) -> None:
        """Note a change: of the cores, with the jobs that `lost` what they held, or of what runs.

        Jobs that wait are tried `again` where cores are back.
        """
        self.closing.settle(self.ledger.now)
        self.daemon.history.change(self.ledger.now, self.machine.load)
        self._plan = None
        if again and self.closing.is_open:
            stranded, self._stranded = sorted(self._stranded, key=lambda job: job.position), []
            for job in stranded:
                self.enter(job)
        if lost is not None and self.on_capacity is not None:
            self.on_capacity(lost, self.index)
