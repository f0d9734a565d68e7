"""Performance profiles: the share of experiments in which each value is within a factor of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reports.study.svg import WIDTH, Axis, across, chart, path, stroke_style, upwards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.analysis import PerformanceProfile
    from echelon.analysis.values import FloatArray

_TOP, _BOTTOM, _LEFT, _RIGHT = 28.0, 250.0, 58.0, WIDTH - 14.0
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
