"""DynamicPhases: the order of one instant where machines and jobs change: outages, requeues, deadlines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.clock.phases import Phases
from echelon.errors import InputError
from echelon.model import EndReason, JobStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.engine.ledger.course import Course
    from echelon.engine.ledger.releases import Releases
    from echelon.engine.system import System
    from echelon.model import Job


class DynamicPhases(Phases):
    """All phases of `echelon.engine.clock.phases`, with one DECIDE, and one more after each EXPIRE.

    Parameters
    ----------
    system, releases
        See `Phases`.
    course : Course
        What else happens to jobs, and when.
    """

    def __init__(self, system: System, releases: Releases, course: Course) -> None:
        super().__init__(system, releases, course.capacity)
        self._course, self._ledger = course, system.ledger

    def order(self, cycles: str) -> Callable[[list[Job]], None]:
        """See `Phases.order`."""
        if cycles != "instant":
            raise InputError(
                "is 'instant' where machines change, jobs are canceled or have deadlines; "
                f"got {cycles!r}", field="cycles",
            )  # fmt: skip
        return self._run_instant

    def _run_instant(self, ending: list[Job]) -> None:
        system, self._course.last = self._system, self.now
        for job in ending:
            self._end(job)
            self._course.note_end(job.position)
        overdue = self._cut()
        if self._corrects:
            system.correct()
        self._change_capacity()
        if self._changes:
            system.change()
        self._requeue()
        self._cancel(overdue)
        self._join()
        if self._rejects and self._leave():
            self._join()
        self._shrink()
        system.decide()
        while self._expire():
            self._join()
            self._shrink()
            system.decide()
        if self._settles:
            system.settle()

    def _change_capacity(self) -> None:
        """Let what was expected back stay down, then what is due come back, then go down with its jobs."""
        system, capacity = self._system, self._capacity
        if capacity.next_time > self.now:
            return
        for outage in capacity.take_late(self.now):
            system.expect(outage)
        for _, down, outage in capacity.take(self.now):
            system.change_capacity(outage, down=down)
            if down:
                self._note_losses()

    def _note_losses(self) -> None:
        """Decide what becomes of the jobs that have just lost a node: by now they wait again."""
        course, dispatches = self._course, self._ledger.dispatches
        for position in dispatches.take_lost():
            if dispatches.run_left[position] <= 0:
                # Its attempts have used up its limit.
                dispatches.finish(position, EndReason.KILLED)
                self._withdraw(position, JobStatus.KILLED)
            elif not course.may_run_again(position):
                dispatches.finish(position, EndReason.FAILED)
                self._withdraw(position, JobStatus.FAILED_NODE)
            elif course.delay or course.submits_again:
                is_away = self._system.hold(self._ledger.jobs[position])
                course.requeue(position, self.now, is_away=is_away)
            elif (status := self._refusal_of(self._with_planned_time(position))) is not None:
                self._withdraw(position, status)

    def _requeue(self) -> None:
        for position in self._course.take_again(self.now):
            is_away = self._course.delayed.pop(position)
            job = self._ledger.jobs[position]
            if self._course.submits_again:
                job = self._ledger.submit_again(position, self.now)
            if (status := self._refusal_of(self._with_planned_time(position))) is not None:
                self._system.forget(job, is_away=is_away)
                self._ends(position, status)
            else:
                self._system.rejoin(job, is_away=is_away)

    def _cut(self) -> list[int]:
        """Let the jobs end that run at their deadlines; return the others whose deadlines are now."""
        waiting = []
        for position in self._course.take_deadlines(self.now):
            if self._system.runs(self._ledger.jobs[position]):
                self._stop(position, EndReason.DEADLINE, JobStatus.DEADLINE, JobStatus.DEADLINE)
            else:
                waiting.append(position)
        return waiting

    def _cancel(self, overdue: list[int]) -> None:
        """Let jobs end that are canceled, then those that wait at their deadlines."""
        course = self._course
        for position in course.take_cancels(self.now):
            self._stop(position, EndReason.STOPPED, JobStatus.CANCELED_RUNNING, JobStatus.CANCELED_WAITING)
        for position in overdue:
            if not course.has_ended(position):
                self._stop(position, EndReason.DEADLINE, JobStatus.DEADLINE, JobStatus.DEADLINE)

    def _stop(self, position: int, reason: EndReason, running: JobStatus, waiting: JobStatus) -> None:
        """Let a job end now, wherever it is; the statuses are for one that runs or waits."""
        system, job, runs = self._system, self._ledger.jobs[position], False
        if position not in self._ledger.joined:
            # It has not been released, and never will be.
            self._ends(position, waiting)
            return
        if position in self._course.delayed:
            system.forget(job, is_away=self._course.delayed.pop(position))
            self._ends(position, waiting)
            return
        if system.runs(job):
            # A job that starts only now has not run.
            dispatches = self._ledger.dispatches
            runs = (dispatches.last_start(job) or 0.0) < self.now
            system.stop(job)
            dispatches.take_lost()
            if runs:
                dispatches.finish(position, reason)
        self._withdraw(position, running if runs else waiting)

    def _shrink(self) -> None:
        """Plan jobs until their deadlines at most, those that accept less than their planned times."""
        for position in sorted(self._course.shrinking):
            job = self._with_planned_time(position)
            planned = self._course.planned_by_deadline(job, self.now)
            if planned < job.planned_time and self._waits(position):
                self._system.limit(self._ledger.jobs[position], planned)

    def _with_planned_time(self, position: int) -> Job:
        """Return a job with the planned time of its next attempt."""
        job, planned = self._ledger.jobs[position], self._ledger.dispatches.planned_left[position]
        if math.isnan(planned) or planned == job.planned_time:
            # The first, of a job that may still be on its way to a queue.
            return job
        return job._replace(planned_time=planned)

    def _expire(self) -> bool:
        """Let waiting jobs leave that can no longer meet their deadlines; return whether there are any.

        Suspended jobs need less than their planned times; these end at their deadlines at the latest.
        """
        course, suspended = self._course, self._ledger.dispatches.is_suspended
        due = [one for one in course.take_expiries(self.now) if self._waits(one) and not suspended(one)]
        # An attempt that is shorter than an earlier one may start later than that.
        left = [one for one in due if course.latest_start(self._with_planned_time(one)) <= self.now]
        for position in left:
            self._withdraw(position, JobStatus.DEADLINE)
        return bool(left)

    def _waits(self, position: int) -> bool:
        waits = not self._system.runs(self._ledger.jobs[position])
        return waits and position not in self._course.delayed

    def _withdraw(self, position: int, status: JobStatus) -> None:
        self._system.withdraw(self._ledger.jobs[position])
        self._ends(position, status)

    def _ends(self, position: int, status: JobStatus) -> None:
        """Note that a job will not run again: jobs that wait for its end are released."""
        self._course.ends(position, status)
        self._ledger.dispatches.leaves(position)
        self._ledger.ended += 1
        self._releases.note_end(position, self.now)

    def _leave(self) -> bool:
        left = self._system.leave()
        for position in left:
            self._course.note_end(position)
            self._releases.note_end(position, self.now)
        return bool(left)

    def _join_one(self, position: int) -> None:
        if self._course.has_ended(position):
            return
        job = self._ledger.announce(position, self.now)
        self._ledger.joined.add(position)
        if (status := self._refusal_of(job)) is not None:
            self._ends(position, status)
        else:
            self._system.join(job)

    def _refusal_of(self, job: Job) -> JobStatus | None:
        """Return what becomes of a job that would wait from now on in vain, else None."""
        return None if self._course.note_deadline(job, self.now) else JobStatus.DEADLINE
