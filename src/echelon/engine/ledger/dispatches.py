"""Dispatches: the time each job has received and has left. The accounting behind preemption."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.checkpoints.checkpoint import Saved
from echelon.model import Attempts, EndReason
from echelon.model.schedules.attempts import end_reasons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.ledger.attempt_lengths import AttemptLengths
    from echelon.engine.ledger.observer import Place
    from echelon.model import Instance, Job
    from echelon.model.jobs.columns import IntColumn


_NOTHING = Saved(0.0, 0.0)


class _Interval(NamedTuple):
    """One interval in which a job held processors, in seconds, and why it ended.

    `work` and `overhead` are known when the job has ended or lost them; see `echelon.model.Attempts`. `site`
    is where that was, -1 of the last one: where the job is.
    """

    start: float
    end: float
    reason: EndReason
    work: float = math.nan
    overhead: float = 0.0
    site: int = -1


class Dispatches:
    """The starts of each job, its time left, and its waiting time.

    A dispatch is a job's start or its resumption. From then on it first pays its switch, then progresses.
    The state of a job by its position in the instance; all times in seconds.

    Parameters
    ----------
    instance : Instance
        The jobs.

    Attributes
    ----------
    planned_left, run_left : list of float
        Planned and actual time left, at the job's last preemption.
    serial : list of int
        The number of each job's dispatch, counted through the run from 1: ENDs of one instant are in this
        order. It is 0 for a job that does not run. An end predicted under an earlier number is void.
    dispatched : int
        Number of dispatches so far.
    interrupted : bool
        Whether some end is not its job's start plus its run time, because of a preemption, a switch, or
        checkpoints.
    lengths : AttemptLengths, optional
        How long attempts take where jobs write checkpoints.
    cut : set of int
        Jobs whose last attempt ends at a limit that their request alone does not tell: their deadline, or
        what earlier attempts have left of the request.
    site_of : sequence of int, default empty
        The leaf at which each job is, kept by its owner; empty on one machine.
    in_transit : dict of int to Place
        Jobs on the way to the place that is held for them, by position: their switch is that way, and they
        start when it is over.
    """

    def __init__(self, instance: Instance) -> None:
        # The planned time is set when a job is submitted.
        self.planned_left: list[float] = [math.nan] * len(instance)
        self.run_left: list[float] = instance.run_time.tolist()
        self.run_time: list[float] = self.run_left.copy()
        self._limits_runs = instance.estimates == "kill"
        self.serial = [0] * len(instance)
        self.dispatched = 0
        self.interrupted = False
        self.preemptions = 0
        self.in_transit: dict[int, Place] = {}
        self._started: list[float] = [math.nan] * len(instance)
        self._last: dict[int, float] = {}
        # Only for the jobs that need it: most runs preempt no job and charge no switch.
        self._switch: dict[int, float] = {}
        self._joined: dict[int, float] = {}
        self._waited: dict[int, float] = {}
        self._earlier: dict[int, list[_Interval]] = {}
        self._ends: dict[int, float] = {}
        self._held: dict[int, float] = {}
        # Jobs that lost what they held since that was last asked, and those that do not run again.
        self._lost: list[int] = []
        self._gone: set[int] = set()
        # The first interval since each job last lost its work.
        self._run_from: dict[int, int] = {}
        # Planned times of next attempts that are not those of whole jobs.
        self._planned_again: dict[int, float] = {}
        self.site_of: Sequence[int] = ()
        # And the first interval of what it lost then.
        self._lost_from: dict[int, int] = {}
        self.lengths: AttemptLengths | None = None
        self.cut: set[int] = set()

    def grow(self, instance: Instance) -> None:
        """Take in the jobs at the end of `instance` that were not known before."""
        new = instance.run_time[len(self.serial) :].tolist()
        self.planned_left += [math.nan] * len(new)
        self.run_left += new
        self.run_time += new
        self.serial += [0] * len(new)
        self._started += [math.nan] * len(new)

    def follow_plan(self, job: Job) -> None:
        """Let `job`, which has not started, run for its planned time."""
        self.run_left[job.position] = self.run_time[job.position] = job.planned_time

    def dispatch(self, job: Job, now: float, switch: float) -> float:
        """Note that `job` gets processors now; return its actual end unless it is preempted."""
        position = job.position
        self.dispatched += 1
        self.serial[position] = self.dispatched
        if position in self.in_transit:
            now, switch = now + switch, 0.0
        self._last[position] = now
        if position not in self._earlier:
            self._started[position] = now
        if switch:
            self._switch[position] = switch
            self.interrupted = True
        end = now + switch + self.run_left[position]
        self._ends[position] = end
        return end

    def preempt(
        self,
        job: Job,
        now: float,
        *,
        progress: float | None = None,
        planned_left: float | None = None,
        by_own: bool = True,
    ) -> bool:
        """Note that `job` loses its processors now, before its end.

        Parameters
        ----------
        job : Job
            A running job.
        now : float
            Simulation time, in seconds.
        progress : float, optional
            How long it has progressed since its dispatch, in seconds; default: since it paid its switch.
        planned_left : float, optional
            Planned time that it has left, in seconds; default: what it had, less this progress.
        by_own : bool, default True
            Whether it waits in the queue of the policy that suspends it; if not, it may come to any other
            with what it has left.

        Returns
        -------
        bool
            Whether it had made no progress since its dispatch.
        """
        position = job.position
        self.serial[position] = 0
        if progress is None:
            progress = self._progress(position, now)
        if planned_left is None:
            # By rounding a job can have received slightly more than its time.
            planned_left = max(0.0, self.planned_left[position] - progress)
        self.planned_left[position] = planned_left
        self.run_left[position] = max(0.0, self.run_left[position] - progress)
        self._held[position] = self.progress_of(position, now)
        if not by_own:
            self._planned_again[position] = planned_left
        self.preemptions += now != self._last[position]
        self._stop(job, now, EndReason.PREEMPTED)
        return progress == 0

    def requeue(self, job: Job, now: float, progress: float | None = None) -> float:
        """Note that `job` loses its processors now, and all of its work that is not saved.

        Parameters
        ----------
        job : Job
            A running job.
        now : float
            Simulation time, in seconds.
        progress : float, optional
            How long it has progressed since it last lost its work, in seconds; default: for as long as it has
            held processors since then.

        Returns
        -------
        float
            The planned time of its next attempt, in seconds.
        """
        position = job.position
        self.serial[position] = 0
        held, planned, saved = self.progress_of(position, now), job.planned_time, _NOTHING
        if self.lengths is not None and now > self._last[position]:
            progress = held if progress is None else progress
            saved = self.lengths.cut(position, progress, held)
            full, planned = self.lengths.length(position), self.lengths.limit(position, planned)
            self.run_time[position] = min(full, planned) if self._limits_runs else full
            if self.run_time[position] < full:
                self.cut.add(position)
            scale = held / progress if progress > 0 else 1.0
            saved = Saved(saved.work * scale, saved.overhead * scale)
        self.planned_left[position], self.run_left[position] = planned, self.run_time[position]
        self._planned_again.pop(position, None)
        if self.lengths is not None:
            self._planned_again[position] = planned
        self._held.pop(position, None)
        self._stop(job, now, EndReason.REQUEUED)
        self._account(position, saved)
        self._lost.append(position)
        return planned

    def next_planned(self, job: Job) -> float:
        """Return the planned time of the next attempt of `job`, which comes to a queue now, in seconds."""
        return self._planned_again.get(job.position, job.planned_time)

    def as_left(self, job: Job) -> Job:
        """Return `job`, which does not run now, with the planned time that it has left if it is suspended."""
        if not self.is_suspended(job.position):
            return job
        return job._replace(planned_time=self.planned_left[job.position])

    def _account(self, position: int, saved: Saved) -> None:
        """Note what is safe of all intervals since a job last lost its work, the first ones first."""
        earlier, first = self._earlier.get(position, []), self._run_from.get(position, 0)
        total = left = saved.work + saved.overhead
        for place in range(first, len(earlier)):
            kept = min(left, earlier[place].end - earlier[place].start)
            left -= kept
            share = kept / total if total else 0.0
            earlier[place] = earlier[place]._replace(work=saved.work * share, overhead=saved.overhead * share)
        self._lost_from[position] = first
        self._run_from[position] = len(earlier)

    def take_lost(self) -> list[int]:
        """Return the jobs that have lost all that they held since this was last asked, in that order."""
        lost, self._lost = self._lost, []
        return lost

    def finish(self, position: int, reason: EndReason) -> None:
        """Note why a job that has just lost all that it held is not run again."""
        if not (earlier := self._earlier.get(position)):
            return
        if reason is EndReason.KILLED:
            self.cut.add(position)
        elif reason is EndReason.DEADLINE:
            self.cut.discard(position)
        # A user who cancels a job, or whose job is cut, has lost nothing by it, before preemptions neither.
        share = 0.0 if reason in (EndReason.FAILED, EndReason.EVICTED) else 1.0
        for place in range(self._lost_from[position], len(earlier)):
            one = earlier[place]
            earlier[place] = one._replace(work=share * (one.end - one.start), overhead=0.0)
        earlier[-1] = earlier[-1]._replace(reason=reason)

    def leaves(self, position: int) -> None:
        """Note that a job that does not run now will not run again."""
        self._gone.add(position)
        self.interrupted = True

    def note_resubmission(self, job: Job) -> None:
        """Note that requeued `job` counts as submitted now: so does its time in the queue."""
        self._joined[job.position], self._waited[job.position] = job.submit_time, 0.0

    def note_end(self, position: int) -> None:
        """Note that a running job ends now, whether or not that was predicted."""
        self.serial[position] = 0

    def note_actual_end(self, position: int, now: float) -> None:
        """Note that a running job ends now, which only what it ran on could tell."""
        self._ends[position] = now

    def turn(self, position: int) -> tuple[float, int]:
        """Return what running jobs END by at one instant: last start, then number of dispatch."""
        return self._last[position], self.serial[position]

    def end(self, position: int) -> float:
        """Return the actual end of a running job unless it is preempted."""
        return self._ends[position]

    def plan_end(self, position: int, end: float) -> None:
        """Note that a running job is now planned to end at `end`."""
        self.planned_left[position] = end - self._progresses_from(position)

    def start_if_unbroken(self, position: int) -> float:
        """Return when a running job would have started without interruptions."""
        done = self.run_time[position] - self.run_left[position]
        return self._progresses_from(position) - done

    def remaining(self, job: Job, now: float, *, running: bool) -> float:
        """Return the planned time `job` has left; see `SystemView.remaining`."""
        left = self.planned_left[job.position]
        return max(0.0, left - self._progress(job.position, now)) if running else left

    def waiting_time(self, job: Job, until: float) -> float:
        """Return how long `job` was in the queue by `until`: now, or its dispatch if it runs."""
        return self._waited.get(job.position, 0.0) + (until - self.join_time(job))

    def join_time(self, job: Job) -> float:
        """Return when `job` last joined the queue."""
        return self._joined.get(job.position, job.submit_time)

    def last_start(self, job: Job) -> float | None:
        """Return the last start of `job`, or None."""
        return self._last.get(job.position)

    def has_started(self, position: int) -> bool:
        """Return whether a job has ever started."""
        return position in self._last

    def is_suspended(self, position: int) -> bool:
        """Return whether a job that does not run now was preempted last, and keeps what it has done."""
        earlier = self._earlier.get(position, ())
        return len(earlier) > 0 and earlier[-1].reason is EndReason.PREEMPTED

    def first_start(self, job: Job) -> float:
        """Return the first start of `job`, which has started."""
        return self._started[job.position]

    def is_interrupted(self, position: int) -> bool:
        """Return whether a job has been preempted or has paid a switch for its last dispatch."""
        return position in self._earlier or position in self._switch

    def pay_time(self, position: int, now: float) -> float:
        """Return when a running job has paid its switch, or now if that is later, in seconds."""
        return max(now, self._progresses_from(position))

    def progress_of(self, position: int, now: float) -> float:
        """Return how long running job has held processors by `now`, without switches, in seconds."""
        return self._held.get(position, 0.0) + self._progress(position, now)

    def starts(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the first start of each job, nan if it never started, shape (n_jobs,)."""
        return np.array(self._started, dtype=np.float64)

    def attempts(self, instance: Instance, site: IntColumn | None) -> Attempts | None:
        """Return every interval in which a job held processors, or None if each had one without a break."""
        if not self.interrupted and self.lengths is None and len(self._last) == len(self.serial):
            return None
        rows = [
            (position, *interval) for position in sorted(self._last) for interval in self._intervals(position)
        ]
        if not rows:
            none, never = np.zeros(0, dtype=np.int64), np.zeros(0)
            return Attempts(len(instance), none, none.copy(), never, never.copy(), np.zeros(0, dtype=np.int8))
        job, start, end, why, work, overhead, there = (np.array(column) for column in zip(*rows, strict=True))
        where = np.full(len(job), -1) if site is None else np.where(there < 0, site[job], there)
        reason = why.astype(np.int8)
        last = np.flatnonzero(np.diff(job, append=-1))
        last = last[reason[last] == EndReason.COMPLETED]
        reason[last] = end_reasons(instance.killed[job[last]])
        attempts = Attempts(len(instance), job, where, start, end, reason)
        if not self._run_from and self.lengths is None:
            return attempts
        work = np.where(np.isnan(work), end - start - overhead, work)
        return replace(attempts, work=work, overhead=overhead)

    def _intervals(self, position: int) -> tuple[_Interval, ...]:
        """Return the intervals in which a job held processors."""
        earlier = tuple(self._earlier.get(position, ()))
        if position in self._gone:
            return earlier
        last = _Interval(self._last[position], self._ends[position], EndReason.COMPLETED)
        if self.lengths is None:
            return (*earlier, last)
        # The overhead of the work that was left counts in all intervals since it was last lost.
        first = self._run_from.get(position, 0)
        run = (*earlier[first:], last)
        held = sum(one.end - one.start for one in run)
        share = min(1.0, self.lengths.overhead(position) / held) if held else 0.0
        return (*earlier[:first], *(one._replace(overhead=share * (one.end - one.start)) for one in run))

    def _progress(self, position: int, now: float) -> float:
        return max(0.0, now - self._progresses_from(position))

    def _progresses_from(self, position: int) -> float:
        return self._last[position] + self._switch.get(position, 0.0)

    def _stop(self, job: Job, now: float, reason: EndReason) -> None:
        """Let `job` wait again from now on."""
        self._switch.pop(job.position, None)
        position, start = job.position, self._last[job.position]
        if now <= start:
            self._forget(position)
            return
        self._waited[position] = self.waiting_time(job, start)
        self._joined[position] = now
        site = self.site_of[position] if self.site_of else -1
        self._earlier.setdefault(position, []).append(_Interval(start, now, reason, site=site))
        self.interrupted = True

    def _forget(self, position: int) -> None:
        """Undo a dispatch of this instant: the job held processors for no time."""
        earlier = self._earlier.get(position)
        if earlier:
            self._last[position] = earlier[-1].start
        else:
            del self._last[position]
            self._started[position] = math.nan
