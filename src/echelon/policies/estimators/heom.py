"""HEOM: the distance of two experiences, and the nearest ones, by definition.

`echelon.policies.estimators.instances` finds the same experiences without looking at all of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Experience

NOMINAL = ("user", "queue", "application")
"""Attributes that are equal or not."""

QUEUE_STATE = ("nodes", "waiting_work", "waiting_jobs")
NODE_STATE = ("nodes", "mpl")


def widths_of(base: Sequence[Experience], numeric: Sequence[str]) -> dict[str, float]:
    """Return the range of each numeric attribute over `base` without unknown values; 0 if there are none."""
    widths = {}
    for attribute in numeric:
        values = [value for one in base if (value := getattr(one, attribute)) >= 0]
        widths[attribute] = max(values) - min(values) if values else 0.0
    return widths


def distance(x: Experience, y: Experience, widths: Mapping[str, float]) -> float:
    """Return the heterogeneous Euclidean-overlap distance of two experiences.

    A nominal attribute is 0 apart where it is equal, else 1; a numeric one as far as its values, in ranges;
    one that is unknown (an empty name, a number below 0) in either, 1.

    Parameters
    ----------
    x, y : Experience
        Only what is known before the outcome counts.
    widths : mapping of str to float
        The numeric attributes that count, each with its range over all experiences. Values that differ
        though the range is 0 are 1 apart.

    Notes
    -----
    **Source**: Wilson and Martinez, JAIR 6, 1997.
    """
    square = float(sum(getattr(x, a) != getattr(y, a) or not getattr(x, a) for a in NOMINAL))
    for attribute, width in widths.items():
        apart = _difference(getattr(x, attribute), getattr(y, attribute), width)
        square += apart * apart
    return math.sqrt(square)


def _difference(x: float, y: float, width: float) -> float:
    if not (x >= 0 and y >= 0):
        return 1.0
    return abs(x - y) / width if width > 0 else float(x != y)


def nearest(
    base: Sequence[Experience],
    case: Experience,
    numeric: Sequence[str],
    *,
    radius: float = 0.0,
    most: int | None = None,
) -> list[Experience]:
    """Return the experiences of `base` that are at most `radius` farther from `case` than the nearest.

    Parameters
    ----------
    base : sequence of Experience
        In the order in which the jobs ended.
    case : Experience
        The job to predict.
    numeric : sequence of str
        Numeric attributes that count.
    radius : float, default 0
        With 0, only the nearest and equally near ones.
    most : int, optional
        The most experiences: the nearest, and among equals the newest.

    Returns
    -------
    list of Experience
        The nearest first, of equals the newest.
    """
    widths = widths_of(base, numeric)
    ranked = sorted((distance(one, case, widths), -place) for place, one in enumerate(base))
    return [base[-place] for far, place in ranked if far <= ranked[0][0] + radius][:most]
