"""Metrics of single jobs: pure functions of columns, one value a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from echelon.model.columns import FloatColumn

TAU = 10.0
"""Run times below this many seconds count as this long in a bounded slowdown."""


def wait_time(submit: ArrayLike, start: ArrayLike) -> FloatColumn:
    """Return the waiting time of each job: start - submit.

    Parameters
    ----------
    submit, start : array-like, shape (n_jobs,)
        In seconds; start >= submit.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        In seconds, >= 0.

    Raises
    ------
    InputError
        If a time is not finite, a job starts before its submission, or the lengths differ.
    """
    return _difference(submit, start, names=("submit", "start"))


def turnaround_time(submit: ArrayLike, end: ArrayLike) -> FloatColumn:
    """Return the turnaround (response, flow) time of each job: end - submit.

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
