"""Charts of a study: intervals, distributions, curves with bands, performance profiles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.plotting.study.letters import wrap_name
from echelon.quantities import figure
from echelon.reports.study.svg import (
    WIDTH,
    Axis,
    across,
    chart,
    dot,
    fill_style,
    path,
    stroke_style,
    text,
    text_room,
    upwards,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.analysis import PerformanceProfile
    from echelon.analysis.values import FloatArray
    from echelon.experiments.study.results.findings import Mean
    from echelon.reports.study.quantity import Quantity

_ROW = 26.0
_NAMES = 150.0
_LINE = 13.0
"""Height of a line of a name: long names have several."""

_TOP, _BOTTOM, _LEFT, _RIGHT = 28.0, 250.0, 58.0, WIDTH - 14.0
"""Edges of charts over two axes; those of rows have names at the left."""

MOST_JOINED = 24
"""Values along an axis whose points are joined: more were drawn at random, and other axes with them."""

MOST_DOTS = 80
"""Experiments that have a dot each beside the box."""


def intervals(means: Sequence[Mean], quantity: Quantity, *, level: float) -> str:
    """Return means as dots with their confidence intervals, a row a value of an axis."""
    bounds = [quantity.interval(one) for one in means]
    ends = [*(quantity.scale(one.mean) for one in means), *(end for pair in bounds for end in pair)]
    axis = Axis.around(ends, _NAMES, _RIGHT, logarithmic=False)
    row = _row_height([one.value for one in means])
    bottom = row * len(means) + 6
    parts = [across(axis, 4, bottom, title=quantity.title)]
    for place, one in enumerate(means):
        height = row * (place + 0.5) + 4
        parts += _name(one.value, height)
        if math.isfinite(one.low):
            low, high = map(axis.at, bounds[place])
            parts += [
                path([(low, height), (high, height)], stroke_style(place, width=3)),
                *(path([(x, height - 5), (x, height + 5)], stroke_style(place)) for x in (low, high)),
            ]
        if math.isfinite(one.mean):
            title = f"{one.value}: {quantity.whole(one.mean)}"
            if math.isfinite(one.low):
                low_said, high_said = map(figure, bounds[place])
                title += f", {100 * level:g} % from {low_said} to {high_said}"
            parts.append(dot(axis.at(quantity.scale(one.mean)), height, place=place, size=5, title=title))
    return chart(parts, bottom + 40, f"{quantity.label}: means with confidence intervals")


def boxes(columns: Mapping[str, FloatArray], quantity: Quantity) -> str:
    """Return the distribution over experiments as boxes: quartiles, median, extremes; if few, a dot each."""
    samples = {name: quantity.factor * values for name, values in columns.items() if len(values)}
    everything = np.concatenate(list(samples.values())) if samples else np.zeros(1)
    axis = Axis.around(everything.tolist(), _NAMES, _RIGHT)
    row = _row_height(list(columns))
    bottom = row * len(columns) + 6
    title = f"{quantity.title}{' (logarithmic)' if axis.is_log else ''}"
    parts = [across(axis, 4, bottom, title=title)]
    for place, name in enumerate(columns):
        height = row * (place + 0.5) + 4
        parts += _name(name, height)
        if name in samples:
            parts += _box(samples[name], axis, height, place)
    return chart(parts, bottom + 40, f"{quantity.label}: distribution over experiments")


def _lines(name: str) -> list[str]:
    return wrap_name(name, _NAMES - 14, text_room)


def _row_height(names: Sequence[str]) -> float:
    """Return the height of each row: that of the name with the most lines."""
    return max(_ROW, 4 + _LINE * max((len(_lines(name)) for name in names), default=1))


def _name(name: str, middle: float) -> list[str]:
    """Return a name beside its row, whole."""
    lines = _lines(name)
    first = middle + 4 - _LINE * (len(lines) - 1) / 2
    return [
        text(_NAMES - 10, first + _LINE * place, line, anchor="end", kind="name")
        for place, line in enumerate(lines)
    ]


def _box(values: FloatArray, axis: Axis, height: float, place: int) -> list[str]:
    least, low, middle, high, most = (axis.at(float(x)) for x in np.quantile(values, (0, 0.25, 0.5, 0.75, 1)))
    parts = [
        path([(least, height), (most, height)], stroke_style(place, width=1.5)),
        f'<rect x="{low:.1f}" y="{height - 7:.1f}" width="{max(high - low, 1):.1f}" height="14" rx="2" '
        f"{fill_style(place, opacity=0.35)}/>",
        path([(middle, height - 8), (middle, height + 8)], stroke_style(place, width=3)),
    ]
    if len(values) <= MOST_DOTS:
        # Rows of the golden ratio: dots of like values do not cover each other, and stay where they are.
        shift = [((k * 0.618) % 1 - 0.5) * 12 for k in range(len(values))]
        parts += [
            dot(axis.at(float(x)), height + y, place=place, size=1.8)
            for x, y in zip(values, shift, strict=True)
        ]
    return parts


class Curve(NamedTuple):
    """A line over a numeric axis: values, and the band around them, NaN where there is none."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def curves(lines: Sequence[Curve], quantity: Quantity, *, along: str) -> str:
    """Return lines with their bands over a numeric axis."""
    every = [value for one in lines for part in (one.y, one.low, one.high) for value in part]
    x_axis = Axis.around([x for one in lines for x in one.x], _LEFT, _RIGHT)
    if not x_axis.is_log:
        xs = [x for one in lines for x in one.x]
        room = (max(xs) - min(xs)) * 0.03 or 1.0
        x_axis = Axis(min(xs) - room, max(xs) + room, _LEFT, _RIGHT)
    y_axis = Axis.around([quantity.scale(value) for value in every], _BOTTOM, _TOP)
    log = " (logarithmic)" if y_axis.is_log else ""
    parts = [
        across(x_axis, _TOP, _BOTTOM, title=along),
        upwards(y_axis, _LEFT, _RIGHT, title=quantity.title + log),
    ]
    for place, one in enumerate(lines):
        at = [x_axis.at(x) for x in one.x]
        parts += _band(one, at, y_axis, quantity, place)
        points = [(x, y) for x, y in zip(at, one.y, strict=True) if math.isfinite(y)]
        if len(points) <= MOST_JOINED:
            parts.append(path([(x, y_axis.at(quantity.scale(y))) for x, y in points], stroke_style(place)))
        parts += [
            dot(
                x_place,
                y_axis.at(quantity.scale(y)),
                place=place,
                size=3.5,
                title=f"{one.name}, {along} {x:g}: {quantity.whole(y)}",
            )
            for x_place, x, y in zip(at, one.x, one.y, strict=True)
            if math.isfinite(y)
        ]
    return chart(
        parts, _BOTTOM + 40, f"{quantity.label} along {along}: {', '.join(one.name for one in lines)}"
    )


def _band(one: Curve, at: Sequence[float], axis: Axis, quantity: Quantity, place: int) -> list[str]:
    points = [
        (x, axis.at(quantity.scale(low)), axis.at(quantity.scale(high)))
        for x, low, high in zip(at, one.low, one.high, strict=True)
        if math.isfinite(low)
    ]
    if len(points) < 2:
        return [path([(x, low), (x, high)], stroke_style(place)) for x, low, high in points]
    around = [(x, high) for x, _, high in points] + [(x, low) for x, low, _ in reversed(points)]
    return [path(around, fill_style(place, opacity=0.15), closed=True)]


_MOST_STEPS = 200
"""Factors at which a line may rise: more are not visible on a page."""

_MOST_LINEAR = 3.0
"""Largest factor of a linear axis: on a logarithmic one it would have hardly a mark."""

_FURTHEST = 0.95
"""Share of the ratios that the axis shows: single ones may be thousands of times the best."""


def profile_factors(profile: PerformanceProfile) -> FloatArray:
    """Return the factors of a drawing, from 1 on: those at which lines rise, of many evenly chosen ones."""
    factors = profile.factors
    if len(factors) > _MOST_STEPS:
        factors = factors[np.linspace(0, len(factors) - 1, _MOST_STEPS).astype(np.int64)]
    finite = profile.ratios[np.isfinite(profile.ratios)]
    last = max(float(np.quantile(finite, _FURTHEST)) * 1.2, 1.1)
    return np.append(factors[factors < last], last)


def profile_chart(profile: PerformanceProfile, factors: FloatArray, names: Sequence[str], title: str) -> str:
    """Return a step line a name over a logarithmic axis of factors: the higher and further left, the better.

    Notes
    -----
    Source: Dolan and Moré, Mathematical Programming 91, 2002.
    """
    is_log = bool(factors[-1] > _MOST_LINEAR)
    x_axis = Axis(1.0, float(factors[-1]), _LEFT, _RIGHT, is_log=is_log)
    y_axis = Axis(0.0, 100.0, _BOTTOM, _TOP)
    shares = 100 * profile.share(factors)
    parts = [
        across(x_axis, _TOP, _BOTTOM, title=f"factor of the best{' (logarithmic)' if is_log else ''}"),
        upwards(y_axis, _LEFT, _RIGHT, title="experiments, %"),
    ]
    for place in range(len(names)):
        points = [(1.0, float(shares[0, place]))]
        for factor, share in zip(factors[1:].tolist(), shares[1:, place].tolist(), strict=True):
            points += [(factor, points[-1][1]), (factor, share)]
        parts.append(path([(x_axis.at(x), y_axis.at(y)) for x, y in points], stroke_style(place)))
    return chart(parts, _BOTTOM + 40, f"Performance profile of {title}: {', '.join(names)}")
