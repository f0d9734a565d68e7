"""Metrics of single jobs: pure functions of columns, one value a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model import EndReason
from echelon.model.schedules.features import Feature, change_features, recorded_features, there

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

TAU = 10.0
"""Run times below this many seconds count as this long in a bounded slowdown."""
_ROUNDING = 1e-9


def response_time(submit: ArrayLike, start: ArrayLike) -> FloatColumn:
    """Return the response time of each job: from its submission to its first start.

    Parameters
    ----------
    submit, start : array-like, shape (n_jobs,)
        In seconds; start >= submit. Of a job that was preempted, its first start.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0.

    Raises
    ------
    InputError
        If a time is not finite, a job starts before its submission, or the lengths differ.

    Notes
    -----
    Where no job is preempted this is the waiting time. Some authors call the turnaround "response time".

    Source: Silberschatz, Galvin and Gagne, Operating System Concepts, chapter on CPU scheduling.
    """
    return _difference(submit, start, names=("submit", "start"))


def wait_time(submit: ArrayLike, start: ArrayLike, suspended: ArrayLike | None = None) -> FloatColumn:
    """Return the waiting time of each job: all its time in the queue, response + suspended.

    Parameters
    ----------
    submit, start : array-like, shape (n_jobs,)
        In seconds; start >= submit. Of a job that was preempted, its first start.
    suspended : array-like, shape (n_jobs,), optional
        How long each job was suspended, in seconds, >= 0; default: none was.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0.

    Raises
    ------
    InputError
        If a time is not finite, a job starts before its submission, or the lengths differ.

    Notes
    -----
    A job that holds processors for a context switch does not wait: turnaround = wait + switch + run.

    Source: Silberschatz, Galvin and Gagne, Operating System Concepts, chapter on CPU scheduling.
    """
    response = response_time(submit, start)
    return response if suspended is None else response + np.asarray(suspended, dtype=np.float64)


def turnaround_time(submit: ArrayLike, end: ArrayLike) -> FloatColumn:
    """Return the turnaround (flow) time of each job: end - submit.

    Parameters
    ----------
    submit, end : array-like, shape (n_jobs,)
        In seconds; end >= submit.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0.

    Raises
    ------
    InputError
        If a time is not finite, a job ends before its submission, or the lengths differ.
    """
    return _difference(submit, end, names=("submit", "end"))


def delay_time(schedule: Schedule) -> FloatColumn:
    """Return how much later than it could have each job ended: turnaround - run.

    It is wait + switch time: the waiting time, where no context switch is charged.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0.

    Notes
    -----
    Source: Silberschatz, Galvin and Gagne, Operating System Concepts, chapter on CPU scheduling.
    """
    if not schedule.interrupted:
        return response_time(schedule.instance.submit_time, schedule.start_time)
    turnaround = turnaround_time(schedule.instance.submit_time, schedule.end_time)
    return np.maximum(0.0, turnaround - schedule.run_time)


def suspended_time(schedule: Schedule) -> FloatColumn:
    """Return how long each job was suspended: end - start - the time it held processors.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0; 0 where no job was preempted.

    Notes
    -----
    Source: Silberschatz, Galvin and Gagne, Operating System Concepts, chapter on CPU scheduling.
    """
    return schedule.suspended_time


def switch_time(schedule: Schedule) -> FloatColumn:
    """Return how long each job held processors without progress, for context switches: held - run.

    A switch that a preemption cut short counts as far as it went.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0; 0 where no switch is charged.

    Notes
    -----
    Source: Silberschatz, Galvin and Gagne, Operating System Concepts, on dispatch latency.
    """
    if (segments := schedule.segments) is None:
        return np.zeros(len(schedule.instance))
    held = segments.held_time() - schedule.run_time
    if Feature.ATTEMPTS in change_features(schedule):
        from echelon.metrics.columns.attempt_times import attempt_times

        # Of a job that lost nodes all that it held without lasting work is lost, switches included.
        held = held - attempt_times(segments).without_work(len(held))
        # Sums of fractions of seconds leave some of the last bits.
        held[held < _ROUNDING * segments.held_time()] = 0.0
        if Feature.COPIES | Feature.CPU_TIME in recorded_features(schedule):
            # Copies on time-shared machines pay no switches: those that begin later are no pause of the job.
            held[np.isfinite(there(schedule.cpu_time))] = 0.0
    return np.maximum(0.0, held)


def preemptions(schedule: Schedule) -> IntColumn:
    """Return how often each job was preempted: its attempts that ended so.

    Returns
    -------
    IntColumn, shape (n_jobs,)
        A count, >= 0.
    """
    if not schedule.interrupted:
        return np.zeros(len(schedule.instance), dtype=np.int64)
    return schedule.attempts.counts(reason=EndReason.PREEMPTED)


def slowdown(wait: ArrayLike, run: ArrayLike) -> FloatColumn:
    r"""Slowdown of each job, also called stretch: :math:`(w + r) / r`.

    Parameters
    ----------
    wait, run : array-like, shape (n_jobs,)
        Waiting and run times, in seconds; wait >= 0, run > 0.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        Dimensionless, >= 1.

    Raises
    ------
    InputError
        If a time is negative or not finite, a run time is 0, or the lengths differ.

    Notes
    -----
    Source: Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong, "Theory and practice in parallel job
    scheduling", JSSPP 1997.
    """
    waits, runs = _durations(wait, run)
    _refuse(runs == 0, runs, name="run", expected="a run time > 0 (a job without one has no slowdown)")
    return (waits + runs) / runs


def bounded_slowdown(wait: ArrayLike, run: ArrayLike, *, tau: float = TAU) -> FloatColumn:
    r"""Bounded slowdown of each job: :math:`\max(1, (w + r) / \max(r, \tau))`.

    Parameters
    ----------
    wait, run : array-like, shape (n_jobs,)
        Waiting and run times, in seconds; both >= 0.
    tau : float, default 10
        Threshold in seconds, > 0, below which a job counts as this long.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        Dimensionless, >= 1.

    Raises
    ------
    InputError
        If a time is negative or not finite, the lengths differ, or `tau` is not a finite time > 0.

    Notes
    -----
    Source: Feitelson et al., "Theory and practice in parallel job scheduling", JSSPP 1997, as written in
    Feitelson, "Metrics for parallel job scheduling and their convergence", JSSPP 2001.
    """
    return np.maximum(1.0, grid_bounded_slowdown(wait, run, tau=tau))


def grid_bounded_slowdown(wait: ArrayLike, run: ArrayLike, *, tau: float = TAU) -> FloatColumn:
    r"""Bounded slowdown of each job as a grid study defines it: :math:`(w + r) / \max(r, \tau)`.

    Without the outer maximum a job shorter than `tau` that hardly waits counts less than 1, so means of it
    are never above those of `bounded_slowdown` and must not be compared with them.

    Parameters
    ----------
    wait, run : array-like, shape (n_jobs,)
        Waiting and run times, in seconds; both >= 0.
    tau : float, default 10
        Threshold in seconds, > 0, below which a job counts as this long.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        Dimensionless, >= 0.

    Raises
    ------
    InputError
        If a time is negative or not finite, the lengths differ, or `tau` is not a finite time > 0.

    Notes
    -----
    Source: Quezada Pina, doctoral thesis on on-line scheduling in computational grids, CICESE 2012, eq. 2.
    """
    if not 0 < tau < np.inf:
        raise InputError(f"must be a finite time > 0, got {tau}", field="tau")
    waits, runs = _durations(wait, run)
    return (waits + runs) / np.maximum(runs, tau)


def prediction_accuracy(planned: ArrayLike, run: ArrayLike) -> FloatColumn:
    r"""Accuracy of each job's planned time: :math:`\min(e, r) / \max(e, r)`, too long and too short alike.

    Parameters
    ----------
    planned, run : array-like, shape (n_jobs,)
        What was planned with when the job was submitted, and how long it ran, in seconds; both > 0.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        Dimensionless, above 0 and up to 1; 1 is a perfect prediction.

    Raises
    ------
    InputError
        If a time is not finite or not above 0, or the lengths differ.

    Notes
    -----
    Source: Tsafrir, Etsion and Feitelson, "Backfilling using system-generated predictions rather than user
    runtime estimates", IEEE TPDS 18(6), 2007.
    """
    guesses, runs = _finite(planned, "planned"), _finite(run, "run")
    _same_length(guesses, runs, ("planned", "run"))
    _refuse(guesses <= 0, guesses, name="planned", expected="a time > 0")
    _refuse(runs <= 0, runs, name="run", expected="a time > 0")
    return np.minimum(guesses, runs) / np.maximum(guesses, runs)


def _difference(earlier: ArrayLike, later: ArrayLike, *, names: tuple[str, str]) -> FloatColumn:
    first, second = _finite(earlier, names[0]), _finite(later, names[1])
    _same_length(first, second, names)
    _refuse(second < first, second, name=names[1], expected=f"a time not before {names[0]}")
    return second - first


def _durations(wait: ArrayLike, run: ArrayLike) -> tuple[FloatColumn, FloatColumn]:
    waits, runs = _finite(wait, "wait"), _finite(run, "run")
    _same_length(waits, runs, ("wait", "run"))
    _refuse(waits < 0, waits, name="wait", expected="a time >= 0")
    _refuse(runs < 0, runs, name="run", expected="a time >= 0")
    return waits, runs


def _finite(values: ArrayLike, name: str) -> FloatColumn:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise InputError(f"must have one dimension, got shape {column.shape}", field=name)
    _refuse(~np.isfinite(column), column, name=name, expected="a finite time")
    return column


def _same_length(first: FloatColumn, second: FloatColumn, names: tuple[str, str]) -> None:
    # Numpy would silently stretch a column of one job over all others.
    if len(first) != len(second):
        raise InputError(
            f"{names[0]} and {names[1]} must be equally long, got {len(first)} and {len(second)} jobs"
        )


def _refuse(wrong: NDArray[np.bool_], column: FloatColumn, *, name: str, expected: str) -> None:
    if wrong.any():
        position = int(wrong.argmax())
        raise InputError(f"expected {expected} at position {position}, got {column[position]:g}", field=name)


def mean_size(
    size: IntColumn | FloatColumn, held_time: FloatColumn, *, row: IntColumn, core_time: FloatColumn
) -> IntColumn | FloatColumn:
    """Processors that each job held, in the mean of that time: fewer if some were given back early.

    Parameters
    ----------
    size : IntColumn or FloatColumn, shape (n_jobs,)
        Processors that each took; a job without holdings has these.
    held_time : FloatColumn, shape (n_jobs,)
        How long each held some, in seconds.
    row : IntColumn, shape (n,)
        Of each holding the job's number.
    core_time : FloatColumn, shape (n,)
        Of each holding, in core-seconds.

    Notes
    -----
    Cost: O(n + n_jobs).
    """
    held = np.bincount(row, weights=core_time, minlength=len(size))
    holds_any = np.bincount(row, minlength=len(size)) > 0
    mean = np.divide(held, held_time, out=size.astype(np.float64), where=(held_time > 0) & holds_any)
    # Ends are rounded, so that a mean can miss the whole number that it is.
    return np.where(np.abs(mean - size) <= _ROUNDING * size, size, mean)
