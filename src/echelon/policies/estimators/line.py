"""Line: the regression of estimates on actual times through the origin, and its fit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Pair = tuple[float, float]
"""Estimated and actual times, in seconds."""


class Line(NamedTuple):
    """Estimate = slope x real, fitted by least squares through the origin.

    Attributes
    ----------
    slope : float
        nan if all real times are 0.
    ra : float
        Adjusted correlation coefficient about the origin, as the report of accuracy has it: the root of
        1 - (1 - R^2) n / (n - 1), at least 0, with R^2 = (sum xy)^2 / (sum x^2 sum y^2). From 0 to 1, without
        scatter 1. 0 of fewer than two pairs.
    spread : float
        Standard deviation of estimate / real over its mean, of the jobs with a real time above 0: 0 if the
        error is always the same share. nan without such jobs, or if all estimates are 0.
    """

    slope: float
    ra: float
    spread: float


def line_through(pairs: Sequence[Pair]) -> Line:
    """Return the line through the origin and `pairs`.

    Notes
    -----
    **Cost**: O(pairs).
    **Source**: Lérida Monsó, UAB 2009, section 3.5.6 (eq. 3.15), which leaves open how Ra is computed.
    """
    n = len(pairs)
    xx = sum(real * real for _, real in pairs)
    yy = sum(estimate * estimate for estimate, _ in pairs)
    xy = sum(estimate * real for estimate, real in pairs)
    slope = xy / xx if xx > 0 else math.nan
    fit = (xy / xx) * (xy / yy) if xx > 0 and yy > 0 else 0.0
    ra = 1 - (1 - fit) * n / (n - 1) if n > 1 else 0.0
    return Line(slope, math.sqrt(max(0.0, min(ra, 1.0))), _spread([y / x for y, x in pairs if x > 0]))


def _spread(ratios: Sequence[float]) -> float:
    mean = sum(ratios) / len(ratios) if ratios else 0.0
    if not 0 < mean < math.inf:
        return math.nan
    return math.sqrt(sum((ratio - mean) * (ratio - mean) for ratio in ratios) / len(ratios)) / mean


def deviation(pairs: Sequence[Pair]) -> float:
    """Return the sum of errors over the sum of actual times; infinity without pairs or if that sum is 0.

    0 if nothing was wrong.

    Notes
    -----
    **Source**: Lérida Monsó, UAB 2009, eq. 3.13.
    """
    wrong = sum(abs(estimate - real) for estimate, real in pairs)
    real = sum(real for _, real in pairs)
    if real > 0:
        return wrong / real
    return 0.0 if pairs and wrong == 0 else math.inf
