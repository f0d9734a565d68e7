"""The reference engine: readable Python, every feature, the definition the compiled engine must equal."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.cluster import Cluster
from echelon.engine.patience import Patience
from echelon.engine.prediction import Predictions
from echelon.engine.view import View
from echelon.errors import EchelonError, PolicyError, StuckError
from echelon.model import Schedule
from echelon.policies import Preempt, Reserve, Start, Wake, Withdraw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.engine.contract import Observer, Progress, Scenario
    from echelon.model import Job

_PROGRESS_EVERY = 512
_MOST_DECISIONS = 100
"""Decisions a job there that one pass may give: three make sense, so a hundred are a loop without end."""


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` in the reference engine.

    Parameters
    ----------
    scenario : Scenario
        What to run; any policy is supported.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        One start a job. Its counts: ``events``, ``passes``, ``decisions``, and with an estimator that
        learns ``corrections``.

    Raises
    ------
    PolicyError
        If the policy decides what the rules forbid.
    StuckError
        If jobs wait for ever because the policy starts none.

    Notes
    -----
    Cost: O(log n) an event besides the policy's own cost.
    """
    return _Run(scenario, progress).schedule()


class _Run:
    """One run: the clock and the two streams of events, END and SUBMIT."""

    def __init__(self, scenario: Scenario, progress: Progress | None) -> None:
        self._scenario = scenario
        self._instance = scenario.instance
        self._scheduler = scenario.policy.scheduler
        self._jobs = self._instance.jobs()
        # Stable: jobs of one instant arrive in the workload's order.
        self._arrivals = [self._jobs[i] for i in np.argsort(self._instance.submit_time, kind="stable")]
        self._next_arrival = 0
        # Time, position, and the number of the job's dispatch: a preemption makes its entry stale.
        self._ends: list[tuple[float, int, int]] = []
        self._predictions = Predictions(scenario) if scenario.learns else None
        self._cluster = Cluster(scenario)
        self._dispatches = self._cluster.dispatches
        self._view = View(self._cluster)
        self._observers: tuple[Observer, ...] = tuple(scenario.observers)
        self._progress = progress
        self._ended = self._passes = self._decisions = 0
        self._patience = Patience(self._cluster)

    def schedule(self) -> Schedule:
        step = {"instant": self._instant, "event": self._each_event, "pyss": self._as_pyss}[
            self._scenario.passes
        ]
        while (now := self._next_time()) is not None:
            self._cluster.now = now
            ending = self._take_ends(now)
            arriving = self._take_arrivals(now)
            self._watch(event=bool(ending or arriving))
            step(ending, arriving)
            if self._progress is not None and (ending or not arriving):
                self._report_progress()
        if self._cluster.waiting:
            self._raise_stuck()
        counts = {"events": 2 * len(self._jobs), "passes": self._passes, "decisions": self._decisions}
        if self._dispatches.interrupted:
            counts["preemptions"] = self._dispatches.preemptions
        predicted = None
        if self._predictions is not None:
            counts["corrections"] = self._predictions.corrected
            predicted = self._predictions.at_submission
        books = self._dispatches
        return Schedule(self._instance, books.starts(), counts, predicted, books.segments())

    def _next_time(self) -> float | None:
        times = []
        if self._next_arrival < len(self._arrivals):
            times.append(self._arrivals[self._next_arrival].submit_time)
        while self._ends and self._is_stale(self._ends[0]):
            heappop(self._ends)
        if self._ends:
            times.append(self._ends[0][0])
        if (due := self._cluster.next_promise()) is not None:
            times.append(due)
        if self._predictions is not None and self._cluster.running:
            times.append(self._cluster.running[0].planned_end)
        if (wake := self._cluster.next_wake()) is not None and self._cluster.waiting:
            times.append(wake)
        return min(times, default=None)

    def _is_stale(self, end: tuple[float, int, int]) -> bool:
        return self._dispatches.serial[end[1]] != end[2]

    def _take_ends(self, now: float) -> list[Job]:
        ending = []
        while self._ends and self._ends[0][0] == now:
            if not self._is_stale(end := heappop(self._ends)):
                ending.append(self._jobs[end[1]])
        return ending

    def _take_arrivals(self, now: float) -> list[Job]:
        first = self._next_arrival
        while (
            self._next_arrival < len(self._arrivals) and self._arrivals[self._next_arrival].submit_time == now
        ):
            self._next_arrival += 1
        return self._arrivals[first : self._next_arrival]

    def _instant(self, ending: list[Job], arriving: list[Job]) -> None:
        for job in ending:
            self._end(job)
        self._correct()
        for job in arriving:
            self._submit(job)
        self._pass()

    def _each_event(self, ending: list[Job], arriving: list[Job]) -> None:
        for job in ending:
            if self._cluster.runs(job):
                self._end(job)
                self._pass()
        if self._correct() or not (ending or arriving):
            self._pass()
        for job in arriving:
            self._submit(job)
            self._pass()

    def _as_pyss(self, ending: list[Job], arriving: list[Job]) -> None:
        early = [self._cluster.planned_end(job) > self._cluster.now for job in ending]
        for job, is_early in zip(ending, early, strict=True):
            if not is_early:
                self._end(job)
        if self._correct() or not (ending or arriving):
            self._pass()
        for job in arriving:
            self._submit(job)
            self._pass()
        for job, is_early in zip(ending, early, strict=True):
            if is_early and self._cluster.runs(job):
                self._end(job)
            self._pass()

    def _end(self, job: Job) -> None:
        self._cluster.release(job)
        self._cluster.note_end(job, self._dispatches.run_time[job.position])
        self._dispatches.serial[job.position] += 1
        self._ended += 1
        if self._predictions is not None:
            self._predictions.ended(job.position, self._cluster.now)
        for observer in self._observers:
            observer.ended(self._cluster.now, job)

    def _correct(self) -> bool:
        """Give the jobs that run on beyond their planned end a later one; return whether there are any."""
        if self._predictions is None:
            return False
        now, cluster = self._cluster.now, self._cluster
        late = [running.job for running in cluster.running if running.planned_end <= now]
        for job in late:
            start = self._dispatches.start_if_unbroken(job.position)
            end = self._predictions.correct(job.position, start, now)
            # By rounding the last correction of a job that was interrupted can miss its end by a hair.
            cluster.plan_end(job, end if end > now else self._dispatches.end(job.position))
        return bool(late)

    def _submit(self, job: Job) -> None:
        if self._predictions is not None:
            job = self._jobs[job.position] = self._predictions.submitted(job.position)
        self._cluster.submit(job)
        for observer in self._observers:
            observer.submitted(self._cluster.now, job)

    def _pass(self) -> None:
        cluster = self._cluster
        self._passes += 1
        if cluster.waiting:
            cluster.waiting.refresh(self._view)
            most = self._decisions + _MOST_DECISIONS * (len(cluster.waiting) + len(cluster.running))
            for decision in self._decide():
                self._decisions += 1
                if self._decisions > most:
                    self._raise_endless()
                self._apply(decision)
        cluster.ended_early = False
        for observer in self._observers:
            observer.decided(cluster.now, len(cluster.waiting), cluster.free)

    def _decide(self) -> Iterator[object]:
        """Yield what the policy decides; what goes wrong inside it is its own error, not the engine's."""
        try:
            yield from self._scheduler.decide(self._view)
        except EchelonError:
            raise
        except (Exception, SystemExit) as error:
            rule = f"fails with {type(error).__name__}: {error}; decide(view) yields decisions"
            raise PolicyError(
                self._scheduler.name, time=self._cluster.now, job_id=None, broken_rule=rule
            ) from error

    def _apply(self, decision: object) -> None:
        # Typed as anything: a user's scheduler may yield anything.
        if isinstance(decision, Start):
            self._start(decision.job, decision.switch)
        elif isinstance(decision, Preempt):
            self._preempt(decision.job)
        elif isinstance(decision, Reserve):
            self._cluster.promise(decision.job, decision.time)
        elif isinstance(decision, Withdraw):
            self._cluster.withdraw(decision.job)
        elif isinstance(decision, Wake):
            self._cluster.wake(decision.time)
        else:
            rule = (
                f"gave {decision!r:.60}; expected Start(job), Preempt(job), Reserve(job, time), "
                "Withdraw(job) or Wake(time)"
            )
            raise PolicyError(self._scheduler.name, time=self._cluster.now, job_id=None, broken_rule=rule)

    def _start(self, job: Job, switch: float) -> None:
        end = self._cluster.start(job, switch)
        heappush(self._ends, (end, job.position, self._dispatches.serial[job.position]))
        self._patience.started()
        for observer in self._observers:
            observer.started(self._cluster.now, job)

    def _preempt(self, job: Job) -> None:
        cluster = self._cluster
        if not cluster.runs(job):
            job_id = getattr(job, "job_id", repr(job)[:40])
            rule = "was preempted, but is not running; a decision names a job of view.running as it is there"
            raise PolicyError(self._scheduler.name, time=cluster.now, job_id=job_id, broken_rule=rule)
        if self._dispatches.end(job.position) <= cluster.now:
            # With a pass after every event its END may not have had its turn: it has it now.
            self._end(job)
            return
        cluster.preempt(job)
        for observer in self._observers:
            if (told := getattr(observer, "preempted", None)) is not None:
                told(cluster.now, job)

    def _watch(self, *, event: bool) -> None:
        """See to it that the run comes to an end: by events, or by what the policy does between them."""
        if event:
            self._patience.event()
            return
        self._patience.wake()
        if self._patience.is_lost and self._next_arrival == len(self._arrivals):
            self._raise_stuck()

    def _report_progress(self) -> None:
        if self._progress is not None and self._passes % _PROGRESS_EVERY == 0:
            self._progress(self._ended, len(self._jobs))

    def _raise_endless(self) -> None:
        rule = f"gives more than {_MOST_DECISIONS} decisions a waiting job in one pass; decide(view) must end"
        raise PolicyError(self._scheduler.name, time=self._cluster.now, job_id=None, broken_rule=rule)

    def _raise_stuck(self) -> None:
        waiting = self._cluster.waiting.jobs
        shown = ", ".join(f"{job.job_id} ({job.processors} processors)" for job in waiting[:5])
        raise StuckError(
            f"policy {self._scheduler.name!r} leaves {len(waiting)} jobs waiting for ever with "
            f"{self._cluster.free} of {self._cluster.processors} processors free and nothing left to happen: "
            f"{shown}{' ...' if len(waiting) > 5 else ''}; start the head when the machine is empty"
        )
