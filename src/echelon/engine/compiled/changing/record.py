"""Record: from the log of a run to a schedule: its attempts, the processors of each, and what became of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import released
from echelon.model import Attempts, EndReason, JobStatus, Schedule

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
    log = log[order]
    saved = state.saved[order] if state.machine["saves"][0] else None
    attempts = attempts_of(log, len(jobs), saved, instance.run_time[log["job"]])
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
    """Return the rows of a log in order of job, those of one job as they stand. Cost: O(rows) if few repeat."""
    counts = np.bincount(job, minlength=n_jobs)
    first = np.cumsum(counts) - counts
    order = np.empty(len(job), dtype=np.int64)
    order[first[job]] = np.arange(len(job))
    again = np.flatnonzero(counts[job] > 1)
    again = again[np.argsort(job[again], kind="stable")]
    since = np.arange(len(again)) - np.repeat(*_runs(job[again]))
    order[first[job[again]] + since] = again
    return order


def _runs(sorted_jobs: IntColumn) -> tuple[IntColumn, IntColumn]:
    """Return where the rows of each job begin, and how many they are."""
    begins = np.flatnonzero(np.diff(sorted_jobs, prepend=-1))
    return begins, np.diff(begins, append=len(sorted_jobs))


def attempts_of(log: NDArray[Any], n_jobs: int, saved: NDArray[Any] | None, run: FloatColumn) -> Attempts:
    """Return the attempts of a log in order of job; `run` is how long each took that ended of itself."""
    reason = log["reason"].astype(np.int8)
    lasting = reason <= EndReason.KILLED
    return Attempts(
        n_jobs,
        log["job"].astype(np.int64),
        np.broadcast_to(np.int64(-1), len(log)),
        log["start"].copy(),
        log["end"].copy(),
        reason,
        work=np.where(lasting, run, 0.0) if saved is None else saved["work"].copy(),
        overhead=np.zeros(len(log)) if saved is None else saved["overhead"].copy(),
    )
