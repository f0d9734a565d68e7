"""The part of the page on numeric axes: measures along loads and parameters."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from echelon.experiments.study.results.comparison_table import label_of_value
from echelon.reports.panels.panel import hint
from echelon.reports.study import markup
from echelon.reports.study.chart_data import curves_data
from echelon.reports.study.charts import MOST_JOINED, Curve, curves
from echelon.reports.study.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.results.results import StudyResults

MOST_LINES = 12
"""Lines of one chart."""


def numeric_axes(results: StudyResults) -> list[str]:
    """Return the axes of numbers that vary, but for the seeds."""
    return [axis for axis in results.axes if axis not in results.replicated and results.is_numeric(axis)]


def draw_along(results: StudyResults, axis: str, measures: Sequence[str]) -> str:
    """Return the curves of measures along a numeric axis."""
    by = lines_of(results, axis)
    names = [""] if by is None else results.values_of(by)
    charts = []
    for measure in measures:
        quantity = Quantity.of(results, measure)
        candidates = [(name, *curve_of(results, axis, quantity, by, name)) for name in names]
        rows = [(name, line, count) for name, line, count in candidates if line.x]
        lines, counts = [line for _, line, _ in rows], [count for _, _, count in rows]
        labels = [{} if by is None else {by: name} for name, _, _ in rows]
        chart = curves(lines, quantity, along=axis)
        data = curves_data(measure, axis, lines, labels, counts)
        charts.append(
            f'<div class="measure" data-measure="{html.escape(measure)}">'
            f"{markup.figure(chart, quantity.label, data)}</div>"
        )
    left = "" if by is None else markup.legend(names)
    return left + markup.pair(*charts) + hint(_reading(results, axis, by))


def lines_of(results: StudyResults, axis: str, most: int = MOST_LINES) -> str | None:
    """Return the axis whose values are a line each: the first compared one that is not too long."""
    fixed = [name for name in results.others(axis) if name not in results.replicated]
    fixed.sort(key=lambda name: name not in results.compared)
    return next((name for name in fixed if len(results.values_of(name)) <= most), None)


def curve_of(
    results: StudyResults, axis: str, quantity: Quantity, by: str | None, name: str
) -> tuple[Curve, list[int]]:
    """Return the means of a measure along a numeric axis, with their intervals, of one value of another.

    Beside them is how many experiments each of its points has.
    """
    part = results if by is None else results.where(**{by: name})
    means = part.means(axis, quantity.name) if len(part.table) else []
    # Runs that the axis does not concern, as they use no such parameter, are not on it.
    finite = [one for one in means if math.isfinite(one.mean) and one.value != label_of_value(None)]
    points = ((float(one.value), one.mean, *quantity.metric.within(one.low, one.high)) for one in finite)
    columns = list(zip(*points, strict=True))
    x, y, low, high = columns or ((), (), (), ())
    if len(x) > MOST_JOINED:
        low = high = (math.nan,) * len(x)
    return Curve(name or quantity.name, x, y, low, high), [one.experiments for one in finite]


def _reading(results: StudyResults, axis: str, by: str | None) -> str:
    others = [name for name in results.others(axis) if name != by]
    if not others:
        return "Each point is one run."
    if len(results.values_of(axis)) > MOST_JOINED:
        return f"Points are means over {' and '.join(others)}."
    if results.is_certain or not results.can_test:
        return f"Points are means over {' and '.join(others)}."
    level = f"{100 * results.outline.level:g} %"
    return f"Points are means over {' and '.join(others)}; shaded, their {level} intervals."
