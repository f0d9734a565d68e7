"""Record: from the log of a run to a schedule: its attempts, the processors of each, and what became of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import released
from echelon.model import Attempts, JobStatus, Schedule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.changing.state import State
    from echelon.engine.contract import Scenario
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def schedule_of(scenario: Scenario, jobs: NDArray[Any], state: State, counts: dict[str, int]) -> Schedule:
    """Return the schedule of a run that is over.

    Notes
    -----
    Cost: O(attempts + jobs).
    """
    instance = released(scenario.instance, jobs["submit"])
    log = state.attempts[: int(state.machine["attempts"][0])]
    order = by_job(log["job"], len(jobs))
    attempts = attempts_of(log[order], len(jobs))
    status = np.where(jobs["status"] < 0, JobStatus.UNFINISHED, jobs["status"]).astype(np.int8)
    return Schedule(
        instance,
        attempts.first_start(),
        counts,
        recorded=attempts,
        status=status,
        outages=scenario.changes.outages,
    )


def by_job(job: IntColumn, n_jobs: int) -> IntColumn:
    """Return the rows of a log in order of job, those of one job as they stand. Cost: O(rows + jobs)."""
    counts = np.bincount(job, minlength=n_jobs)
    if counts.max(initial=0) <= 1:
        place = np.cumsum(counts) - counts
        order = np.empty(len(job), dtype=np.int64)
        order[place[job]] = np.arange(len(job))
        return order
    return np.argsort(job, kind="stable")


def attempts_of(log: NDArray[Any], n_jobs: int) -> Attempts:
    """Return the attempts of a log in order of job."""
    column: dict[str, FloatColumn] = {
        name: log[name].copy() for name in ("start", "end", "work", "overhead")
    }
    return Attempts(
        n_jobs,
        log["job"].copy(),
        np.broadcast_to(np.int64(-1), len(log)),
        column["start"],
        column["end"],
        log["reason"].astype(np.int8),
        work=column["work"],
        overhead=column["overhead"],
    )
