"""A few jobs as textbooks draw them: bordered boxes with the jobs' names, as SVG that needs no script."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.plotting.textbook.chart import FEW_JOBS, TextbookChart, TimeAxis
from echelon.quantities import tally
from echelon.reports.panels.panel import Content, Panel, absent, hint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.reports.tables import RunTables

_MOST_ROWS = 64
"""Processors of the largest machine that is drawn."""

_MOST_RUNS = 6
_WIDTH, _LETTER = 960.0, 7.4
"""Units of the drawing, of which a letter takes so many."""

_TOP, _BOTTOM, _RIGHT = 40.0, 26.0, 14.0
_NAME_LINE, _ARRIVAL_LINES = 13.0, 4
"""Height and number of the lines of names above the chart; two are always left room for."""
_SHADES = 8

_READING = (
    "A box is a time in which a job held processors; a triangle above is an arrival. Where a job was "
    "suspended, nothing is drawn. Colors come again with every eighth job."
)


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    """Return the charts of the runs over the same time; nothing where there are many jobs or processors."""
    if any(run.jobs.height > FEW_JOBS or run.processors > _MOST_ROWS for run in runs):
        return None
    try:
        charts = _charts(runs[:_MOST_RUNS])
    except InputError as error:
        return absent(f"Not drawn: {error}.")
    several = len(runs) > 1
    figures = "\n".join(
        _figure(chart, name if several else "") for chart, name in zip(charts, names, strict=False)
    )
    left = len(runs) - len(charts)
    rest = f" {tally(left, 'further run')} not drawn." if left else ""
    return Content(f"{figures}{hint(_READING + rest)}")


def _charts(runs: Sequence[RunTables]) -> list[TextbookChart]:
    """Return the chart of each run, all over the same time."""
    charts = [TextbookChart.of(run) for run in runs]
    window = min(chart.low for chart in charts), max(chart.high for chart in charts)
    return [TextbookChart.of(run, window) for run in runs]


PANEL = Panel("textbook", "Schedule as in a textbook", _content)


def _figure(chart: TextbookChart, name: str) -> str:
    caption = f"<figcaption>{html.escape(name)}</figcaption>" if name else ""
    about = f' tabindex="0" role="region" aria-label="{html.escape(f"Chart of {name}" if name else "Chart")}"'
    return f'<figure class="textbook">{caption}<div class="scroll"{about}>{_svg(chart)}</div></figure>'


def _svg(chart: TextbookChart) -> str:
    rows = len(chart.rows)
    row = 48.0 if rows == 1 else max(9.0, min(30.0, 420.0 / rows))
    left = 10.0 if rows == 1 else 12.0 + _LETTER * max(map(len, chart.rows))
    plot = _Plot(chart, left, row)
    parts = [*_boxes(plot), *_rows(plot), *_marks(plot), *_arrivals(plot)]
    return (
        f'<svg viewBox="0 0 {_WIDTH:g} {plot.bottom + _BOTTOM + 16:g}" role="img" '
        f'aria-label="{html.escape(_describe(chart))}">{"".join(parts)}</svg>'
    )


class _Plot:
    """A chart and where its times and rows are in the drawing."""

    def __init__(self, chart: TextbookChart, left: float, row: float) -> None:
        self.chart, self.left, self.row = chart, left, row
        self.scale = (_WIDTH - left - _RIGHT) / (chart.high - chart.low)
        self.arrivals = list(_named_arrivals(self))
        lines = 1 + max((line for *_, line in self.arrivals), default=0)
        self.top = _TOP + _NAME_LINE * max(0, lines - 2)
        self.bottom = self.top + len(chart.rows) * row

    def x(self, time: float) -> float:
        """Return where a time is, at an edge if it lies beyond."""
        inside = min(max(time, self.chart.low), self.chart.high)
        return self.left + (inside - self.chart.low) * self.scale

    def y(self, row: int) -> float:
        """Return the lower edge of a row."""
        return self.bottom - row * self.row


def _boxes(plot: _Plot) -> Iterator[str]:
    for one in plot.chart.slices:
        left, right = plot.x(one.start), plot.x(one.end)
        top, bottom = plot.y(one.last + 1), plot.y(one.first)
        label = plot.chart.labels[one.job]
        title = html.escape(f"job {label}: {one.start:,.10g} s to {one.end:,.10g} s")
        yield (
            f'<rect class="job-{one.job % _SHADES}" x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" '
            f'height="{bottom - top:.2f}"><title>{title}</title></rect>'
        )
        if len(label) * _LETTER <= right - left and bottom - top >= 9:
            yield _text((left + right) / 2, (top + bottom) / 2 + 4.5, label, "middle")


def _rows(plot: _Plot) -> Iterator[str]:
    """Yield the base line, and the names of the rows or of every so many."""
    yield f'<path d="M{plot.left:g} {plot.bottom:g}H{_WIDTH - _RIGHT:g}"/>'
    rows = len(plot.chart.rows)
    if rows == 1:
        return
    step = max(1, round(14 / plot.row))
    for number in range(0, rows, step):
        yield _text(plot.left - 6, plot.y(number) - plot.row / 2 + 4.5, plot.chart.rows[number], "end")


def _marks(plot: _Plot) -> Iterator[str]:
    """Yield the times below the boxes' edges; of those that would touch, the first."""
    axis, free = TimeAxis.of(plot.chart), 0.0
    for time, text in axis.name_times(plot.chart.marks):
        x = plot.x(time)
        yield f'<path d="M{x:.2f} {plot.bottom:g}v5"/>'
        half = len(text) * _LETTER / 2
        if x - half >= free:
            yield _text(x, plot.bottom + 19, text, "middle")
            free = x + half + 5
    yield _text(_WIDTH / 2, plot.bottom + 37, axis.title, "middle")


def _named_arrivals(plot: _Plot) -> Iterator[tuple[float, float, str, int]]:
    """Yield where each arrival is, the middle of its names, the names, and their line; -1 without room."""
    free = [0.0] * _ARRIVAL_LINES
    for time, names in plot.chart.arrivals().items():
        x, text = plot.x(time), ",".join(names)
        half = len(text) * _LETTER / 2
        middle = min(max(x, half), _WIDTH - half)
        line = next((line for line, edge in enumerate(free) if middle - half >= edge), -1)
        if line >= 0:
            free[line] = middle + half + 3
        yield x, middle, text, line


def _arrivals(plot: _Plot) -> Iterator[str]:
    """Yield a triangle at each arrival, and the names of the jobs above where there is room."""
    for x, middle, text, line in plot.arrivals:
        yield f'<path class="arrival" d="M{x - 5:.2f} {plot.top - 9:g}h10l-5 8z"/>'
        if line >= 0:
            yield _text(middle, plot.top - 13 - _NAME_LINE * line, text, "middle")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _describe(chart: TextbookChart) -> str:
    """Describe the chart: which jobs held processors from when to when, in the order of time."""
    slices = {(one.job, one.start, one.end): None for one in chart.slices}
    held = "; ".join(f"job {chart.labels[job]} {start:,.10g} to {end:,.10g} s" for job, start, end in slices)
    return f"Gantt chart. {held}."
