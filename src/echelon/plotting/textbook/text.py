"""Text Gantt: a few jobs as boxes of characters, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.plotting.textbook.character_grid import CharacterGrid, columns_of
from echelon.plotting.textbook.chart import TextbookChart, TimeAxis
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.plotting.job_table import Run
    from echelon.plotting.textbook.chart import Slice

_MOST_ROWS = 16
"""Processors that have a row each; on more, jobs have."""

NARROWEST = 30
"""Columns below which no chart is drawn."""

_WIDEST_SECOND = 8
"""Most columns of a second: a chart of a few seconds need not fill the terminal."""

_MARK_LINES = 2
_ARRIVAL_LINES = 4
_MOST_NAME = 18


class _Scale(NamedTuple):
    """Where times are: the first one, columns of a second, the column of the first time, and their number."""

    low: float
    per_second: float
    left: int
    columns: int

    def at(self, time: float) -> int:
        """Return the column of a time, at an edge if it lies beyond."""
        place = round((time - self.low) * self.per_second)
        return self.left + min(max(place, 0), self.columns)


def text_gantt(
    run: Run,
    *,
    width: int = 80,
    window: tuple[float, float] | None = None,
    is_ascii: bool = False,
    colors: bool = False,
) -> str:
    """Return the Gantt chart of a few jobs as text, as textbooks draw it.

    Parameters
    ----------
    run : run
        A result or table of jobs.
    width : int, default 80
        Columns of the terminal, at least 30.
    window : pair of float, optional
        Only from one time to another, in seconds of the log. Default: the whole schedule; of more than 60
        jobs until the 30th job has started.
    is_ascii : bool, default False
        Whether only ASCII is written.
    colors : bool, default False
        Whether boxes have a color behind them, by job, as terminals of 256 colors show it.

    Returns
    -------
    str
        Lines without a line break at the end. Above are the arrivals, a mark each. Boxes are the times in
        which a job held processors, with its name in the middle where there is room; a time in which it was
        suspended is left blank. Below the boundaries are the times. One processor has one row; up to 16
        processors, or cores, have a row each, the first at the bottom. On more each job has a row: dots while
        it waits, full while it runs. What is left out is said below.

    Raises
    ------
    InputError
        If a column is missing, the window is empty, or the terminal is too narrow.

    Examples
    --------
    >>> import echelon as ec
    >>> from echelon import plotting
    >>> jobs = ec.Workload.from_columns(submit_time=[0, 1, 2], run_time=[5, 3, 1], processors=[1, 1, 1])
    >>> result = ec.simulate(jobs, processors=1, policy="round-robin(quantum=2)")
    >>> print(plotting.text_gantt(result, is_ascii=True))
    1       2       3
    v       v       v
    +---------------+---------------+-------+---------------+-------+-------+
    |       1       |       2       |   3   |       1       |   2   |   1   |
    +---------------+---------------+-------+---------------+-------+-------+
    0               2               4       5               7       8       9
    time (s)
    """
    if width < NARROWEST:
        raise InputError(f"needs at least {NARROWEST} columns, got {width}", field="width")
    chart = TextbookChart.of(run, window)
    by_job = len(chart.rows) > _MOST_ROWS
    lines, tiny = (
        _by_job(chart, width, is_ascii, colors) if by_job else _by_row(chart, width, is_ascii, colors)
    )
    return "\n".join([*lines, *_notes(chart, tiny, by_job=by_job)])


def _by_row(chart: TextbookChart, width: int, is_ascii: bool, colors: bool) -> tuple[list[str], int]:
    """Return the chart with a row for each processor, and how many slices were too short to be drawn."""
    rows = len(chart.rows)
    names = [_shorten(name, _MOST_NAME) for name in chart.rows] if rows > 1 else []
    axis = TimeAxis.of(chart)
    marks = axis.name_times(chart.marks)
    scale = _scale(chart, names, marks, width)
    arrivals, above = _arrivals(chart, scale, width)
    top, height = len(above) + 1, 2 * rows + 1
    grid = CharacterGrid(width, top + height + _MARK_LINES, is_ascii=is_ascii)
    _write_lines(grid, 0, above)
    for column in arrivals:
        grid.write(top - 1, column, "▼")
    tiny = 0
    grid.level(scale.left, scale.left + scale.columns, top + height - 1)
    for one in chart.slices:
        tiny += not _draw(grid, one, chart.labels[one.job], scale, top + 2 * (rows - 1))
    for row, name in enumerate(names):
        grid.write(top + 2 * (rows - 1 - row) + 1, 0, name)
    _write_lines(grid, top + height, _place_texts([(scale.at(time), text) for time, text in marks], width)[0])
    return _drop_empty([*grid.lines(colors=colors), axis.title]), tiny


def _draw(grid: CharacterGrid, one: Slice, label: str, scale: _Scale, lowest: int) -> bool:
    """Draw a slice as a box with its label; return whether it is wide enough."""
    left, right = scale.at(one.start), scale.at(one.end)
    if left == right:
        return False
    top, bottom = lowest - 2 * one.last, lowest - 2 * one.first + 2
    grid.box(left, top, right, bottom)
    inside = range(left + 1, right)
    grid.ground(range(top + 1, bottom), inside, one.job)
    text = grid.spell(label)
    if columns_of(text) <= len(inside):
        grid.write((top + bottom) // 2, left + 1 + (len(inside) - columns_of(text)) // 2, text)
    return True


def _by_job(chart: TextbookChart, width: int, is_ascii: bool, colors: bool) -> tuple[list[str], int]:
    """Return the chart with a row for each job, and how many slices were too short to be drawn."""
    names = [_shorten(f"{chart.labels[job]} ({chart.sizes[job]})", _MOST_NAME) for job in chart.shown]
    axis = TimeAxis.of(chart)
    marks = axis.name_times(axis.even_times(chart))
    scale = _scale(chart, names, marks, width)
    rows = len(names)
    grid = CharacterGrid(width, rows + 1 + _MARK_LINES, is_ascii=is_ascii)
    row_of = {job: row for row, job in enumerate(chart.shown)}
    for job, row in row_of.items():
        grid.write(row, 0, names[row])
        begin, until = scale.at(chart.submit[job]), scale.at(chart.start[job])
        grid.write(row, begin, "·" * (until - begin))
    tiny = 0
    for one in chart.slices:
        begin, until = scale.at(one.start), scale.at(one.end)
        tiny += begin == until
        grid.write(row_of[one.job], begin, "█" * (until - begin))
    grid.level(scale.left, scale.left + scale.columns, rows)
    _write_lines(grid, rows + 1, _place_texts([(scale.at(time), text) for time, text in marks], width)[0])
    return _drop_empty([*grid.lines(colors=colors), axis.title]), tiny


def _write_lines(grid: CharacterGrid, first: int, lines: Sequence[Sequence[tuple[int, str]]]) -> None:
    for line, texts in enumerate(lines, first):
        for column, text in texts:
            grid.write(line, column, text)


def _scale(
    chart: TextbookChart, names: Sequence[str], marks: Sequence[tuple[float, str]], width: int
) -> _Scale:
    """Return the widest scale that fits beside names, whole columns a second where that is possible."""
    left = max(map(columns_of, names), default=-1) + 1
    room = width - 1 - left - max((len(text) for _, text in marks[-1:]), default=0) // 2
    span = chart.high - chart.low
    fitting = room / span
    per_second = float(min(int(fitting), _WIDEST_SECOND)) if fitting >= 1 else fitting
    return _Scale(chart.low, per_second, left, min(room, round(span * per_second)))


def _place_texts(
    marks: Sequence[tuple[int, str]], width: int, most: int = _MARK_LINES
) -> tuple[list[list[tuple[int, str]]], list[str]]:
    """Return up to `most` lines of texts centered at their columns, and the texts that have no room."""
    lines: list[list[tuple[int, str]]] = [[] for _ in range(most)]
    free = [0] * most
    left: list[str] = []
    last: tuple[int, str] | None = None
    for mark in marks:
        if mark == last:
            continue
        last = mark
        column, text = mark
        wide = columns_of(text)
        begin = max(0, min(column - (wide - 1) // 2, width - wide))
        line = next((number for number, edge in enumerate(free) if begin >= edge), None)
        if line is None:
            left.append(text)
        else:
            lines[line].append((begin, text))
            free[line] = begin + wide + 1
    return lines, left


def _arrivals(
    chart: TextbookChart, scale: _Scale, width: int
) -> tuple[list[int], list[list[tuple[int, str]]]]:
    """Return the columns at which jobs arrive, and lines with their names above, as far as there is room."""
    at: dict[int, list[str]] = {}
    for job in chart.shown:
        if chart.low <= chart.submit[job] <= chart.high:
            at.setdefault(scale.at(chart.submit[job]), []).append(chart.labels[job])
    columns = sorted(at)
    names = [(column, _shorten(",".join(at[column]), _MOST_NAME)) for column in columns]
    lines, _ = _place_texts(names, width, _ARRIVAL_LINES)
    return columns, [line for line in reversed(lines) if line]


def _notes(chart: TextbookChart, tiny: int, *, by_job: bool) -> list[str]:
    """Return what the chart shows in an unusual way, and what it leaves out."""
    notes = []
    if by_job:
        notes.append("A row a job (its processors): dots while it waits, full while it runs.")
    if tiny:
        notes.append(f"{tally(tiny, 'time')} on a processor shorter than a column not drawn.")
    if not chart.is_whole:
        ran = f"{chart.ran:,} of {tally(len(chart.labels), 'job')} held processors"
        notes.append(f"Shown: {chart.low:,.10g} s to {chart.high:,.10g} s, in which {ran}.")
    return notes


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _drop_empty(lines: list[str]) -> list[str]:
    """Return lines without empty ones between the chart and the name of its axis."""
    return [line for number, line in enumerate(lines) if line or number == 0]
