"""Ledger: what all machines of one run share, and which numbered processors its jobs held."""

from __future__ import annotations

from array import array
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.ledger.attempt_lengths import work_done
from echelon.engine.ledger.course import Course
from echelon.engine.ledger.dispatches import Dispatches
from echelon.engine.ledger.prediction import Predictions
from echelon.engine.ledger.releases import Releases
from echelon.engine.queue.ranking import ranks
from echelon.engine.resources.capacity import Capacity
from echelon.engine.resources.closure_events import ClosureEvents
from echelon.model import NumberedHoldings, Schedule
from echelon.model.jobs.columns import read_only
from echelon.model.machines.reservations import begun_by
from echelon.model.schedules.kept_jobs import kept_positions, schedule_without

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.observer import Observer, Place
    from echelon.engine.resources.closures import Closure
    from echelon.model import Instance, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Order


class HeldRecord:
    """Which processors each job held during a run, from each start to the end of that attempt.

    Parameters
    ----------
    dispatches : Dispatches
        They know when each attempt began.
    """

    def __init__(self, dispatches: Dispatches) -> None:
        self._dispatches = dispatches
        self._job, self._site, self._counts, self._nodes = (array("i") for _ in range(4))
        self._start, self._end = array("d"), array("d")

    def keep(self, job: Job, now: float, nodes: IntColumn, site: int) -> None:
        """Keep which processors `job` held until now; nothing of an attempt of no length."""
        start = self._dispatches.last_start(job)
        if start is None or not start < now:
            return
        self._job.append(job.position)
        self._site.append(site)
        self._start.append(start)
        self._end.append(now)
        self._counts.append(len(nodes))
        self._nodes.frombytes(nodes.astype(np.intc).tobytes())

    def to_holdings(self, n_jobs: int) -> NumberedHoldings:
        """Return all that was kept, of a run of so many jobs, by job and start."""
        columns = [
            np.frombuffer(one, dtype=one.typecode) if len(one) else np.zeros(0, dtype=one.typecode)
            for one in (self._job, self._site, self._start, self._end, self._counts, self._nodes)
        ]
        return NumberedHoldings.by_job(n_jobs, *columns)


class Ledger:
    """The jobs of a run, the history of each, the observers, and the counts.

    Parameters
    ----------
    scenario : Scenario
        The run.

    Attributes
    ----------
    jobs : list of Job
        By position, as policies see them after their submission: with their planned times and release times.
    now : float
        Simulation time, in seconds, where several sites share it.
    capacity : Capacity
        When what its resources have goes down and comes back; by default never.
    held : HeldRecord, optional
        Which numbered processors each job held, where the machine changes.
    course : Course, optional
        What becomes of jobs that lose nodes, are canceled or have deadlines, where there may be some.
    joined : set of int
        Positions of the jobs that have been released, where there is a `course`.
    follows_plans : bool
        Whether each job runs for its planned time, which is known when it joins a site.
    """

    follows_plans = False

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.jobs: list[Job] = scenario.instance.jobs()
        self.dispatches = Dispatches(scenario.instance)
        self.predictions = Predictions(scenario) if scenario.learns else None
        self.observers: tuple[Observer, ...] = tuple(scenario.observers)
        self.ended = self.cycles = self.decisions = 0
        self.now = 0.0
        self.capacity = Capacity.of(scenario.changes)
        self.held: HeldRecord | None = None
        self.course: Course | None = None
        # Where the machine changes, the first start that was reserved for each job that had one.
        self.first_reserved: dict[int, float] | None = {} if scenario.machine_changes else None
        if scenario.machine_changes:
            self.held = HeldRecord(self.dispatches)
            self.course = Course(scenario, self.capacity, ClosureEvents(self.closures))
        self.joined: set[int] = set()
        self._first_submission: dict[int, float] = {}
        self._ranks: dict[int, list[int] | None] = {}
        self._orders: list[Order] = []

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        self.scenario = scenario
        self.jobs += scenario.instance.jobs(since=len(self.jobs))
        self.dispatches.grow(scenario.instance)
        self._ranks.clear()

    @cached_property
    def releases(self) -> Releases:
        """When jobs are released."""
        return Releases(self.scenario.instance)

    @cached_property
    def closures(self) -> tuple[Closure, ...]:
        """Drains, maintenance and reservations of all leaves."""
        if not self.scenario.changes.are_any:
            return ()
        from echelon.engine.resources.access import closures_of

        return closures_of(self.scenario.instance, self.scenario.changes)

    def ranks(self, order: Order) -> list[int] | None:
        """Return each job's rank in a queue of this order if it does not change with time; else None."""
        scenario = self.scenario
        self._orders.append(order)
        if scenario.ranks_late:
            return None
        # By identity, as a user's rule need not be hashable; the scenario holds its orders.
        if id(order) not in self._ranks:
            fixed = ranks(scenario.instance, order, scenario.seed)
            self._ranks[id(order)] = None if fixed is None else fixed.tolist()
        return self._ranks[id(order)]

    @cached_property
    def orders_change(self) -> bool:
        """Whether the order of some queue changes with time alone."""
        scenario = self.scenario
        return any(ranks(scenario.instance, order, scenario.seed) is None for order in self._orders)

    def announce(self, position: int, now: float) -> Job:
        """Return the job at `position`, which is submitted now, with its planned time."""
        job = self.jobs[position]
        if job.submit_time != now:
            job = job._replace(submit_time=now)
        if self.predictions is not None:
            job = self.predictions.plan_submission(job)
        self.jobs[position] = job
        return job

    def submit_again(self, position: int, now: float) -> Job:
        """Return the requeued job at `position` as if submitted now."""
        job = self.jobs[position]
        self._first_submission.setdefault(position, job.submit_time)
        self.jobs[position] = job = job._replace(submit_time=now)
        self.dispatches.note_resubmission(job)
        return job

    def waits_again(self, job: Job, place: Place, now: float) -> None:
        """Note that `job`, which ran at `place` until `now`, waits again; observers hear of it."""
        if self.predictions is not None:
            self.predictions.waits(job.position)
        for observer in self.observers:
            if (report := getattr(observer, "preempted", None)) is not None:
                report(now, job, place)

    def released_instance(self) -> Instance:
        """Return the instance with the actual submit times, after all submissions."""
        instance = self.scenario.instance
        if self.dispatches.cut:
            killed = instance.killed.copy()
            killed[[*self.dispatches.cut]] = True
            instance = replace(instance, killed=read_only(killed))
        if instance.dependencies is None:
            return instance
        first = self._first_submission
        return instance.release_at(np.array([first.get(job.position, job.submit_time) for job in self.jobs]))

    def schedule(self, site: IntColumn | None = None) -> Schedule:
        """Return the schedule, all jobs having ended; `site` is the site of each job."""
        dispatches = self.dispatches
        if self.course is not None:
            # A run of which no job ever started is refused here: what follows cannot describe it.
            kept_positions(self.scenario.instance, self.course.unstarted_jobs(dispatches.starts()))
        counts = {"events": 2 * len(self.jobs), "passes": self.cycles, "decisions": self.decisions}
        if dispatches.interrupted:
            counts["preemptions"] = dispatches.preemptions
        predicted = None
        if self.predictions is not None:
            counts["corrections"] = self.predictions.corrected
            predicted = self.predictions.at_submission
        released = self.released_instance()
        attempts = dispatches.attempts(released, site)
        return Schedule(released, dispatches.starts(), counts, predicted, attempts, site=site)

    @staticmethod
    def _without_overhead(schedule: Schedule, plain: Instance) -> Instance:
        """Return the instance with planned times without checkpoints, and the work of jobs as run times."""
        happened = schedule.instance
        kept = np.isin(plain.kept, happened.kept)
        run, planned = work_done(plain.run_time[kept], schedule.recorded), plain.planned_time[kept]
        return replace(happened, run_time=read_only(run), planned_time=read_only(planned))

    def finish_schedule(
        self, schedule: Schedule, rejected: Mapping[str, list[int]] = MappingProxyType({})
    ) -> Schedule:
        """Return the schedule of all jobs with what became of them, without those that never started.

        Parameters
        ----------
        schedule : Schedule
            Of all jobs, with everything else that happened.
        rejected : mapping of str to list of int, default none
            Positions of the jobs that queues rejected, by reason.
        """
        gone = dict(rejected)
        if self.course is not None:
            gone |= self.course.unstarted_jobs(schedule.start_time)
            schedule = self.with_changes(schedule)
        if not gone:
            return schedule
        return schedule_without(schedule, gone, interrupted=self.dispatches.interrupted)

    def _first_reservations_of(self, kept: IntColumn) -> FloatColumn | None:
        """Return the first start that was reserved for each of these jobs; None if none ever was."""
        if not self.first_reserved:
            return None
        return np.array([self.first_reserved.get(position, np.nan) for position in kept.tolist()])

    def with_changes(self, schedule: Schedule) -> Schedule:
        """Return the schedule, perhaps without some jobs, with what became of these and of the machine."""
        if (course := self.course) is None:
            return schedule
        if (lengths := self.dispatches.lengths) is not None:
            schedule = replace(schedule, instance=self._without_overhead(schedule, lengths.instance))
        kept = np.flatnonzero(np.isin(self.scenario.instance.kept, schedule.instance.kept))
        killed = np.zeros(len(self.jobs), dtype=np.bool_)
        killed[kept] = schedule.instance.killed
        changes = self.scenario.changes
        begun = np.flatnonzero(changes.outages.start <= course.last)
        return replace(
            schedule,
            status=course.statuses(killed)[kept],
            numbered=None if self.held is None else self.held.to_holdings(len(self.jobs)).take(kept),
            first_reserved=self._first_reservations_of(kept),
            outages=changes.outages.take(begun),
            reservations=begun_by(course.last, course.closures.kept_reservations(changes.reservations)),
        )
