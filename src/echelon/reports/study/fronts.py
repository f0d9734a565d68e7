"""The part of the page on Pareto fronts: what no other choice beats in two or three measures at once."""

from __future__ import annotations

import html
from itertools import combinations
from typing import TYPE_CHECKING

from echelon.reports.panels.panel import hint
from echelon.reports.study import markup
from echelon.reports.study.chart_data import front_data
from echelon.reports.study.front_chart import color_sentence, front_chart
from echelon.reports.study.quantity import Quantity
from echelon.reports.study.replication import replication_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.results.findings import Choice
    from echelon.experiments.study.results.results import StudyResults

_MOST_LISTED = 40


def pareto(results: StudyResults, measures: Sequence[str]) -> str:
    """Return plots of all pairs of two or three measures, and the choices in front as a table."""
    choices = results.pareto(*measures)
    quantities = [Quantity.of(results, name) for name in measures]
    axes = results.choice_axes
    labels = [dict(zip(axes, one.labels, strict=bool(axes))) for one in choices]
    plots = [
        markup.figure(
            front_chart(choices, quantities, place),
            _caption(choices, quantities, place),
            front_data(measures, place, choices, labels),
        )
        for place in combinations(range(len(measures)), 2)
    ]
    ahead = sorted((one for one in choices if one.is_front), key=lambda one: one.values)
    rows = [
        (one.name, *(q.format(value) for q, value in zip(quantities, one.values, strict=True)))
        for one in ahead[:_MOST_LISTED]
    ]
    title = " · ".join(quantity.label for quantity in quantities)
    listed = markup.table(("On the front", *(quantity.title for quantity in quantities)), rows)
    return f"<h3>{html.escape(title)}</h3>{markup.pair(*plots, listed)}" + hint(
        _reading(results, len(choices), len(ahead), len(measures))
    )


def fronts_of(
    results: StudyResults, measures: Sequence[str], stated: Sequence[Sequence[str]] | None
) -> Sequence[Sequence[str]]:
    """Return the measures of each front: those asked for, the study's, or its first two measures."""
    if stated is not None:
        return stated
    fronts = [one for one in results.outline.pareto if set(one) <= set(results.table.columns)]
    return fronts or ([measures[:2]] if len(measures) > 1 and len(results.table) > 1 else [])


def _caption(choices: Sequence[Choice], quantities: Sequence[Quantity], places: tuple[int, int]) -> str:
    labels = " and ".join(quantities[place].label for place in places)
    third = [place for place in range(len(quantities)) if place not in places]
    return (
        f"{labels}; {color_sentence(choices, quantities[third[0]], third[0])}"
        if third and choices
        else labels
    )


def _reading(results: StudyResults, choices: int, ahead: int, measures: int) -> str:
    chosen = [name for name in results.axes if name not in (*results.compared, *results.replicated)]
    replication = [replication_name(results, results.replicated)] if results.replicated else []
    over = f", each the mean over {' and '.join((*chosen, *replication))}" if chosen or replication else ""
    joint = (
        "A point is on the front of all three measures together, so a plot of two measures shows some points "
        "behind others. "
        if measures == 3
        else ""
    )
    return (
        f"A choice is a combination of {' and '.join(results.compared) or 'nothing'}{over}: {choices:,} in "
        f"total, {ahead:,} on the front. {joint}No other choice is at least as good in every measure and "
        "better in one."
    )
