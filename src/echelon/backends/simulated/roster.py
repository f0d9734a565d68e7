"""Roster: the jobs that simulated clusters get: known before, or as they come."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.backends.contract import Outcome
from echelon.backends.simulated.trial import Trial, trial_of
from echelon.model import Instance, Job, Workload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.backends.contract import Submission
    from echelon.engine.contract import Scenario
    from echelon.engine.live import SimulatedClusters

DAY = 86400.0
"""Planned seconds of jobs without a time limit."""


class KnownJobs:
    """Jobs of a workload, known before they are submitted, by tag; all complete.

    Parameters
    ----------
    scenario : Scenario
        The clusters, their policies, and the jobs.
    positions : mapping of str to int
        The position of each job, by tag.
    """

    def __init__(self, scenario: Scenario, positions: Mapping[str, int]) -> None:
        self.scenario, self._positions = scenario, positions
        self._completes = Trial(0.0, Outcome.COMPLETED)
        self._came: dict[str, float] = {}

    def came(self, tag: str, now: float) -> None:
        """Note that a job comes to the service later than it was submitted: queues are by that."""
        self._came[tag] = now

    def job(self, submission: Submission, engine: SimulatedClusters, now: float) -> tuple[Job, Trial]:
        """Return a submitted job as the engine takes it `now`, and what becomes of it."""
        job = engine.job(self._positions[submission.tag])
        if (came := self._came.get(submission.tag)) is not None:
            job = job._replace(submit_time=came)
        return job, self._completes


class ArrivingJobs:
    """Jobs that become known when they are submitted.

    Parameters
    ----------
    scenario : Scenario
        The clusters and their policies, without jobs.
    speed : float, default 1
        Of the clusters; see `trial_of`.
    """

    def __init__(self, scenario: Scenario, *, speed: float = 1.0) -> None:
        self.scenario, self._speed = scenario, speed
        self._jobs: list[Job] = []
        self._run_times: list[float] = []

    def job(self, submission: Submission, engine: SimulatedClusters, now: float) -> tuple[Job, Trial]:
        """See `KnownJobs.job`. Cost: O(jobs so far), about 1 µs each."""
        trial = trial_of(submission, self._speed)
        limit = -1.0 if submission.time_limit is None else submission.time_limit / self._speed
        planned = limit if limit > 0 else max(DAY, trial.run_time)
        position = len(self._jobs)
        self._jobs.append(Job(position, position + 1, now, submission.processors, planned, limit))
        self._run_times.append(trial.run_time)
        instance = instance_of(self._jobs, self._run_times, self.scenario.instance)
        engine.grow(replace(self.scenario, instance=instance))
        return engine.job(position), trial


def instance_of(jobs: list[Job], run_times: list[float], like: Instance) -> Instance:
    """Return jobs as an instance on the machine of another one.

    Parameters
    ----------
    jobs : list of Job
        By position.
    run_times : list of float
        In seconds, by position.
    like : Instance
        Its machine and its rules.
    """
    size = np.array([job.processors for job in jobs], dtype=np.int64)
    workload = Workload.from_columns(
        name=like.workload.name,
        processors=size,
        submit_time=[job.submit_time for job in jobs],
        run_time=run_times,
        requested_time=[job.requested_time for job in jobs],
    )
    planned = np.array([job.planned_time for job in jobs], dtype=np.float64)
    return replace(
        like,
        workload=workload,
        kept=np.arange(len(jobs)),
        submit_time=workload.submit_time,
        run_time=workload.run_time,
        planned_time=planned,
        size=size,
        killed=np.zeros(len(jobs), dtype=np.bool_),
    )
