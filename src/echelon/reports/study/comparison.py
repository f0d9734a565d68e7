"""The part of the page on one axis: means, differences from the baseline, ranks, needed replications."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.experiments.study.results.comparison_table import label_of_value
from echelon.experiments.study.results.findings import JOINT
from echelon.quantities import figure, format_signed, half_width, percentage
from echelon.reports.panels.panel import hint
from echelon.reports.study import markup
from echelon.reports.study.chart_data import boxes_data, intervals_data, profile_data, ranks_data
from echelon.reports.study.charts import boxes, intervals, profile_chart, profile_factors
from echelon.reports.study.quantity import Quantity
from echelon.reports.study.rank_chart import rank_diagram
from echelon.reports.study.replication import (
    dependence_notes,
    experiment_name,
    no_scipy,
    replication_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.experiments.study.results.findings import Difference, Mean, Need
    from echelon.experiments.study.results.results import StudyResults

MOST_VALUES = 40
"""Values of an axis that have a row each; those of an axis with more are shown along it."""


def comparison(results: StudyResults, axis: str, measures: Sequence[str], baseline: str | None) -> str:
    """Return what the values of an axis come to in each measure."""
    if (count := len(results.values_of(axis))) > MOST_VALUES:
        # Those of numbers are shown along their axis.
        return (
            ""
            if results.is_numeric(axis)
            else hint(
                f"{count:,} values are too many for charts and a table of their own: "
                f"{MOST_VALUES} are the most. The table of configurations has all of them."
            )
        )
    shown = "".join(_measure(results, axis, name, baseline) for name in measures)
    notes = dependence_notes(results, axis, measures)
    return shown + "".join(map(hint, (_reading(results, axis, baseline), *notes)))


def _measure(results: StudyResults, axis: str, measure: str, baseline: str | None) -> str:
    quantity = Quantity.of(results, measure)
    means = results.means(axis, measure)
    differences, needs = _tests(results, axis, measure, baseline_value(results, axis, baseline))
    experiments = results.experiments(axis, measure)
    columns = {value: experiments.column(value) for value in results.values_of(axis)}
    labels = labels_of(results, axis, columns)
    box = [np.quantile(one, (0, 0.25, 0.5, 0.75, 1)) if len(one) else one for one in columns.values()]
    shown = [
        markup.figure(
            intervals(means, quantity, level=results.outline.level),
            "Means with intervals" if any(math.isfinite(one.high) for one in means) else "Means",
            intervals_data(measure, [quantity.within(one) for one in means], labels),
        ),
        markup.figure(
            boxes(columns, quantity),
            _boxes_sentence(results, axis),
            boxes_data(measure, columns, labels, box),
        ),
        _ranks(results, axis, measure),
        _profile(results, axis, measure, quantity),
    ]
    return (
        f'<div class="measure" data-measure="{html.escape(measure)}">'
        f'<h3 data-metric="{html.escape(measure)}">{html.escape(quantity.title)}</h3>'
        + _table(means, differences, needs, quantity)
        + markup.pair(*filter(None, shown))
        + "</div>"
    )


def labels_of(results: StudyResults, axis: str, values: Iterable[str]) -> list[dict[str, str]]:
    """Return the axis of each value with it; of a joint axis those that it joins."""
    axes = axis.split(JOINT)
    if len(axes) == 1 or any(part not in results.table.columns for part in axes):
        return [{axis: value} for value in values]
    parts = parts_of(results, axis, axes)
    return [dict(zip(axes, parts[value], strict=True)) for value in values]


def parts_of(results: StudyResults, axis: str, axes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the values of the axes that each value of the one that joins them is made of."""
    table = results.table.select(list(dict.fromkeys((axis, *axes)))).unique(maintain_order=True)
    columns = [map(label_of_value, table[name].to_list()) for name in (axis, *axes)]
    return {value: tuple(rest) for value, *rest in zip(*columns, strict=True)}


def _profile(results: StudyResults, axis: str, measure: str, quantity: Quantity) -> str:
    answer = results.profile(axis, measure)
    if answer is None:
        return ""
    profile, names = answer
    factors = profile_factors(profile)
    caption = (
        f"Performance profile over {len(profile.ratios):,} blocks: in how many each is within a factor of "
        "the best"
    )
    data = profile_data(measure, profile, factors, names, labels_of(results, axis, names))
    chart = profile_chart(profile, factors, names, quantity.label)
    return markup.figure(chart + markup.legend(names), caption, data)


def _tests(
    results: StudyResults, axis: str, measure: str, baseline: str
) -> tuple[dict[str, Difference], dict[str, Need]]:
    """Return differences from the baseline and needed replications by value; none without scipy."""
    if not results.can_test:
        return {}, {}
    compared = results.compare(axis, measure, baseline=baseline)
    return {one.value: one for one in compared}, {one.value: one for one in results.needed(axis, measure)}


def baseline_value(results: StudyResults, axis: str, baseline: str | None) -> str:
    """Return what the others are compared with: the value named, if this axis has it."""
    return baseline if baseline in results.values_of(axis) else results.baseline_of(axis)


def _table(
    means: Sequence[Mean], differences: dict[str, Difference], needs: dict[str, Need], quantity: Quantity
) -> str:
    heads = ["", "Runs", "Mean", "Difference", "", "p (t, Holm)", "p (Wilcoxon)", "Lower · same · higher"]
    if needs:
        heads.append("Replications\nmade · needed")
    rows = []
    for one, interval in zip(means, quantity.format_intervals(means), strict=True):
        row = [one.value, f"{one.runs:,}", f"{quantity.format(one.mean)}\n{interval}".rstrip()]
        row += _difference(differences.get(one.value), quantity)
        if needs:
            row.append(_need(needs.get(one.value)))
        rows.append(row)
    return markup.table(heads, rows, kind="compared")


def _difference(one: Difference | None, quantity: Quantity) -> list[str]:
    if one is None:
        return ["–", "", "", "", ""]
    change = one.found
    half = quantity.scale((change.high - change.low) / 2)
    interval = half_width(half) if math.isfinite(half) else "exact"
    percent = ("+" if change.percent > 0 else "") + percentage(change.percent)
    return [
        f"{format_signed(quantity.scale(change.difference))}\n{interval}",
        percent if math.isfinite(change.percent) else "",
        chance(one.adjusted),
        chance(change.wilcoxon_p_value),
        f"{change.below:,} · {change.equal:,} · {change.above:,}" if change.experiments > 1 else "–",
    ]


def _need(need: Need | None) -> str:
    if need is None:
        return "–"
    needed = f"{need.needed:,.0f}" if math.isfinite(need.needed) else "never"
    return f"{need.replications:,} · {needed}" + (f"\nat {need.where}" if need.where else "")


def chance(value: float) -> str:
    """Return a p-value as text: ``0.034``, ``< 0.0001``."""
    if math.isnan(value):
        return "–"
    return "< 0.0001" if value < 1e-4 else figure(value, 2)


def _ranks(results: StudyResults, axis: str, measure: str) -> str:
    if len(results.values_of(axis)) < 3:
        return ""
    answer = results.ranks(axis, measure) if results.can_test else None
    if answer is None:
        return ""
    friedman, names = answer
    diagram = rank_diagram(friedman, names)
    caption = (
        f"Mean ranks over {friedman.experiments:,} blocks, 1 the best; Friedman p "
        f"{chance(friedman.p_value)}, bars join values that Nemenyi's test does "
        f"not distinguish at {friedman.alpha:g}"
    )
    data = ranks_data(measure, friedman, names, labels_of(results, axis, names))
    return markup.figure(diagram, caption, data)


def _boxes_sentence(results: StudyResults, axis: str) -> str:
    if results.replicated and axis not in results.replicated:
        over = replication_name(results, results.replicated)
        return f"Distribution over {over}: quartiles, median, extremes"
    return "Distribution over experiments: quartiles, median, extremes"


def _reading(results: StudyResults, axis: str, baseline: str | None) -> str:
    others = results.others(axis)
    seeds = [name for name in others if name in results.replicated]
    if results.is_certain:
        over = f"Means over {' × '.join(others)}" if others else "One run each"
        return (
            f"{over}, without randomness: no intervals and no tests. Differences are from "
            f"{baseline_value(results, axis, baseline)}."
        )
    if not others:
        return "One run each: no intervals and no tests."
    if not results.can_test:
        return f"Means over {replication_name(results, seeds) if seeds else ' × '.join(others)}. {no_scipy()}"
    unit = (
        f"An experiment is {experiment_name(results, seeds)}, the mean over all combinations of other axes"
        if seeds and len(others) > len(seeds)
        else f"An experiment is {experiment_name(results, seeds)}"
        if seeds
        else f"An experiment is one combination of {' and '.join(others)}"
    )
    return (
        f"{unit}. Differences are from {baseline_value(results, axis, baseline)}, paired: both in the same "
        "experiments, with the same random numbers. The first p-value is the paired t's, corrected by Holm "
        "for all values of the table; that of Wilcoxon's signed ranks is not corrected. Ranks are over all "
        "combinations of the other axes. Replications needed are those of the combination that needs the "
        "most."
    )
