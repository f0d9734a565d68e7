"""What charts show, as the page's script draws them: names, places in the axes, exact values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.reports.page_data.charts import script_safe
from echelon.reports.panels.panel import round_numbers
from echelon.reports.study.charts import MOST_DOTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.analysis import Friedman, PerformanceProfile
    from echelon.analysis.values import FloatArray
    from echelon.experiments.study.results.findings import Choice, Mean
    from echelon.reports.study.charts import Curve

    Labels = Mapping[str, str]

_DIGITS = 9
"""Digits of values: more than a reader needs, and few enough for a page."""


def chart_script(chart: Mapping[str, Any]) -> str:
    """Return the data of a chart as an element that stands beside its drawing."""
    return f'<script type="application/json">{script_safe(chart)}</script>'


def intervals_data(measure: str, means: Sequence[Mean], labels: Sequence[Labels]) -> dict[str, Any]:
    """Return means with their intervals."""
    items = [
        {"labels": dict(where), "name": one.value, "n": one.experiments, "runs": one.runs}
        | dict(zip(("mean", "low", "high"), numbers((one.mean, one.low, one.high)), strict=True))
        for one, where in zip(means, labels, strict=True)
    ]
    return {"kind": "intervals", "measure": measure, "items": items}


def boxes_data(
    measure: str, columns: Mapping[str, FloatArray], labels: Sequence[Labels], quantiles: Sequence[FloatArray]
) -> dict[str, Any]:
    """Return distributions: least, quartiles and most, and the experiments themselves if they are few."""
    items = [
        {"labels": dict(where), "name": name, "n": len(values), "box": numbers(box)}
        | {"values": numbers(values) if len(values) <= MOST_DOTS else []}
        for (name, values), where, box in zip(columns.items(), labels, quantiles, strict=True)
    ]
    return {"kind": "boxes", "measure": measure, "items": items}


def curves_data(
    measure: str,
    along: str,
    lines: Sequence[Curve],
    labels: Sequence[Labels],
    counts: Sequence[Sequence[int]],
) -> dict[str, Any]:
    """Return lines over a numeric axis with their bands and how many experiments each point has."""
    items = [
        {"labels": dict(where), "name": line.name, "n": list(count)}
        | {key: numbers(getattr(line, key)) for key in ("x", "y", "low", "high")}
        for line, where, count in zip(lines, labels, counts, strict=True)
    ]
    return {"kind": "curves", "measure": measure, "along": along, "items": items}


def ranks_data(
    measure: str, friedman: Friedman, names: Sequence[str], labels: Sequence[Labels]
) -> dict[str, Any]:
    """Return mean ranks, the critical difference and what it does not tell apart."""
    items = [
        {"labels": dict(where), "name": name, "rank": rank}
        for name, where, rank in zip(names, labels, numbers(friedman.mean_ranks), strict=True)
    ]
    cliques = [[int(place) for place in clique] for clique in friedman.cliques]
    data = {
        "difference": numbers([friedman.critical_difference])[0],
        "cliques": cliques,
        "n": friedman.experiments,
    }
    return {"kind": "ranks", "measure": measure, "items": items, **data}


def front_data(
    measures: Sequence[str], places: tuple[int, int], choices: Sequence[Choice], labels: Sequence[Labels]
) -> dict[str, Any]:
    """Return choices in the plane of two measures, with all their values."""
    items = [
        {"labels": dict(where), "name": one.name, "values": numbers(one.values), "front": one.is_front}
        for one, where in zip(choices, labels, strict=True)
    ]
    return {"kind": "front", "measures": list(measures), "places": list(places), "items": items}


def profile_data(
    measure: str,
    profile: PerformanceProfile,
    factors: FloatArray,
    names: Sequence[str],
    labels: Sequence[Labels],
) -> dict[str, Any]:
    """Return the share of experiments in which each is within a factor of the best, at these factors."""
    shares = profile.share(factors)
    items = [
        {"labels": dict(where), "name": name, "y": numbers(shares[:, place])}
        for place, (name, where) in enumerate(zip(names, labels, strict=True))
    ]
    return {
        "kind": "profile",
        "measure": measure,
        "x": numbers(factors),
        "n": len(profile.ratios),
        "items": items,
    }


def numbers(values: Any) -> list[float | None]:  # noqa: ANN401  (whatever is an array)
    """Return numbers for the page; None for what is not finite."""
    return round_numbers(values, _DIGITS)
