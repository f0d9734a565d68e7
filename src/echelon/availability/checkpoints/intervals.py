"""Checkpoint intervals: how much work between two checkpoints wastes the least time.

Of each rule, `cost` is the time that one checkpoint takes and `mtbf` the mean time between the failures that
hit the job: that of a node divided by the number of nodes of the job. The interval is of work: from the end
of one checkpoint to the beginning of the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from echelon.errors import InputError


def young_interval(cost: float, mtbf: float) -> float:
    """Return the interval of Young: the first-order optimum, ``sqrt(2 cost mtbf)``.

    Parameters
    ----------
    cost : float
        Seconds that a checkpoint takes, > 0.
    mtbf : float
        Mean seconds between failures of the job, > 0. Infinity, if it never fails, gives infinity.

    Returns
    -------
    float
        Seconds of work between checkpoints, > 0.

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    J. W. Young, "A first order approximation to the optimum checkpoint interval", Communications of the ACM
    17(9), 1974.
    """
    _check(cost, mtbf)
    return math.sqrt(2 * cost) * math.sqrt(mtbf)


def daly_interval(cost: float, mtbf: float) -> float:
    """Return the interval of Daly: the optimum to a higher order, for checkpoints that are not short.

    With ``x = cost / (2 mtbf)`` it is ``sqrt(2 cost mtbf) (1 + sqrt(x) / 3 + x / 9) - cost`` where x < 1,
    else `mtbf`. Parameters, result and errors are as of `young_interval`.

    Notes
    -----
    J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future
    Generation Computer Systems 22(3), 2006, equation 37.
    """
    _check(cost, mtbf)
    x = cost / (2 * mtbf)
    if x >= 1:
        return mtbf
    return young_interval(cost, mtbf) * (1 + math.sqrt(x) / 3 + x / 9) - cost


def optimal_interval(cost: float, mtbf: float) -> float:
    """Return the interval that minimizes the expected run time if failures are exponential.

    It is ``mtbf (1 + W(-exp(-cost / mtbf - 1)))`` with the main branch W of Lambert's function, and never
    longer than `mtbf`. Restarts and repairs make no difference to it. Parameters, result and errors are as
    of `young_interval`.
    """
    _check(cost, mtbf)
    return mtbf if math.isinf(mtbf) else mtbf * _optimal_share(cost / mtbf)


IntervalRule = Callable[[float, float], float]

INTERVALS: Mapping[str, IntervalRule] = MappingProxyType(
    {"young": young_interval, "daly": daly_interval, "optimal": optimal_interval}
)
"""The rules by name: functions of the cost of a checkpoint and the mean time between failures."""


def _check(cost: float, mtbf: float) -> None:
    """Refuse costs and times between failures for which no interval is the best."""
    if not 0 < cost < math.inf:
        raise InputError(
            f"must be a number > 0 for an interval by formula, got {cost}; where checkpoints cost nothing, "
            "the best interval is 0: give an interval in seconds",
            field="checkpoint-cost",
        )
    if not mtbf > 0:
        raise InputError(f"must be > 0, got {mtbf}", field="checkpoint-mtbf")


_LONG = 0.5
"""Costs from this share of the time between failures on start from the other end."""

_ENDLESS = 50.0
"""From here on the interval is the time between failures, to the last digit of a float."""

_MOST_STEPS = 50
"""More than any argument needs: Halley's method triples the digits that are right."""


def _optimal_share(cost: float) -> float:
    """Return the optimal interval for a cost that is given in units of the time between failures.

    It is the u of (0, 1) with ``u + log(1 - u) + cost = 0``: Lambert's equation for ``W = u - 1``, but
    without the digits that ``exp(-cost - 1)`` would lose near the branch point, where costs are short.
    """
    if cost >= _ENDLESS:
        return 1.0
    if cost >= _LONG:
        return 1.0 - _rest(cost)
    s = math.sqrt(2 * cost)
    share = s - s**2 / 3 + s**3 / 36
    for _ in range(_MOST_STEPS):
        slope = -share / (1 - share)
        step = _halley(share + math.log1p(-share) + cost, slope, -1 / (1 - share) ** 2)
        share -= step
        if abs(step) <= 1e-15 * share:
            break
    return share


def _rest(cost: float) -> float:
    """Return what the optimal interval lacks of the time between failures: v of ``v exp(-v) = exp(-1-cost)``.

    Of long costs v is small, and 1 - v would have lost its digits.
    """
    rest = math.exp(-1 - cost)
    for _ in range(_MOST_STEPS):
        step = _halley(math.log(rest) - rest + 1 + cost, 1 / rest - 1, -1 / rest**2)
        rest -= step
        if abs(step) <= 1e-15 * rest:
            break
    return rest


def _halley(value: float, slope: float, curvature: float) -> float:
    """Return how far Halley's method goes down from a place where a function has these derivatives."""
    newton = value / slope
    return newton / (1 - newton * curvature / (2 * slope))
