"""Allocation: which processors each job of a schedule held; on a grid one site's above the other's."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import FloatColumn, IntColumn, float_column, int_column, starts_of
from echelon.model.schedules.number_sets import NumberSets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from echelon.model.machines.platform import Platform


@dataclass(frozen=True, slots=True, eq=False)
class Allocation:
    """Processor numbers of rigid jobs on one machine, as intervals.

    Job i held the processors ``first[k]`` to ``last[k]`` (both included, 0-based) for every k from
    ``offsets[i]`` to ``offsets[i + 1] - 1``; a job's intervals ascend and neither touch nor overlap.

    Parameters
    ----------
    offsets : IntColumn, shape (n_jobs + 1,)
        Where the intervals of each job begin; the last one is the number of intervals.
    first, last : IntColumn, shape (n_intervals,)
        Lowest and highest processor of each interval.
    """

    offsets: IntColumn
    first: IntColumn
    last: IntColumn

    def __post_init__(self) -> None:
        for column in (self.offsets, self.first, self.last):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.offsets) - 1

    def __eq__(self, other: object) -> bool:
        """Two allocations are equal when every job holds the same processors."""
        if not isinstance(other, Allocation):
            return NotImplemented
        return (
            np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.first, other.first)
            and np.array_equal(self.last, other.last)
        )

    __hash__ = None  # type: ignore[assignment]

    def intervals(self, position: int) -> list[tuple[int, int]]:
        """Return the (lowest, highest) pairs of the job at `position`, ascending."""
        here = slice(int(self.offsets[position]), int(self.offsets[position + 1]))
        return list(zip(self.first[here].tolist(), self.last[here].tolist(), strict=True))

    def processors(self, position: int) -> IntColumn:
        """Return every processor number the job at `position` held, ascending."""
        held = [number for low, high in self.intervals(position) for number in range(low, high + 1)]
        return np.array(held, dtype=np.int64)

    def label(self, position: int) -> str:
        """Return the processors of the job at `position` as text: ``"1-3 5"``."""
        here = slice(int(self.offsets[position]), int(self.offsets[position + 1]))
        first, last = self.first[here], self.last[here]
        return NumberSets(np.array([0, len(first)]), first, last).texts()[0]


def assign_processors(
    start: ArrayLike,
    end: ArrayLike,
    size: ArrayLike,
    processors: int,
    *,
    orders: tuple[IntColumn, IntColumn] | None = None,
) -> Allocation:
    """Assign every job of a schedule processor numbers: the lowest that are free when it starts.

    Parameters
    ----------
    start, end : array-like, shape (n_jobs,)
        When each job starts and ends, in seconds; end >= start.
    size : array-like, shape (n_jobs,)
        Processors of each job, >= 1.
    processors : int
        Identical processors of the machine, numbered from 0.
    orders : tuple of IntColumn, each of shape (n_jobs,), optional
        Positions of the jobs by start and by end, each with equal times in the order of the jobs, where these
        are known. Default: they are sorted here.

    Returns
    -------
    Allocation
        In the order of the jobs.

    Raises
    ------
    InputError
        If a time is not finite, a job ends before it starts or has no size, or more processors are
        wanted at once than the machine has; the message names the first such job.

    Notes
    -----
    Ties: jobs that start at the same instant take processors in order; processors of jobs that end at an
    instant are free for jobs that start at it.

    Cost: O(n log n + i (log f + f)) for n jobs, i intervals and f free intervals at a time, compiled.
    `assign_by_definition` is the same rule to be read.
    """
    times, ends, sizes = _check_columns(start, end, size)
    starting, ending = orders or (np.argsort(times, kind="stable"), np.argsort(ends, kind="stable"))
    # A job of zero length would be released before it starts; the kernel frees it at once instead.
    lasting = ends > times
    if not lasting.all():
        ending = ending[lasting[ending]]
    begin, count, first, last = _log_intervals(times, ends, sizes, starting, ending, processors)
    offsets = starts_of(count)
    source = _in_order(begin, count, offsets)
    return Allocation(offsets, first[source], last[source])


def first_processors(platform: Platform) -> IntColumn:
    """Return the number of each site's first processor if processors are numbered across sites from 0."""
    return np.cumsum(platform.sizes) - platform.sizes


def assign_at_sites(
    start: ArrayLike, end: ArrayLike, size: ArrayLike, *, site: IntColumn, platform: Platform
) -> Allocation:
    """Assign every job of a grid's schedule processor numbers of its site.

    Parameters
    ----------
    start, end, size : array-like, shape (n_jobs,)
        As for `assign_processors`.
    site : IntColumn, shape (n_jobs,)
        Place in `platform` of the site where each job ran.
    platform : Platform
        The sites.

    Returns
    -------
    Allocation
        In the order of the jobs. Processors are counted through all sites, in the platform's order:
        less the site's entry in `first_processors`, a number is that within the site.

    Raises
    ------
    InputError
        As `assign_processors`, naming the site.

    Notes
    -----
    Within a site the rule is that of `assign_processors`, ties included.

    Cost: that of `assign_processors` for each site, and O(n log n) to sort the jobs by site.
    """
    times, ends, sizes = float_column(start, "start"), float_column(end, "end"), int_column(size, "size")
    count = np.zeros(len(times), dtype=np.int64)
    parts = []
    ordered = np.argsort(site, kind="stable")
    bounds = np.searchsorted(site[ordered], np.arange(len(platform) + 1))
    for place, below in enumerate(first_processors(platform).tolist()):
        jobs = ordered[bounds[place] : bounds[place + 1]]
        try:
            allocation = assign_processors(
                times[jobs], ends[jobs], sizes[jobs], platform.sites[place].processors
            )
        except InputError as error:
            raise InputError(f"among the jobs of site {platform.names[place]!r}, {error.problem}") from error
        count[jobs] = np.diff(allocation.offsets)
        parts.append((jobs, allocation, below))
    offsets = starts_of(count)
    first, last = np.empty((2, int(offsets[-1])), dtype=np.int64)
    for jobs, allocation, below in parts:
        where = np.arange(len(allocation.first)) + np.repeat(
            offsets[jobs] - allocation.offsets[:-1], count[jobs]
        )
        first[where], last[where] = allocation.first + below, allocation.last + below
    return Allocation(offsets, first, last)


def _in_order(begin: IntColumn, count: IntColumn, offsets: IntColumn) -> IntColumn:
    """Return where in the log, which is in the order of starts, each interval is, in the order of the jobs.

    Every job has one at least: the place goes up by one from each to the next, and jumps between jobs.
    """
    source = np.ones(offsets[-1], dtype=np.int64)
    source[:1] = begin[:1]
    source[offsets[1:-1]] = begin[1:] - begin[:-1] - count[:-1] + 1
    return np.cumsum(source, out=source)


def _log_intervals(  # noqa: PLR0917  (columns of one table)
    start: FloatColumn,
    end: FloatColumn,
    size: IntColumn,
    starting: IntColumn,
    ending: IntColumn,
    processors: int,
) -> tuple[IntColumn, IntColumn, IntColumn, IntColumn]:
    """Return where in the log each job's intervals begin, how many there are, and the log's two columns."""
    # Imported here: reading an allocation does not need it.
    from echelon.model.schedules import allocation_kernel as kernel

    n_jobs = len(start)
    begin, count = np.zeros(n_jobs, np.int64), np.zeros(n_jobs, np.int64)
    # Enough for most jobs; pages never written take no memory.
    room = 8 * n_jobs + processors
    first, last = np.empty(room, np.int64), np.empty(room, np.int64)
    low, high = np.empty(processors + 1, np.int64), np.empty(processors + 1, np.int64)
    low[0], high[0] = 0, processors - 1
    progress = np.zeros(5, np.int64)
    progress[kernel.FREE_INTERVALS], progress[kernel.FREE] = 1, processors
    while True:
        why = kernel.allocate(
            start, end, size, starting, ending, begin, count, first, last, low, high, progress
        )
        if why != kernel.LOG_FULL:
            break
        first, last = (np.concatenate((log, np.empty(len(log), np.int64))) for log in (first, last))
    if why == kernel.TOO_FEW:
        failed, free = int(starting[progress[kernel.WHO]]), int(progress[kernel.FREE])
        raise _excess_error(failed, start, size, free=free, processors=processors)
    logged = progress[kernel.LOGGED]
    return begin, count, first[:logged], last[:logged]


def assign_by_definition(start: ArrayLike, end: ArrayLike, size: ArrayLike, processors: int) -> Allocation:
    """Assign processors one by one: the definition that the kernel of `assign_processors` must equal.

    Cost: O(n log n + p log m) for p = sum of sizes and m processors, in plain Python.
    """
    times, ends, sizes = _check_columns(start, end, size)
    free = list(range(processors))
    held: list[list[int]] = [[] for _ in times]
    running: list[tuple[float, int]] = []
    for position in np.argsort(times, kind="stable").tolist():
        while running and running[0][0] <= times[position]:
            for number in held[heapq.heappop(running)[1]]:
                heapq.heappush(free, number)
        if sizes[position] > len(free):
            raise _excess_error(position, times, sizes, free=len(free), processors=processors)
        held[position] = [heapq.heappop(free) for _ in range(sizes[position])]
        heapq.heappush(running, (float(ends[position]), position))
    return _from_numbers(held)


def _from_numbers(held: Iterable[list[int]]) -> Allocation:
    offsets, first, last = [0], [], []
    for numbers in held:
        # Consecutive numbers have the same distance to their index in the list.
        for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
            members = [number for _, number in run]
            first.append(members[0])
            last.append(members[-1])
        offsets.append(len(first))
    return Allocation(*(np.array(column, dtype=np.int64) for column in (offsets, first, last)))


def _check_columns(
    start: ArrayLike, end: ArrayLike, size: ArrayLike
) -> tuple[FloatColumn, FloatColumn, IntColumn]:
    times, ends = float_column(start, "start"), float_column(end, "end")
    sizes = int_column(size, "size")
    if not len(times) == len(ends) == len(sizes):
        raise InputError(
            f"start, end and size must be equally long, got {len(times)}, {len(ends)}, {len(sizes)}"
        )
    rules = (
        ("start", times, ~np.isfinite(times), "a finite time"),
        ("end", ends, ~(np.isfinite(ends) & (ends >= times)), "a finite time not before the start"),
        ("size", sizes, sizes < 1, "at least 1 processor"),
    )
    for field, column, wrong, expected in rules:
        if wrong.any():
            position = int(np.flatnonzero(wrong)[0])
            raise InputError(
                f"expected {expected} at position {position}, got {column[position]}", field=field
            )
    return times, ends, sizes


def _excess_error(
    position: int, start: FloatColumn, size: IntColumn, *, free: int, processors: int
) -> InputError:
    return InputError(
        f"the job at position {position} needs {size[position]} processors at t = {start[position]:.15g} s, "
        f"but {free} of {processors} are free; this is not a valid schedule for the machine"
    )
