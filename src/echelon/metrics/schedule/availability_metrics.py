"""Metrics of machines that change: availability, failures, lost work, drained reservations, due times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.attempt_times import LOSSES
from echelon.metrics.registry.metric import Metric, require
from echelon.metrics.schedule import schedule_values as of
from echelon.model import JobStatus
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.model.jobs.columns import FloatColumn

_PLAIN = "no paper"
_COUNT = "a count"
_SCHROEDER = "Schroeder and Gibson, DSN 2006"
_PINEDO = "Pinedo, Scheduling, 2016, section 2.1"


def _availability(m: Measured) -> float | None:
    """Return the share of the machine that was there while jobs wanted it; see `observed_span`."""
    low, high = observed_span(m)
    return 1.0 - m.down_within(low, high).processor_seconds / (m.capacity * (high - low))


def observed_span(m: Measured) -> tuple[float, float]:
    """Return from when to when jobs wanted the machine, in seconds.

    From the first submission to the last end, as the makespan; jobs that never ran count, too: from their
    submissions, and those that were left unfinished for as long as they would have run. So the end of a
    machine that never comes back is seen.
    """
    instance = m.schedule.instance
    from echelon.model.schedules.left_jobs import find_never_started

    table, left = instance.workload, find_never_started(instance)
    waiting = find_never_started(instance, JobStatus.UNFINISHED)
    unfinished = np.zeros(0) if m.schedule.status is None else m.schedule.status == JobStatus.UNFINISHED
    wanted = (instance.submit_time + instance.run_time)[unfinished.astype(np.bool_)]
    never = table.submit_time[waiting] + table.run_time[waiting]
    low = np.concatenate((m.submit, table.submit_time[left]))
    high = np.concatenate((m.end, table.submit_time[left], wanted, never))
    return float(low.min()), float(high.max())


def _to_repair(m: Measured) -> float | None:
    """Return the mean time to repair, of the failures that were repaired at all."""
    repaired = np.isfinite(m.down.repaired)
    return float((m.down.repaired - m.down.failed)[repaired].mean()) if repaired.any() else None


def _available_use(m: Measured) -> float | None:
    """Return the utilization of what was there; nothing was where all was down."""
    there_ = m.capacity * m.makespan - m.down.processor_seconds
    return of.total(m.held_work) / there_ if there_ > 0 else None


def _of_attempts(m: Measured, column: FloatColumn) -> float:
    """Return a column of times of attempts, in processor-seconds of processors of speed 1."""
    return of.total(column * m.attempt_size)


def _waste(m: Measured) -> float | None:
    held = _of_attempts(m, m.schedule.attempts.end - m.schedule.attempts.start)
    return _of_attempts(m, m.attempts.lost + m.attempts.overhead) / held if held > 0 else None


def _incomplete_jobs(m: Measured) -> int:
    from echelon.model.schedules.left_jobs import incomplete_jobs

    return len(incomplete_jobs(m.schedule))


def _promises_kept(m: Measured) -> float | None:
    """Return how many of the jobs with a reservation for later started by its time; None without any."""
    reserved = m.schedule.first_reserved
    if reserved is None or not (had := reserved > m.submit).any():
        return None
    return float((m.start <= reserved)[had].mean())


def _idle_before(m: Measured) -> float | None:
    """Return what emptying nodes cost; None where it is not known which processors jobs held."""
    idle = m.closures.idle_before
    return of.total(idle) if len(idle) and not np.isnan(idle).any() else None


def _misses(m: Measured) -> int:
    """Return how many jobs had not completed by their deadline or due time, those that never ran included."""
    from echelon.model.schedules.left_jobs import find_never_started

    instance = m.schedule.instance
    limits = there(instance.limits)
    status = m.schedule.status
    failed = np.zeros(len(m.end), dtype=np.bool_) if status is None else status != JobStatus.COMPLETED
    bounded = np.isfinite(limits.deadline)
    late = (m.end > limits.due) | (
        bounded & ((m.end > limits.deadline) | (failed & (m.end >= limits.deadline)))
    )
    # Some left the queue as they could no longer meet their deadlines.
    return int(late.sum()) + len(find_never_started(instance, JobStatus.DEADLINE))


def tardiness(m: Measured) -> FloatColumn:
    """Return how late each job with a due time ended, in seconds, 0 of those in time."""
    due = there(m.schedule.instance.limits).due
    has = np.isfinite(due)
    return np.maximum(0.0, m.end[has] - due[has])


def _has_due_times(m: Measured) -> bool:
    return bool(np.isfinite(there(m.schedule.instance.limits).due).any())


_OUTAGES = require(
    Feature.OUTAGES,
    Metric(
        "availability",
        "1",
        "1 - sum(down time * processors) / (processors * time until all jobs ended or would have)",
        _SCHROEDER,
        "high",
        _availability,
        most=1.0,
    ),
    Metric(
        "utilization_available",
        "1",
        "sum(time that processors were held * size) / (processors * makespan - sum(down time * processors))",
        _PLAIN,
        "high",
        _available_use,
        most=1.0,
    ),
    Metric(
        "node_failures",
        "1",
        "number of failures of nodes that began during the makespan; one of several nodes counts once a node",
        _COUNT,
        None,
        lambda m: len(m.down.failed),
    ),
    # Schroeder and Gibson count records, and LANL's data have one a node.
    Metric(
        "mtbf_machine",
        "s",
        "makespan / number of failures of nodes (see node_failures)",
        _SCHROEDER,
        "high",
        lambda m: m.makespan / len(m.down.failed) if len(m.down.failed) else None,
    ),
    Metric("mttr", "s", "mean(end - start of failures that were repaired)", _SCHROEDER, "low", _to_repair),
)

_ATTEMPTS = require(
    Feature.ATTEMPTS,
    Metric(
        "incomplete_jobs",
        "jobs",
        "number of jobs that neither completed nor reached their requests, those that never ran included",
        _COUNT,
        "low",
        _incomplete_jobs,
    ),
    Metric(
        "jobs_killed",
        "1",
        "number of attempts ended by failures, maintenance or reservations",
        _COUNT,
        "low",
        lambda m: int(np.isin(m.schedule.attempts.reason, LOSSES).sum()),
    ),
    Metric(
        "restarts",
        "1",
        "number of times a requeued job started again",
        _COUNT,
        "low",
        lambda m: len(m.schedule.attempts.restarts()),
    ),
    Metric(
        "promises_kept",
        "1",
        "share of jobs that started by the first start reserved for them, of those with one after submission",
        _PLAIN,
        "high",
        _promises_kept,
        most=1.0,
    ),
    Metric(
        "lost_node_seconds",
        "processor-s",
        "sum((time held - lasting work - checkpoints and restarts) * size) of jobs that lost nodes",
        _PLAIN,
        "low",
        lambda m: _of_attempts(m, m.attempts.lost),
    ),
    Metric(
        "goodput",
        "1",
        "sum(time of lasting work * size) / (processors * makespan)",
        _PLAIN,
        "high",
        lambda m: _of_attempts(m, m.attempts.useful) / (m.capacity * m.makespan),
        most=1.0,
    ),
    Metric(
        "waste_share",
        "1",
        "sum((lost time + checkpoints and restarts) * size) / sum(time that processors were held * size)",
        _PLAIN,
        "low",
        _waste,
        most=1.0,
    ),
)

_DUE_TIMES = require(
    Feature.DUE_TIMES,
    Metric(
        "deadline_misses",
        "jobs",
        "number of jobs not completed by their deadline or due time, those that left the queue included",
        _PINEDO,
        "low",
        _misses,
    ),
    Metric(
        "mean_tardiness",
        "s",
        "mean(max(0, end - due time)) of jobs with a due time",
        _PINEDO,
        "low",
        lambda m: of.mean(tardiness(m)) if _has_due_times(m) else None,
    ),
    Metric(
        "max_tardiness",
        "s",
        "max(0, end - due time) of jobs with a due time",
        _PINEDO,
        "low",
        lambda m: float(tardiness(m).max()) if _has_due_times(m) else None,
    ),
)

AVAILABILITY_METRICS: tuple[Metric, ...] = (
    *_OUTAGES,
    *_ATTEMPTS,
    Metric(
        "reservation_idle",
        "processor-s",
        "sum(processors * time idle before maintenance or reservations while jobs that they keep out wait)",
        _PLAIN,
        "low",
        _idle_before,
        needs=Feature.ATTEMPTS,
    ),
    *_DUE_TIMES,
)
"""In the order of files and tables; None for a run that lacks what they need."""
