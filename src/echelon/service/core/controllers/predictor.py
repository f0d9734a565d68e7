"""Predictor: jobs of the service as the engine plans them, with run times that an estimator predicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.ledger.prediction import CheckedMemory, planned_time
from echelon.errors import InputError
from echelon.model import Job
from echelon.policies import estimator_capabilities, estimator_named
from echelon.service.core.controllers.lessons import application_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.service.core.controllers.lessons import Lesson
    from echelon.service.records import JobRecord

_KB = 1024.0
"""Bytes of the kilobyte in which jobs say memory."""


def why_not_predicted(spec: str) -> str | None:
    """Return why a service cannot plan with an estimator; None if it can.

    It can with all that predict run times from jobs that have ended, one by one: ``request`` (which predicts
    nothing), ``average``, ``smith``, ``li``, ``ibl``, ``hybrid``, ``corrected``, ``decisor``, and one of a
    user's own with ``memory()``; ``hanzich`` and ``sdpn`` plan with time limits where nodes are not shared.

    Raises
    ------
    InputError, UnknownNameError
        If the spec names no estimator.
    """
    estimator = estimator_named(spec)
    if estimator_capabilities(estimator).knows_run_times:
        return f"{estimator.name!r} knows run times before jobs have run, which only simulations do"
    if not hasattr(estimator, "memory"):
        return f"{estimator.name!r} has no memory(), so it forecasts only clusters of shared nodes"
    return None


class Codes:
    """Codes of names, from 1 in the order in which they are first asked for; -1 of no name."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        return self._codes.setdefault(name, len(self._codes) + 1) if name else -1


class Predictor:
    """Makes the engine's jobs of records, and learns from those that have ended.

    Parameters
    ----------
    spec : str
        The estimator, as in ``--estimator``.
    default_time_limit : float
        Planned seconds of jobs without a time limit.

    Raises
    ------
    InputError
        If the estimator predicts nothing that a service can use.

    Notes
    -----
    The planned time is the prediction in whole seconds, rounded up, at least 1 s and at most the time limit,
    as in simulations; without a prediction it is the time limit.
    """

    def __init__(self, spec: str, default_time_limit: float) -> None:
        if reason := why_not_predicted(spec):
            raise InputError(reason, field="estimator")
        self._memory = CheckedMemory(estimator_named(spec))
        self._predicts = estimator_capabilities(estimator_named(spec)).predicts
        self._limit = default_time_limit
        self._users, self._programs = Codes(), Codes()
        self._serial = 0

    @property
    def watches(self) -> bool:
        """Whether it wants to know what waits when a job comes."""
        return self._predicts and self._memory.watches

    def job(self, record: JobRecord, now: float) -> Job:
        """Return a job as it was asked for, planned with its time limit; it comes `now`, in seconds.

        Its position numbers it among all jobs here: it is not the engine's.
        """
        spec = record.spec
        limit = self._limit if spec.time_limit is None else float(spec.time_limit)
        self._serial += 1
        return Job(
            position=self._serial,
            job_id=record.number,
            submit_time=now,
            processors=spec.processors,
            planned_time=limit,
            requested_time=limit,
            user=self._users[record.owner],
            executable=self._programs[application_of(spec)],
            memory=-1.0 if spec.memory is None else spec.memory / _KB / spec.processors,
        )

    def plan(self, job: Job, waiting_jobs: int, waiting_work: float) -> Job:
        """Return `job` with its predicted time; so many jobs wait, with so many processor-seconds.

        Raises
        ------
        PolicyError
            If the estimator fails or its prediction is not a finite number.
        """
        if not self._predicts:
            return job
        self._memory.watch_queue(job, waiting_jobs, waiting_work)
        return job._replace(planned_time=planned_time(self._memory.predict(job), job.planned_time))

    def learn(self, job: Job, run_time: float, now: float) -> None:
        """Learn that `job`, as it was asked for, has ended after `run_time` seconds."""
        if self._predicts and run_time > 0:
            self._memory.learn(job, run_time, now)

    def teach(self, lessons: Iterable[Lesson]) -> int:
        """Learn from jobs that ended before; return how many there were.

        Each is predicted first, so that estimators that correct or compare predictions know how good theirs
        are; what waited then is not known.
        """
        count = 0
        for lesson in lessons:
            limit = lesson.requested_time or max(self._limit, lesson.run_time)
            self._serial += 1
            job = Job(
                position=self._serial,
                job_id=-1,
                submit_time=0.0,
                processors=lesson.processors,
                planned_time=max(limit, lesson.run_time),
                requested_time=lesson.requested_time or -1.0,
                user=self._users[lesson.user],
                executable=self._programs[lesson.application],
            )
            if self._predicts:
                self._memory.predict(job)
            self.learn(job, lesson.run_time, 0.0)
            count += 1
        return count
