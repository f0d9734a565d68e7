"""A schedule class by class, as a table and as a matrix to be drawn: jobs of similar size and length."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.code_table import groups_of, summarize_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from echelon.metrics.tables.code_table import Groups
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

SIZES = (1, 8, 32)
"""Largest size of each class but the last, in processors: sequential, narrow, wide, very wide."""

LENGTHS = (600.0, 3_600.0, 28_800.0)
"""Longest run time of each class but the last, in seconds: very short, short, long, very long."""

_UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))


def per_class(
    schedule: Schedule | Measured, *, sizes: Sequence[int] = SIZES, lengths: Sequence[float] = LENGTHS
) -> pl.DataFrame:
    """Return one row a class of size and run time: which jobs wait, wide or narrow, short or long ones.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job; or what is `Measured` of it already.
    sizes : sequence of int, default (1, 8, 32)
        Upper edges of the size classes, in processors, ascending, >= 1; each belongs to its class. Larger
        jobs make one class more.
    lengths : sequence of float, default (600, 3600, 28800)
        Upper edges of the classes of run time, in seconds, ascending, > 0; each belongs to its class. Longer
        jobs make one class more. The run time is the actual one, after any kill.

    Returns
    -------
    polars.DataFrame
        ``size_class, length_class`` (text), then the columns of
        `echelon.metrics.tables.code_table.summarize_groups`. All combinations, ascending by size, then by
        length; a class without jobs has 0 jobs and null statistics.

    Raises
    ------
    InputError
        If edges do not ascend from above 0; if the schedule has no job or a job starts before its submission.

    Notes
    -----
    Cost: O(n log n).

    Source: the default edges are the sixteen categories of Kettimuthu, Subramani, Srinivasan, Gopalsamy,
    Panda and Sadayappan, "Selective preemption strategies for parallel job scheduling", ICPP 2002.
    """
    # A heavy library that only tables need.
    import polars as pl

    check_edges(sizes, "sizes")
    check_edges(lengths, "lengths")
    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    groups = _groups(measured, sizes, lengths)
    codes = groups.codes
    summary = summarize_groups(measured, groups)
    names = (size_labels(sizes), length_labels(lengths))
    every = [(size, length) for size in range(len(names[0])) for length in range(len(names[1]))]
    classes = pl.DataFrame(every, schema=dict.fromkeys(codes, pl.Int64), orient="row")
    table = classes.join(summary, on=list(codes), how="left", maintain_order="left")
    return table.with_columns(
        pl.Series("size_class", [names[0][size] for size, _ in every]),
        pl.Series("length_class", [names[1][length] for _, length in every]),
        pl.col("jobs", "area", "area_share").fill_null(0),
    )


def _groups(measured: Measured, sizes: Sequence[int], lengths: Sequence[float]) -> Groups:
    """Return the jobs of each class: the same in all runs of these jobs, if each ran to its end."""

    def make_groups() -> Groups:
        return groups_of(
            {
                "size_class": np.searchsorted(np.asarray(sizes), measured.size),
                "length_class": np.searchsorted(np.asarray(lengths), measured.run),
            }
        )

    if measured.schedule.tells_attempts:
        return make_groups()
    return measured.schedule.instance.once(f"groups by size {[*sizes]} and length {[*lengths]}", make_groups)


def size_labels(sizes: Sequence[int]) -> list[str]:
    """Return the names of size classes: ``"1", "2 to 8", "9 to 32", "over 32"``."""
    ranges = [(low + 1, high) for low, high in pairwise([0, *sizes])]
    return [*(str(high) if low == high else f"{low} to {high}" for low, high in ranges), _last(sizes)]


def length_labels(lengths: Sequence[float]) -> list[str]:
    """Return the names of classes of run time: ``"to 10 min", "10 min to 1 h", "1 h to 8 h", "over 8 h"``."""
    edges = [_duration(length) for length in lengths]
    between = [f"{low} to {high}" for low, high in pairwise(edges)]
    return [*(f"to {edge}" for edge in edges[:1]), *between, _last(edges)]


def _last(edges: Sequence[object]) -> str:
    return f"over {edges[-1]}" if edges else "all"


def _duration(seconds: float) -> str:
    """Return a time in the largest unit that gives a whole number of it."""
    for unit, name in _UNITS:
        if seconds % unit == 0:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds:g} s"


def check_edges(edges: Sequence[float], name: str) -> None:
    """Refuse edges of classes that do not ascend from above 0, by the name of what they divide."""
    if not all(low < high for low, high in pairwise([0, *edges])):
        raise InputError(f"must ascend from above 0, got {list(edges)}", field=name)


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
        Upper edges of the classes, as in `echelon.metrics.tables.class_table.per_class`.

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
        means = np.full(len(self._jobs), np.nan)
        np.divide(sums, self._jobs, out=means, where=self._jobs > 0)
        return self._grid(means)

    def median(self, values: FloatColumn) -> ClassGrid:
        """Return the median of a quantity over the jobs of each class. Cost: O(n)."""
        medians = np.full(len(self._jobs), np.nan)
        for place, held in enumerate(np.split(values[self._order], np.cumsum(self._jobs)[:-1])):
            if len(held):
                low, high = (len(held) - 1) // 2, len(held) // 2
                parted = np.partition(held, (low, high))
                medians[place] = (parted[low] + parted[high]) / 2
        return self._grid(medians)

    @cached_property
    def _order(self) -> IntColumn:
        # Small numbers are sorted by counting them.
        few = len(self._jobs) <= np.iinfo(np.uint16).max
        return np.argsort(self._code.astype(np.uint16) if few else self._code, kind="stable")

    def _grid(self, value: FloatColumn) -> ClassGrid:
        return ClassGrid(self._jobs.reshape(self._shape), value.reshape(self._shape), *self._names)
