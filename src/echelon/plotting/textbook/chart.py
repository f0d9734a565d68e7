"""TextbookChart: slices of time in which jobs held processors, arrivals, and how times are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.schedules.allocation import first_processors
from echelon.model.schedules.features import Feature
from echelon.plotting.job_table import JobTable
from echelon.plotting.schedules.gantt import drawn_sites, held_pieces
from echelon.quantities import TIME_UNITS, TimeUnit, time_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.plotting.job_table import Run

_PLAIN_SECONDS = 100_000.0
"""Times below this are written in seconds of the log's clock."""

_STEPS = (1.0, 2.0, 5.0, 10.0)
_MOST_STEPS = 7


class TimeAxis(NamedTuple):
    """A unit, and the time that is written as 0, in seconds: not 0 where the log began long before."""

    unit: TimeUnit
    origin: float

    @classmethod
    def of(cls, chart: TextbookChart) -> TimeAxis:
        """Return the axis of a chart."""
        if abs(chart.high) < _PLAIN_SECONDS:
            return cls(TIME_UNITS[-1], 0.0)
        return cls(time_unit(chart.high - chart.low), chart.low)

    @property
    def title(self) -> str:
        """What is written beside the axis."""
        begins = f" from {self.origin:,.10g} s on" if self.origin else ""
        return f"time ({self.unit.sign}){begins}"

    def name(self, time: float) -> str:
        """Return how a time is written: to a hundredth at most."""
        text = f"{(time - self.origin) / self.unit.seconds:.2f}"
        return text.rstrip("0").rstrip(".")

    def name_times(self, times: Iterable[float]) -> list[tuple[float, str]]:
        """Return times with how they are written."""
        return [(time, self.name(time)) for time in times]

    def even_times(self, chart: TextbookChart) -> list[float]:
        """Return at most eight times in the window at even distances that are round in the unit."""
        low, high = ((time - self.origin) / self.unit.seconds for time in (chart.low, chart.high))
        power = 10.0 ** math.floor(math.log10((high - low) / _MOST_STEPS))
        step = power * next(one for one in _STEPS if (high - low) / (one * power) <= _MOST_STEPS)
        first = math.ceil(low / step)
        rounds = ((first + number) * step for number in range(_MOST_STEPS + 2))
        return [self.origin + one * self.unit.seconds for one in rounds if one <= high]


FEW_JOBS = 30
"""Most jobs of a run that is drawn as in a textbook without being asked."""

_MOST_JOBS = 60
"""Of more jobs than these only the beginning is drawn, unless a window is given."""


class Slice(NamedTuple):
    """A time in which a job held neighboring processors.

    Attributes
    ----------
    job : int
        The job's row in the table of jobs.
    first, last : int
        Lowest and highest of its rows in the chart, from 0.
    start, end : float
        In seconds, not cut at the window.
    """

    job: int
    first: int
    last: int
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class TextbookChart:
    """What a textbook's Gantt chart shows of a run.

    Parameters
    ----------
    labels : list of str
        The jobs' names, by row of the table of jobs.
    submit, start, end : FloatColumn
        When each arrived, first started and ended, in seconds.
    sizes : IntColumn
        Processors of each job.
    rows : list of str
        Names of the rows, from the lowest: processors, or cores with their nodes.
    slices : tuple of Slice
        Those that lie in the window, by start, then row.
    low, high : float
        The window, in seconds.
    shown : tuple of int
        The jobs that arrived or ran in the window, by row of the table.
    outside : int
        How many slices lie outside the window.
    """

    labels: list[str]
    submit: FloatColumn
    start: FloatColumn
    end: FloatColumn
    sizes: IntColumn
    rows: list[str]
    slices: tuple[Slice, ...]
    low: float
    high: float
    shown: tuple[int, ...]
    outside: int

    @classmethod
    def of(cls, run: Run, window: tuple[float, float] | None = None) -> TextbookChart:
        """Return the chart of a run.

        Parameters
        ----------
        run : run
            A result or table of jobs.
        window : pair of float, optional
            Only from one time to another, in seconds of the log. Default: the whole schedule; of more than 60
            jobs until the 30th job has started.

        Raises
        ------
        InputError
            If a column is missing, or the window is empty.
        """
        table = JobTable.of(run)
        submit, start, end = table.submit, table.start, table.end
        if window is None and len(table) > _MOST_JOBS:
            until = float(np.sort(start)[FEW_JOBS])
            first = float(submit.min())
            window = (first, until if until > first else float(end.max()))
        low, high = table.window(window)
        if not high > low:
            high = low + 1.0
        slices, rows = _slices(table)
        inside = [one for one in slices if one.start < high and one.end > low]
        # At the right edge nothing has begun; where all is shown, nothing is left out.
        arrived = np.flatnonzero((submit >= low) & ((submit < high) | (window is None)))
        shown = sorted({*arrived.tolist(), *(one.job for one in inside)})
        ordered = tuple(sorted(inside, key=lambda one: (one.start, one.first)))
        names = table.labels("job_id")
        return cls(
            names,
            submit,
            start,
            end,
            table.size,
            rows,
            ordered,
            low,
            high,
            tuple(shown),
            len(slices) - len(inside),
        )

    @property
    def ran(self) -> int:
        """How many jobs held processors in the window."""
        return len({one.job for one in self.slices})

    @property
    def is_whole(self) -> bool:
        """Whether the window has all slices, and cuts none."""
        return not self.outside and all(self.low <= one.start and one.end <= self.high for one in self.slices)

    def arrivals(self) -> dict[float, list[str]]:
        """Return the names of the jobs that arrived in the window, by the time, ascending."""
        at: dict[float, list[str]] = {}
        for job in sorted(self.shown, key=lambda job: float(self.submit[job])):
            if self.low <= self.submit[job] <= self.high:
                at.setdefault(float(self.submit[job]), []).append(self.labels[job])
        return at

    @property
    def marks(self) -> list[float]:
        """The times at which slices begin or end in the window, or are cut by it, in seconds.

        Ascending; its ends if it has no slice.
        """
        if not self.slices:
            return [self.low, self.high]
        times = (time for one in self.slices for time in (one.start, one.end))
        return sorted({min(max(time, self.low), self.high) for time in times})


def _slices(table: JobTable) -> tuple[list[Slice], list[str]]:
    """Return all slices of a run, and the names of its rows."""
    has = table.has
    if Feature.NODES in has and (Feature.SITES not in has or table.is_held_by_node):
        nodes, held = table.held_nodes
        pieces = (held.row, held.start, held.release)
        return _boxes(pieces, held.cores), _core_names(nodes.names, nodes.first_core)
    pieces, allocation = held_pieces(table, None)
    drawn_on = drawn_sites(table)
    if drawn_on is None:
        return _boxes(pieces, allocation), [str(number) for number in range(table.processors)]
    bounds = [*first_processors(drawn_on).tolist(), drawn_on.processors]
    return _boxes(pieces, allocation), _core_names(list(drawn_on.names), np.array(bounds))


def _core_names(names: Sequence[str], first: IntColumn) -> list[str]:
    """Return the names of rows that belong to nodes or sites: its name, and the number in it."""
    sizes = np.diff(first).tolist()
    return [f"{name} {number}" for name, size in zip(names, sizes, strict=True) for number in range(size)]


def _boxes(pieces: tuple[IntColumn, FloatColumn, FloatColumn], sets: object) -> list[Slice]:
    """Return a slice for each interval of rows; of rows with the same times, slices that follow are one."""
    job, start, end = pieces
    offsets, first, last = (getattr(sets, name) for name in ("offsets", "first", "last"))
    piece = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    slices = [
        Slice(*values)
        for values in zip(
            job[piece].tolist(),
            first.tolist(),
            last.tolist(),
            start[piece].tolist(),
            end[piece].tolist(),
            strict=True,
        )
        if values[3] < values[4]
    ]
    return _join_slices(slices)


def _join_slices(slices: list[Slice]) -> list[Slice]:
    """Return slices of one job in the same rows, one right behind the other, as one.

    So what a job holds of several processors of a node, row by row, is one box, too.
    """
    beside: list[Slice] = []
    for one in sorted(slices, key=lambda one: (one.job, one.start, one.end, one.first)):
        last = beside[-1] if beside else None
        above = (one.job, one.start, one.end, one.first)
        if last and (last.job, last.start, last.end, last.last + 1) == above:
            beside[-1] = last._replace(last=one.last)
        else:
            beside.append(one)
    behind: list[Slice] = []
    for one in sorted(beside, key=lambda one: (one.job, one.first, one.last, one.start)):
        last = behind[-1] if behind else None
        if last and (last.job, last.first, last.last, last.end) == (one.job, one.first, one.last, one.start):
            behind[-1] = last._replace(end=one.end)
        else:
            behind.append(one)
    return behind
