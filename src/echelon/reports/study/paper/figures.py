"""Every figure of a study as a file of its own, in the style of a paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import performance_profile
from echelon.errors import InputError
from echelon.experiments.folders.comparison_folder import folder_names
from echelon.experiments.study.results.findings import ALL, JOINT
from echelon.plotting import (
    Estimate,
    Point,
    Style,
    apply_style,
    plot_bars,
    plot_boxes,
    plot_critical_difference,
    plot_curves,
    plot_front,
    plot_intervals,
    plot_performance_profile,
)
from echelon.plotting.canvas import new_axes
from echelon.plotting.policies.performance_profile import MOST_LINES
from echelon.plotting.study.column import (
    fit_labels,
    is_wide,
    legend_below,
    number_axis,
    row_heights,
    without_legend,
    wrap_names,
)
from echelon.quantities import figure, percentage
from echelon.reports.figure_files import check_figure_format, write_drawings
from echelon.reports.study.axis_curves import curve_of, lines_of, numeric_axes
from echelon.reports.study.charts import MOST_JOINED
from echelon.reports.study.comparison import MOST_VALUES
from echelon.reports.study.fronts import fronts_of
from echelon.reports.study.quantity import Quantity
from echelon.reports.study.replication import quiet_about_scipy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.axes import Axes

    from echelon.experiments.study.results.results import StudyResults
    from echelon.reports.study.charts import Curve

    Drawing = Callable[[], Axes]

_MOST_BARS = 8
"""Values of an axis that have bars; intervals say more of many."""

_TALL = 0.62
"""Height of curves, as a share of the width, but at most `_HIGHEST` inches."""

_HIGHEST = 2.8


def write_study_figures(
    results: StudyResults,
    folder: str | Path,
    kind: str,
    *,
    style: Style | None = None,
    measures: Sequence[str] | None = None,
    fronts: Sequence[Sequence[str]] | None = None,
) -> tuple[list[Path], list[str]]:
    """Write every figure of a study into `folder`, each as a file of its own.

    Parameters
    ----------
    results : StudyResults
        Of a study, which need not be finished.
    folder : str or Path
        Made if need be; files of the same names in it are replaced.
    kind : {"png", "svg", "pdf"}
        The format; also the files' ending.
    style : Style, optional
        Width, font and labels; see `echelon.read_style`. Default: a column of 89 mm, letters of 8 pt.
    measures : sequence of str, optional
        Metrics shown. Default: those of the study.
    fronts : sequence of sequence of str, optional
        Two or three metrics each, of which a Pareto front is drawn. Default: the study's, else that of its
        first two measures.

    Returns
    -------
    list of Path, list of str
        The files, and a sentence for each figure that could not be drawn, with the reason. Intervals of means
        are drawn within the range of their metric.

    Raises
    ------
    UnknownNameError
        If there is no such format or measure.
    InputError
        If no run is finished, the machine lacks the style's font, or the folder cannot be written.
    MissingExtraError
        If matplotlib is not installed; the message says what to install.
    """
    check_figure_format(kind)
    names = list(results.measures if measures is None else measures)
    for name in names:
        results.metric(name)
    if results.table.is_empty():
        raise InputError("has no finished run yet, so no figures", file=str(results.folder or ""))
    chosen = style or Style()
    with apply_style(chosen), quiet_about_scipy():
        drawings = list(_Drawings(results, chosen, names).all(fronts_of(results, names, fronts)))
        files = folder_names(name.replace("_", "-") for name, _ in drawings)
        named = [(file, partial(_draw_whole, draw)) for file, (_, draw) in zip(files, drawings, strict=True)]
        return write_drawings(named, Path(folder), kind, resolution=chosen.resolution)


@dataclass(frozen=True, slots=True)
class _Drawings:
    """The figures of a study in one style, each with its name."""

    results: StudyResults
    style: Style
    measures: Sequence[str]

    def all(self, fronts: Sequence[Sequence[str]]) -> Iterator[tuple[str, Drawing]]:
        """Yield them in the order of the page."""
        compared = self.results.compared
        results = self.results if compared else self.results.as_one()
        for axis in compared or [ALL]:
            for measure in self.measures:
                yield from self._draw_comparisons(results, axis, measure)
        for axis in numeric_axes(self.results):
            for measure in self.measures:
                yield f"along-{axis}-{measure}", partial(self.along, axis, measure)
        for front in fronts if compared else ():
            for pair in combinations(front, 2):
                third = "".join(f"-by-{name}" for name in front if name not in pair)
                name = f"pareto-{'-'.join(pair)}{third}"
                yield name, partial(self.front, front, pair)
        if len(self.results.axes) > 1:
            for measure in self.measures:
                yield f"effects-{measure}", partial(self.effects, measure)

    def _draw_comparisons(
        self, results: StudyResults, axis: str, measure: str
    ) -> Iterator[tuple[str, Drawing]]:
        """Yield figures of the values of one axis."""
        values = results.values_of(axis)
        if len(values) > MOST_VALUES:
            return
        ending = f"{axis}-{measure}"
        yield f"intervals-{ending}", partial(self.intervals, results, axis, measure)
        if len(values) <= _MOST_BARS:
            yield f"bars-{ending}", partial(self.bars, results, axis, measure)
        samples = results.experiments(axis, measure)
        if any(len(samples.column(value)) > 1 for value in values):
            yield f"distribution-{ending}", partial(self.distribution, results, axis, measure)
        if results.can_test and results.ranks(axis, measure) is not None:
            yield f"ranks-{ending}", partial(self.ranks, results, axis, measure)
        if len(values) > 1 and len(samples.complete) > 1:
            yield f"profile-{ending}", partial(self.profile, results, axis, measure)

    def quantity(self, measure: str) -> Quantity:
        """Return a measure as the style shows it."""
        return Quantity.of(self.results, measure, self.style.metric(measure))

    def labels_of(self, values: Sequence[str]) -> list[str]:
        """Return what values are called."""
        return [_value_label(self.style, value) for value in values]

    def axes(self, height: float | None = None) -> Axes:
        """Return axes of a new figure of the style's width."""
        width = self.style.width
        return new_axes(None, width=width, height=height or min(_TALL * width, _HIGHEST))

    def intervals(self, results: StudyResults, axis: str, measure: str) -> Axes:
        """Draw means with their intervals."""
        quantity = self.quantity(measure)
        rows = [
            Estimate(_value_label(self.style, one.value), quantity.scale(one.mean), *quantity.interval(one))
            for one in results.means(axis, measure)
        ]
        return plot_intervals(rows, label=quantity.label_with_unit, width=self.style.width)

    def bars(self, results: StudyResults, axis: str, measure: str) -> Axes:
        """Draw means as bars, with their intervals."""
        quantity = self.quantity(measure)
        means = [one for one in results.means(axis, measure) if math.isfinite(one.mean)]
        ends = {one.value: quantity.interval(one) for one in means if math.isfinite(one.high)}
        bars = {one.value: quantity.scale(one.mean) for one in means}
        intervals = {"": ends} if len(ends) == len(bars) else None
        return self._named_bars(bars, quantity.label_with_unit, self.labels_of(list(bars)), intervals)

    def _named_bars(
        self,
        bars: dict[str, float],
        label: str,
        shown: Sequence[str],
        intervals: dict[str, dict[str, tuple[float, float]]] | None = None,
        shares: bool = False,
    ) -> Axes:
        lines = wrap_names(shown, self.style.width)
        ax = self.axes(0.5 + 1.15 * sum(row_heights(lines, 0.2)))
        plot_bars(
            {"": bars},
            label=label,
            intervals=intervals,
            shown=percentage if shares else figure,
            logarithmic=False if shares else None,
            ax=ax,
        )
        ax.set_yticks(range(len(lines)), lines)
        if ax.get_xscale() == "linear":
            # Room for the numbers, whose letters do not grow with the figure.
            ax.set_xlim(0, ax.get_xlim()[1] * 1.12)
        number_axis(ax.xaxis)
        return ax

    def distribution(self, results: StudyResults, axis: str, measure: str) -> Axes:
        """Draw the distribution over experiments."""
        quantity, experiments = self.quantity(measure), results.experiments(axis, measure)
        values = results.values_of(axis)
        samples = [quantity.factor * experiments.column(value) for value in values]
        return plot_boxes(
            self.labels_of(values), samples, label=quantity.label_with_unit, width=self.style.width
        )

    def ranks(self, results: StudyResults, axis: str, measure: str) -> Axes:
        """Draw mean ranks with the critical difference."""
        ranked = results.ranks(axis, measure)
        if ranked is None:
            raise InputError("ranks need three values and two experiments of each")
        return plot_critical_difference(ranked[0], self.labels_of(ranked[1]), width=self.style.width)

    def profile(self, results: StudyResults, axis: str, measure: str) -> Axes:
        """Draw how often each value is within a factor of the best."""
        experiments = results.experiments(axis, measure)
        if len(experiments.names) > MOST_LINES:
            raise InputError(
                f"at most {MOST_LINES} lines can be distinguished, there are {len(experiments.names)}"
            )
        profile = performance_profile(experiments.complete, better=results.better(measure))
        ax = plot_performance_profile(profile, experiments.names, ax=self.axes())
        number_axis(ax.xaxis)
        ax.set_title(self.quantity(measure).label)
        legend_below(ax, self.labels_of(experiments.names))
        return ax

    def along(self, axis: str, measure: str) -> Axes:
        """Draw a measure along a numeric axis."""
        results, quantity = self.results, self.quantity(measure)
        by = lines_of(results, axis, MOST_LINES)
        names = [""] if by is None else results.values_of(by)
        lines = [one for name in names if (one := curve_of(results, axis, quantity, by, name)[0]).x]
        if not lines:
            raise InputError(f"no run has a value on the axis {axis} and a {measure}")
        ax = self.axes()
        x = sorted({value for one in lines for value in one.x})
        y, low, high = ([_spread(one, part, x, quantity) for one in lines] for part in ("y", "low", "high"))
        keys = [one.name for one in lines]
        plot_curves(
            x,
            dict(zip(keys, y, strict=True)),
            labels=(_axis_label(self.style, axis), quantity.label_with_unit),
            bands=dict(zip(keys, zip(low, high, strict=True), strict=True)),
            joined=len(x) <= MOST_JOINED,
            bridged=True,
            ax=ax,
        )
        _scale_curves(ax, x, [value for part in (*y, *low, *high) for value in part if math.isfinite(value)])
        if by is None:
            without_legend(ax)
        else:
            legend_below(ax, self.labels_of(keys), title=_axis_label(self.style, by))
        return ax

    def front(self, measures: Sequence[str], pair: tuple[str, str]) -> Axes:
        """Draw the choices in the plane of two measures; a third one is their color."""
        quantities = {name: self.quantity(name) for name in measures}
        third = [name for name in measures if name not in pair]
        points = []
        for one in self.results.pareto(*measures):
            values = {name: quantities[name].scale(v) for name, v in zip(measures, one.values, strict=True)}
            color = values[third[0]] if third else math.nan
            name = _value_label(self.style, one.name)
            points.append(Point(name, values[pair[0]], values[pair[1]], one.is_front, color))
        right, up = (quantities[name].label_with_unit for name in pair)
        color_label = quantities[third[0]].label_with_unit if third else ""
        return plot_front(points, labels=(right, up), color_label=color_label, width=self.style.width)

    def effects(self, measure: str) -> Axes:
        """Draw how much of the variance each axis explains by itself."""
        effects = self.results.effects(measure)
        bars = {axis: 100 * one.share for axis, one in effects.items() if math.isfinite(one.share)}
        if not bars:
            raise InputError(f"{measure} is the same in all runs")
        shown = [_axis_label(self.style, axis) for axis in bars]
        ax = self._named_bars(bars, "share of the variance (%)", shown, shares=True)
        ax.set_title(self.quantity(measure).label)
        return ax


def _value_label(style: Style, value: str) -> str:
    """Return what a value is called; of a combination of several, each by its own name."""
    if value in style.labels:
        return style.labels[value]
    return JOINT.join(map(style.value, value.split(JOINT)))


def _axis_label(style: Style, axis: str) -> str:
    """Return what an axis is called, or several that were joined."""
    return JOINT.join(map(style.axis, axis.split(JOINT)))


def _draw_whole(draw: Drawing) -> Axes:
    """Draw a figure whose labels are whole, however long the style made them."""
    return fit_labels(draw())


def _spread(one: Curve, part: str, x: Sequence[float], quantity: Quantity) -> list[float]:
    """Return the values of a line at each of `x`, NaN where it has none."""
    ends = dict(zip(one.x, getattr(one, part), strict=True))
    return [quantity.scale(ends.get(value, math.nan)) for value in x]


def _scale_curves(ax: Axes, x: Sequence[float], values: Sequence[float]) -> None:
    if is_wide(x):
        ax.set_xscale("log")
    if is_wide(values):
        ax.set_yscale("log")
        ax.set_ylabel(f"{ax.get_ylabel()}, log.")
    elif values and min(values) >= 0:
        ax.set_ylim(bottom=0 if min(values) < 0.5 * max(values) else None)
    few = np.unique(x)
    number_axis(ax.xaxis)
    number_axis(ax.yaxis)
    if len(few) <= 6 and not is_wide(x):
        ax.set_xticks(few.tolist())
