"""The part of the page on main effects: how much of each measure's variance each axis explains by itself."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from echelon.quantities import percentage
from echelon.reports.panels.panel import hint
from echelon.reports.study.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.results.results import StudyResults


def effects(results: StudyResults, measures: Sequence[str]) -> str:
    """Return a bar for the share of each axis; nothing where fewer than two axes vary."""
    if len(results.axes) < 2:
        return ""
    charts = [_bars(results, name) for name in measures]
    return f'<div class="bar-charts">{"".join(charts)}</div>' + hint(
        "Share of the variance of all runs that lies between the means of an axis's values. If every "
        "combination was run, shares add up to at most 100 %; the rest is interaction of axes."
    )


def _bars(results: StudyResults, measure: str) -> str:
    quantity = Quantity.of(results, measure)
    items = []
    for axis, effect in results.effects(measure).items():
        share = 0.0 if math.isnan(effect.share) else 100 * effect.share
        title = f"means of {axis} are up to {quantity.whole(effect.range)} apart"
        items.append(
            f'<li title="{html.escape(title)}"><span class="bar-name">{html.escape(axis)}</span>'
            f'<span class="bar-room"><i class="run-0" style="width:{share:.2f}%"></i></span>'
            f'<span class="bar-value">{percentage(share)}</span></li>'
        )
    return (
        f"<figure><figcaption>{html.escape(quantity.label)}</figcaption>"
        f'<ul class="bars">{"".join(items)}</ul></figure>'
    )
