"""Table of means with intervals: metrics side by side, or one metric over two axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.study.results.findings import ALL, JOINT
from echelon.plotting import Style
from echelon.reports.study.comparison import parts_of
from echelon.reports.study.quantity import Quantity
from echelon.reports.study.replication import quiet_about_scipy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.study.results.findings import Mean
    from echelon.experiments.study.results.results import StudyResults


@dataclass(frozen=True, slots=True)
class Column:
    """One column of means.

    Parameters
    ----------
    name : str
        The metric's.
    head : str
        What people call it.
    quantity : Quantity
        The metric with its unit.
    cells : tuple of Mean or None
        One a row; None where nothing was run.
    place : (str, str)
        The axis across and its value; empty if there is none.
    """

    name: str
    head: str
    quantity: Quantity
    cells: tuple[Mean | None, ...]
    place: tuple[str, str]


def _has_interval(cell: Mean | None) -> bool:
    return cell is not None and math.isfinite(cell.high)


@dataclass(frozen=True, slots=True)
class MeansTable:
    """Means with intervals of the values of one axis, or of combinations of several.

    Parameters
    ----------
    study : str
        The study's name.
    heads : tuple of str
        What the axes of the rows are called.
    axes : tuple of str
        Their names.
    rows : tuple of tuple of str
        The values of each row, as they are called.
    columns : tuple of Column
        The means.
    across : tuple of (str, int)
        What stands above groups of columns: a title, and how many columns it is above; empty if nothing.
    level : float
        Confidence of the intervals, 0 to 1.
    """

    study: str
    heads: tuple[str, ...]
    axes: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[Column, ...]
    across: tuple[tuple[str, int], ...]
    level: float

    def to_csv(self) -> str:
        """Return the table as CSV: numbers in full, in the units of the metrics, each bound in a column."""
        from echelon.reports.study.paper.text_tables import csv_text

        return csv_text(self)

    def to_markdown(self) -> str:
        """Return the table as Markdown, with a sentence on the intervals below it."""
        from echelon.reports.study.paper.text_tables import markdown_text

        return markdown_text(self)

    def to_latex(self) -> str:
        """Return the table as LaTeX, for the packages booktabs and siunitx."""
        from echelon.reports.study.paper.latex_table import latex_text

        return latex_text(self)

    def is_cut(self, column: Column) -> bool:
        """Return whether intervals of a column's metric are shown by their bounds, in all its columns."""
        cells = [cell for one in self.columns if one.name == column.name for cell in one.cells if cell]
        return column.quantity.is_cut(cells)

    @property
    def intervals_sentence(self) -> str:
        """What the intervals are: ``means ± half widths of 95 % intervals``."""
        shapes = {self.is_cut(one) for one in self.columns if any(map(_has_interval, one.cells))}
        level = f"{100 * self.level:g} %"
        if not shapes:
            return "means, without intervals"
        if shapes == {False}:
            return f"means ± half widths of {level} intervals"
        half = "± half width, or " if shapes == {True, False} else ""
        return f"means with {level} intervals: {half}[bounds] within the range of the metric"


def study_table(
    results: StudyResults,
    *,
    by: Sequence[str] | None = None,
    across: str | None = None,
    measures: Sequence[str] | None = None,
    style: Style | None = None,
) -> MeansTable:
    """Return means with intervals as a table.

    Parameters
    ----------
    results : StudyResults
        Of a study, which need not be finished.
    by : sequence of str, optional
        Axes of the rows: a row for each combination of their values that was run. Default: the axes that
        determine the scheduling, without `across`; of a study that compares nothing one row for all runs.
    across : str, optional
        A further axis, with a column for each of its values and each measure. Default: none, a column for
        each measure.
    measures : sequence of str, optional
        Metrics. Default: those of the study.
    style : Style, optional
        What values, axes and metrics are called, and the units of metrics.

    Returns
    -------
    MeansTable
        Means are over everything else that varies, as in `StudyResults.means`; intervals lie within the range
        of their metric.

    Raises
    ------
    UnknownNameError
        If there is no such axis or measure.
    InputError
        If no run is finished, an axis is named twice, or there is no measure.
    """
    shown = style or Style()
    names = list(results.measures if measures is None else measures)
    if results.table.is_empty():
        raise InputError("has no finished run yet, so no means", file=str(results.folder or ""))
    if not names:
        raise InputError("needs at least one metric, got none", field="measures")
    quantities = [Quantity.of(results, name, shown.metric(name)) for name in names]
    axes, axis, joined = _join_axes(results, _row_axes(results, by, across))
    values = joined.values_of(axis)
    with quiet_about_scipy():
        columns = tuple(_columns(joined, axis, across, quantities, shown))
    parts = parts_of(joined, axis, axes)
    return MeansTable(
        study=results.outline.name,
        axes=tuple(axes),
        heads=tuple("" if name == ALL else shown.axis(name) for name in axes),
        rows=tuple(tuple(map(shown.value, parts[value])) for value in values),
        columns=columns,
        across=tuple((one.label_with_unit, len(columns) // len(names)) for one in quantities)
        if across
        else (),
        level=results.outline.level,
    )


def _row_axes(results: StudyResults, by: Sequence[str] | None, across: str | None) -> list[str]:
    axes = [axis for axis in results.compared if axis != across] if by is None else list(by)
    for axis in (*axes, *([across] if across else [])):
        results.others(axis)  # refuses an unknown one
    twice = next((axis for axis in axes if axes.count(axis) > 1 or axis == across), None)
    if twice is not None:
        raise InputError("is named twice; rows and columns need different axes", field=f"axis {twice}")
    return axes


def _join_axes(results: StudyResults, axes: list[str]) -> tuple[list[str], str, StudyResults]:
    """Return the axes of the rows, the one axis that they are joined to, and the results with it."""
    if not axes:
        return [ALL], ALL, results.as_one()
    if len(axes) == 1:
        return axes, axes[0], results
    return axes, JOINT.join(axes), results.joint(*axes)


def _columns(
    results: StudyResults, axis: str, across: str | None, quantities: Sequence[Quantity], style: Style
) -> Iterator[Column]:
    values = results.values_of(axis)
    for quantity in quantities:
        for place, part in _places(results, across):
            head = f"{style.axis(place[0])} {style.value(place[1])}" if across else quantity.label_with_unit
            means = _means(part, axis, quantity)
            cells = tuple(means.get(value) for value in values)
            yield Column(quantity.name, head, quantity, cells, place)


def _places(results: StudyResults, across: str | None) -> Iterator[tuple[tuple[str, str], StudyResults]]:
    """Yield each value of the axis across and its runs; without such an axis all runs."""
    if across is None:
        yield ("", ""), results
        return
    for value in results.values_of(across):
        yield (across, value), results.where(**{across: value})


def _means(results: StudyResults, axis: str, quantity: Quantity) -> dict[str, Mean]:
    """Return the means that are known."""
    if results.table.drop_nulls(quantity.name).is_empty():
        return {}
    return {one.value: one for one in results.means(axis, quantity.name) if one.experiments}
