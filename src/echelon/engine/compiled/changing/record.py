"""Record: from the log of a run to a schedule: attempts, their processors, and what became of each job."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import released
from echelon.engine.ledger.attempt_lengths import work_done
from echelon.model import Attempts, EndReason, JobStatus, NumberedHoldings, Schedule
from echelon.model.schedules.kept_jobs import schedule_without
from echelon.model.schedules.number_sets import NumberSets
from echelon.model.schedules.numbered_holdings import ranges
from echelon.model.schedules.status import REASONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.changing.state import State
    from echelon.engine.contract import Scenario
    from echelon.model import Instance
    from echelon.model.jobs.columns import IntColumn


_LOSING = (EndReason.REQUEUED, EndReason.FAILED, EndReason.EVICTED)
_SAVING = (EndReason.REQUEUED, EndReason.COMPLETED, EndReason.KILLED)
"""Reasons after which the work of an attempt is lost, but for what was saved; and those where that counts."""


def schedule_of(scenario: Scenario, jobs: NDArray[Any], state: State, counts: dict[str, int]) -> Schedule:
    """Return the schedule of a run that is over, without the jobs that never started.

    Notes
    -----
    Cost: O(attempts + jobs + processors that all attempts held).
    """
    instance, machine, changes = _instance_of(scenario, jobs), state.machine, scenario.changes
    log = state.attempts[: int(machine["attempts"][0])]
    order = by_job(log["job"], len(jobs))
    attempts = attempts_of(log, order, state, len(instance))
    if saves := bool(machine["saves"][0]):
        run_time = work_done(instance.run_time, attempts)
        run_time.flags.writeable = False
        instance = replace(instance, run_time=run_time)
    schedule = Schedule(
        instance,
        attempts.first_start(),
        counts,
        recorded=attempts if saves or _are_interrupted(jobs, log) else None,
        status=_statuses(jobs),
        outages=changes.outages.take(np.flatnonzero(changes.outages.start <= machine["last"][0])),
        reservations=changes.reservations,
        numbered=_numbered(attempts, log, order, state),
    )
    if not (gone := _left_out(schedule)):
        return schedule
    return schedule_without(schedule, gone, interrupted=True)


def _instance_of(scenario: Scenario, jobs: NDArray[Any]) -> Instance:
    """Return the instance with what a run tells of its jobs: when they were released, who was cut."""
    instance, killed = released(scenario.instance, jobs["submit"]), jobs["killed"].copy()
    if (killed == instance.killed).all():
        return instance
    killed.flags.writeable = False
    return replace(instance, killed=killed)


def _are_interrupted(jobs: NDArray[Any], log: NDArray[Any]) -> bool:
    """Return whether some job did not run once from its start to its end."""
    as_planned = np.isin(jobs["status"], (JobStatus.COMPLETED, JobStatus.KILLED))
    return len(log) != len(jobs) or not bool(as_planned.all())


def _statuses(jobs: NDArray[Any]) -> NDArray[np.int8]:
    """Return what became of each job; one that is not done lacked processors."""
    status = jobs["status"]
    return np.where(status < 0, JobStatus.UNFINISHED, status).astype(np.int8)


def _left_out(schedule: Schedule) -> dict[str, list[int]]:
    """Return the positions of the jobs that never started, by reason."""
    assert schedule.status is not None
    found: dict[str, list[int]] = {}
    for position in np.flatnonzero(np.isnan(schedule.start_time)).tolist():
        reason = REASONS[JobStatus(schedule.status[position])]
        found.setdefault(reason, []).append(position)
    return found


def _numbered(attempts: Attempts, log: NDArray[Any], order: IntColumn, state: State) -> NumberedHoldings:
    """Return which processors each attempt held that took any time."""
    intervals = state.intervals[: int(state.machine["intervals"][0])]
    stops = np.append(log["first"][1:], len(intervals))
    kept = np.flatnonzero(attempts.start < attempts.end)
    rows = order[kept]
    begins, ends = log["first"][rows], stops[rows]
    chosen = ranges(begins, ends)
    offsets = np.concatenate(([0], np.cumsum(ends - begins)))
    sets = NumberSets(offsets, *(intervals[side][chosen].astype(np.int64) for side in ("low", "high")))
    return NumberedHoldings(
        attempts.n_jobs,
        attempts.job[kept],
        attempts.site[kept],
        attempts.start[kept],
        attempts.end[kept],
        sets,
    )


def by_job(job: IntColumn, n_jobs: int) -> IntColumn:
    """Return the rows of a log in order of job, those of one job as they stand."""
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


def attempts_of(log: NDArray[Any], order: IntColumn, state: State, n_jobs: int) -> Attempts:
    """Return the attempts of a log, whose rows are taken in this order.

    They say what was work and what overhead if any was cut short, or may have been saved.
    """
    job, reason = log["job"][order].astype(np.int64), log["reason"][order].astype(np.int8)
    start, end = log["start"][order], log["end"][order]
    found = Attempts(n_jobs, job, np.full(len(job), -1), start, end, reason)
    saves = bool(state.machine["saves"][0])
    if not saves and not state.machine["cuts"][0]:
        return found
    # A user who cancels a job has lost nothing by it.
    work, overhead = np.where(np.isin(reason, _LOSING), 0.0, end - start), np.zeros(len(job))
    if saves:
        safe = np.isin(reason, _SAVING)
        saved = state.saved[order]
        work = np.where(safe, saved["work"], work)
        overhead = np.where(safe, saved["overhead"], overhead)
    return replace(found, work=work, overhead=overhead)
