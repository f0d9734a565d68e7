"""Class grid: how jobs of each class of size and length fared, as a matrix to be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from echelon.metrics.per_class import LENGTHS, SIZES, check_edges, length_labels, size_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.columns import FloatColumn, IntColumn


class ClassGrid(NamedTuple):
    """One statistic of one quantity for each class.

    Attributes
    ----------
    jobs : IntColumn, shape (n_sizes, n_lengths)
        Jobs of each class.
    value : ndarray of float, shape (n_sizes, n_lengths)
        The statistic, in the quantity's unit; nan where a class has no job.
    sizes, lengths : list of str
        Names of the classes, ascending.
    """

    jobs: IntColumn
    value: NDArray[np.float64]
    sizes: list[str]
    lengths: list[str]


def class_grid(
    values: FloatColumn,
    run: FloatColumn,
    size: IntColumn,
    *,
    statistic: Literal["mean", "median"] = "mean",
    sizes: Sequence[int] = SIZES,
    lengths: Sequence[float] = LENGTHS,
) -> ClassGrid:
    """Return the mean or median of a quantity over the jobs of each class of size and length.

    Parameters
    ----------
    values : FloatColumn, shape (n_jobs,)
        The quantity, such as waits in seconds.
    run : FloatColumn, shape (n_jobs,)
        Run times in seconds, by which jobs are short or long.
    size : IntColumn, shape (n_jobs,)
        Processors, by which they are narrow or wide.
    statistic : {"mean", "median"}, default "mean"
        What stands for a class.
    sizes, lengths : sequences
        Upper edges of the classes, as in `echelon.metrics.per_class.per_class`.

    Returns
    -------
    ClassGrid
        All combinations of classes.

    Raises
    ------
    InputError
        If edges do not ascend from above 0.

    Notes
    -----
    Ties: an edge belongs to the class below it. Cost: O(n log n).

    Source: the default edges are the sixteen categories of Kettimuthu, Subramani, Srinivasan, Gopalsamy,
    Panda and Sadayappan, "Selective preemption strategies for parallel job scheduling", ICPP 2002.
    """
    check_edges(sizes, "sizes")
    check_edges(lengths, "lengths")
    shape = (len(sizes) + 1, len(lengths) + 1)
    row, column = np.searchsorted(np.asarray(sizes), size), np.searchsorted(np.asarray(lengths), run)
    code = row * shape[1] + column
    jobs = np.bincount(code, minlength=shape[0] * shape[1])
    found = _medians(values, code, jobs) if statistic == "median" else _means(values, code, jobs)
    return ClassGrid(jobs.reshape(shape), found.reshape(shape), size_labels(sizes), length_labels(lengths))


def _means(values: FloatColumn, code: IntColumn, jobs: IntColumn) -> NDArray[np.float64]:
    sums = np.bincount(code, weights=values, minlength=len(jobs))
    found = np.full(len(jobs), np.nan)
    np.divide(sums, jobs, out=found, where=jobs > 0)
    return found


def _medians(values: FloatColumn, code: IntColumn, jobs: IntColumn) -> NDArray[np.float64]:
    ordered = values[np.lexsort((values, code))]
    first = np.cumsum(jobs) - jobs
    found = np.full(len(jobs), np.nan)
    some = jobs > 0
    low, high = first[some] + (jobs[some] - 1) // 2, first[some] + jobs[some] // 2
    found[some] = (ordered[low] + ordered[high]) / 2
    return found
