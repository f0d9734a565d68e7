"""Cells: a scatter of all jobs over two quantities, small enough to draw and with every job in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import distinct

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Cells(NamedTuple):
    """Where jobs are in a plane of two quantities, and how many.

    Attributes
    ----------
    x, y : FloatColumn, shape (n_cells,)
        Where each cell with jobs is drawn, in the quantities' units: the geometric means of its jobs' values,
        so that a cell of equal jobs is just where they are.
    jobs : IntColumn, shape (n_cells,)
        Jobs in the cell, >= 1; the sum is the number of jobs.
    """

    x: FloatColumn
    y: FloatColumn
    jobs: IntColumn


def cells(
    x: FloatColumn | IntColumn, y: FloatColumn | IntColumn, *, x_steps: int = 20, y_steps: int = 20
) -> Cells:
    """Gather the points of a scatter with logarithmic axes into cells that count their jobs.

    A scatter of 50,000 points hides how many lie over each other, and one of a sample hides the rare jobs.
    Cells do neither: each job is in exactly one, a cell with a single job is there like any other, and its
    number of jobs can be shown as color.

    Parameters
    ----------
    x, y : ndarray, shape (n_jobs,)
        Two quantities of each job, such as run times in seconds and sizes in processors; > 0.
    x_steps, y_steps : int, default 20
        Cells a decade, >= 1: 20 make cells 12 % wide. Whole numbers up to where a cell spans less than one
        of them (8 at 20 cells a decade) so keep a row of their own.

    Returns
    -------
    Cells
        Ascending by x, then y. At most x_steps * y_steps cells for each pair of decades, whatever the number
        of jobs.

    Raises
    ------
    InputError
        If a value is not above 0 or not finite, for it has no place on a logarithmic axis; if the lengths
        differ.

    Notes
    -----
    Ties: cell k spans the values whose logarithm, times the steps a decade, rounds to k; the middle between
    two cells goes to the even one.

    Cost: O(n log n).
    """
    log_x, log_y = _logarithm(x, "x"), _logarithm(y, "y")
    if len(log_x) != len(log_y):
        raise InputError(f"x and y must be equally long, got {len(log_x)} and {len(log_y)} jobs")
    columns, rows = np.rint(x_steps * log_x).astype(np.int64), np.rint(y_steps * log_y).astype(np.int64)
    height = int(np.ptp(rows)) + 1 if len(rows) else 1
    # Rows differ by less than the height, so no two cells share a code.
    code = columns * height + rows
    values, place = distinct(code)
    jobs = np.bincount(place, minlength=len(values))
    return Cells(_middle(log_x, place, jobs), _middle(log_y, place, jobs), jobs)


def _middle(logarithm: FloatColumn, place: IntColumn, jobs: IntColumn) -> FloatColumn:
    return 10.0 ** (np.bincount(place, weights=logarithm, minlength=len(jobs)) / jobs)


def _logarithm(values: FloatColumn | IntColumn, name: str) -> FloatColumn:
    wrong = ~(np.isfinite(values) & (values > 0))
    if wrong.any():
        position = int(wrong.argmax())
        raise InputError(
            f"expected a finite value > 0 at position {position}, got {values[position]:g}", field=name
        )
    return np.log10(values, dtype=np.float64)
