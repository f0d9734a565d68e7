"""Prediction: the predictions of an estimator in one run, and their corrections."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, PolicyError
from echelon.policies import QueueWatcher, format_estimator
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn
    from echelon.policies import Estimator, Memory

SHORTEST_PREDICTION = 1.0
"""Seconds that a prediction is raised to."""

_MINUTE, _HOUR = 60.0, 3600.0
CORRECTIONS = (
    *(minutes * _MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * _HOUR for hours in (1, 2, 5, 10, 20, 50, 100)),
)
"""Seconds added to a planned time that proves too short, the first time, the second time ...

Source: Tsafrir, Etsion and Feitelson, "Backfilling using system-generated predictions rather than user
runtime estimates", IEEE TPDS 18(6), 2007. The paper leaves open what follows the last; here it is the limit.
"""


def planned_time(predicted: float | None, limit: float) -> float:
    """Return the planned time of a job of this prediction, at most its limit; both in seconds."""
    if predicted is None:
        return limit
    return min(max(float(math.ceil(predicted)), SHORTEST_PREDICTION), limit)


class CheckedMemory:
    """The memory of an estimator, whose failures are reported as the estimator's.

    Parameters
    ----------
    estimator : Estimator
        Makes a new memory.

    Raises
    ------
    InputError
        If it has no memory, or fails to make one.
    """

    def __init__(self, estimator: Estimator) -> None:
        self._name = f"estimator {format_estimator(estimator)}"
        if not hasattr(estimator, "memory"):
            raise InputError("has no memory(), so it is for multiclusters only", field=self._name)
        with Guard(lambda failure: InputError(f"memory() fails with {failure}", field=self._name)):
            self._memory: Memory = estimator.memory()
        self._watch = self._memory.watch_queue if isinstance(self._memory, QueueWatcher) else None

    @property
    def watches(self) -> bool:
        """Whether it is a `QueueWatcher`."""
        return self._watch is not None

    def watch_queue(self, job: Job, jobs: int, work: float) -> None:
        """See `QueueWatcher.watch_queue`; `job` is to join the queue."""
        if self._watch is not None:
            with self._guard_call(job, job.submit_time, "watch_queue(jobs, work)"):
                self._watch(jobs, max(0.0, work))

    def predict(self, job: Job) -> float | None:
        """See `Memory.predict`.

        Raises
        ------
        PolicyError
            If it fails or its prediction is not a finite number.
        """
        with self._guard_call(job, job.submit_time, "predict(job)"):
            predicted = self._memory.predict(job)
        if predicted is None:
            return None
        # Typed as anything: a user's estimator may return anything.
        if not (isinstance(predicted, float | int | np.number) and math.isfinite(predicted)):
            rule = f"is predicted to run {predicted!r:.40} s; expected a finite number or None"
            raise self._error(job, job.submit_time, rule)
        return float(predicted)

    def learn(self, job: Job, run_time: float, now: float) -> None:
        """See `Memory.learn`; `job` ends `now`, in seconds."""
        with self._guard_call(job, now, "learn(job, run_time)"):
            self._memory.learn(job, run_time)

    def _guard_call(self, job: Job, now: float, call: str) -> Guard:
        """Report exceptions inside the estimator as the estimator's."""
        return Guard(lambda failure: self._error(job, now, f"makes {call} fail with {failure}"))

    def _error(self, job: Job, now: float, broken_rule: str) -> PolicyError:
        return PolicyError(self._name, time=now, job_id=job.job_id, broken_rule=broken_rule)


class Predictions:
    """The predictions of one run, made when a job is submitted and corrected while it runs beyond them.

    The *limit* of a job is what ``--estimates`` plans with; no planned time exceeds it, and but under
    ``request`` no run time does.
    The planned time is the prediction in whole seconds, rounded up, at least 1 s and at most the limit; it is
    the limit if there is no prediction. So a log in whole seconds still gives a schedule in whole seconds.

    Parameters
    ----------
    scenario : Scenario
        Its estimator and its jobs.
    """

    def __init__(self, scenario: Scenario) -> None:
        # After its submission each job as it was submitted, perhaps released later than in the log.
        self._jobs: list[Job] = scenario.instance.jobs()
        self._memory = CheckedMemory(scenario.estimator)
        self._run_time: list[float] = scenario.instance.run_time.tolist()
        self._corrections: dict[int, int] = {}
        self._planned: dict[int, float] = {}
        # The queue, of all sites together: jobs, processor-seconds, and those of each job not ended yet.
        self._waiting_jobs, self._waiting_work = 0, 0.0
        self._areas: dict[int, float] = {}
        self.at_submission: FloatColumn = np.full(len(self._jobs), np.nan)
        self.corrected = 0

    def plan_submission(self, job: Job) -> Job:
        """Return `job`, just submitted and planned with its limit, with its planned time.

        Raises
        ------
        PolicyError
            If the estimator fails or its prediction is not a finite number.
        """
        position = job.position
        self._jobs[position] = job
        self._memory.watch_queue(job, self._waiting_jobs, self._waiting_work)
        planned = planned_time(self._memory.predict(job), job.planned_time)
        self.at_submission[position] = self._planned[position] = planned
        self._areas[position] = job.processors * planned
        self.waits(position)
        return job._replace(planned_time=planned)

    def waits(self, position: int) -> None:
        """Count the job at `position`, just submitted or preempted, as waiting."""
        self._waiting_jobs += 1
        self._waiting_work += self._areas[position]

    def note_start(self, position: int) -> None:
        """Stop counting the job at `position` as waiting."""
        self._waiting_jobs -= 1
        # Exactly 0 for an empty queue, despite rounding errors.
        self._waiting_work = self._waiting_work - self._areas[position] if self._waiting_jobs else 0.0

    def note_end(self, position: int, now: float, run_time: float | None = None) -> None:
        """Let the estimator learn that the job at `position` has ended.

        What it learns is the planned time that would have been right, in seconds: `run_time`; default: the
        run time of the instance.
        """
        job = self._jobs[position]
        del self._planned[position], self._areas[position]
        self._memory.learn(job, self._run_time[position] if run_time is None else run_time, now)

    def correct(self, position: int, start: float, now: float) -> float:
        """Return the new planned end of a job that runs beyond its planned end, `now`, in seconds.

        Each correction adds the next of `CORRECTIONS`, more than one if rounding hides the first.
        """
        limit = self._jobs[position].planned_time
        planned = self._planned[position]
        while start + planned <= now and planned < limit:
            used = self._corrections.get(position, 0)
            planned = min(planned + CORRECTIONS[used], limit) if used < len(CORRECTIONS) else limit
            self._corrections[position] = used + 1
        self._planned[position] = planned
        self.corrected += 1
        return start + planned
