"""A fast solution for large multiclusters, at most a given share above the least T^e."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.coallocation.rule import Found, MaySaturate, SpanningRule
from echelon.policies.coallocation.threshold import ceilings, sweep_levels

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.loads import Loads


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristic(MaySaturate, SpanningRule):
    """Nodes with a T^e at most ``step`` above the least, as a share of it: thresholds in geometric steps.

    Of the values that SP and SC can have, only the largest up to each power of 1 + step is looked at, as
    `threshold` looks at all. For the best solution's SP and SC, a pair at most 1 + step times as large is
    examined, so T^e is at most larger by that factor, too. An answer is found whenever there is one.

    Parameters
    ----------
    step : float, default 0.02
        Largest share by which T^e may be above the least, >= 0; 0 looks at all values.
    non_saturated : bool, default False
        Only answers with SC <= 1 (constraint 4.19).

    Raises
    ------
    InputError
        If `step` is not >= 0 and finite.

    Notes
    -----
    **Ties**: as of `threshold`. **Cost**: O(clusters x nodes of a cluster x log(largest / least SP) / step x
    log(log(largest / least SC) / step)). **Source**: ours.
    """

    step: float = 0.02
    non_saturated: bool = False

    name: ClassVar[str] = "heuristic"
    source: ClassVar[str] = "no paper"

    def __post_init__(self) -> None:
        SpanningRule.__post_init__(self)
        if not 0 <= self.step < math.inf:
            raise InputError(f"must be a share >= 0, got {self.step!r}", field="heuristic, step")

    def find(self, loads: Loads) -> Found | None:
        """Return good counts; None if no link may saturate and each answer saturates one."""
        return approximate(loads, self.step)


def approximate(loads: Loads, step: float) -> Found | None:
    """Return a solution with T^e at most 1 + `step` times the least, or None if there is no solution."""
    values = ceilings(loads)
    counts, time = sweep_levels(loads, _spread(loads.levels, step), values[_spread(values, step)])
    if counts is None:
        return None
    bound = max(loads.least_time, time / (1 + step))
    return Found(counts, bound, proved=step == 0, found_by=Heuristic.name)


def _spread(values: FloatColumn, step: float) -> IntColumn:
    """Return the places of the largest value up to each power of 1 + `step`, of ascending `values`."""
    import numpy as np

    if not step or len(values) < 2 or values[-1] == values[0]:
        return np.arange(len(values))
    exponent = np.ceil(np.log(np.maximum(values, 1e-300)) / math.log1p(step))
    last = np.append(exponent[1:] != exponent[:-1], True)
    return np.flatnonzero(last)
