"""Class grid: how jobs of each class of size and length fared, as a matrix to be drawn."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from echelon.metrics.tables.per_class import LENGTHS, SIZES, check_edges, length_labels, size_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


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
        Upper edges of the classes, as in `echelon.metrics.tables.per_class.per_class`.

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
    Ties: an edge belongs to the class below it. Cost: O(n).

    Source: the default edges are the sixteen categories of Kettimuthu, Subramani, Srinivasan, Gopalsamy,
    Panda and Sadayappan, "Selective preemption strategies for parallel job scheduling", ICPP 2002.
    """
    classes = JobClasses(run, size, sizes=sizes, lengths=lengths)
    return classes.median(values) if statistic == "median" else classes.mean(values)


class JobClasses:
    """The class of size and length of each job, from which several grids can be made.

    Parameters
    ----------
    run, size : arrays, shape (n_jobs,)
        As for `class_grid`.
    sizes, lengths : sequences
        As for `class_grid`.

    Raises
    ------
    InputError
        If edges do not ascend from above 0.
    """

    def __init__(
        self,
        run: FloatColumn,
        size: IntColumn,
        *,
        sizes: Sequence[int] = SIZES,
        lengths: Sequence[float] = LENGTHS,
    ) -> None:
        check_edges(sizes, "sizes")
        check_edges(lengths, "lengths")
        self._names = (size_labels(sizes), length_labels(lengths))
        self._shape = (len(sizes) + 1, len(lengths) + 1)
        row, column = np.searchsorted(np.asarray(sizes), size), np.searchsorted(np.asarray(lengths), run)
        self._code = row * self._shape[1] + column
        self._jobs = np.bincount(self._code, minlength=self._shape[0] * self._shape[1])

    def mean(self, values: FloatColumn) -> ClassGrid:
        """Return the mean of a quantity over the jobs of each class. Cost: O(n)."""
        sums = np.bincount(self._code, weights=values, minlength=len(self._jobs))
        found = np.full(len(self._jobs), np.nan)
        np.divide(sums, self._jobs, out=found, where=self._jobs > 0)
        return self._grid(found)

    def median(self, values: FloatColumn) -> ClassGrid:
        """Return the median of a quantity over the jobs of each class. Cost: O(n)."""
        found = np.full(len(self._jobs), np.nan)
        for place, held in enumerate(np.split(values[self._order], np.cumsum(self._jobs)[:-1])):
            if len(held):
                low, high = (len(held) - 1) // 2, len(held) // 2
                parted = np.partition(held, (low, high))
                found[place] = (parted[low] + parted[high]) / 2
        return self._grid(found)

    @cached_property
    def _order(self) -> IntColumn:
        # Small numbers are sorted by counting them.
        few = len(self._jobs) <= np.iinfo(np.uint16).max
        return np.argsort(self._code.astype(np.uint16) if few else self._code, kind="stable")

    def _grid(self, value: FloatColumn) -> ClassGrid:
        return ClassGrid(self._jobs.reshape(self._shape), value.reshape(self._shape), *self._names)
