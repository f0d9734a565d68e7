"""Best: which value of a metric is marked where runs stand side by side, and which runs may have it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.metrics.registry.metric import Better

COUNT_LOST_WORK = ("utilization", "utilization_available", "grid_utilization", "core_utilization")
"""Metrics that count what failures destroyed as used: where some was, more of them is not better."""

OF_THE_MACHINE = ("availability", "mtbf_machine", "mttr")
"""Metrics that no policy earns: a run that ends earlier sees fewer failures, or more."""

_USUAL = {
    "availability": 1.0,
    **dict.fromkeys(("incomplete_jobs", "node_failures", "jobs_killed", "restarts"), 0),
    **dict.fromkeys(("lost_node_seconds", "waste_share", "reservation_idle"), 0.0),
}
"""Values of a run in which nothing changed."""

_LIKE_UTILIZATION = ("goodput", "utilization_available")


def value_of(name: str, run: Mapping[str, int | float]) -> float:
    """Return a metric of a run; one of changes is as usual where nothing changed. NaN if it has none."""
    if name in run or "goodput" in run:
        # A machine that changes, but is never down, is as available as any.
        return run.get(name, 1.0 if name == "availability" else math.nan)
    if name in _LIKE_UTILIZATION:
        return run.get("utilization", math.nan)
    return _USUAL.get(name, math.nan)


def tells(name: str, runs: Sequence[Mapping[str, int | float]]) -> bool:
    """Return whether a metric of changes differs in some run from that of a run in which nothing changed."""
    values = ((value_of(name, run), _usual(name, run)) for run in runs)
    return any(not math.isnan(value) and not math.isclose(value, usual) for value, usual in values)


def _usual(name: str, run: Mapping[str, int | float]) -> float:
    """Return what a metric would be if nothing had changed: 0 of what only changes have."""
    usual = value_of(name, {"utilization": run.get("utilization", math.nan)})
    return 0.0 if math.isnan(usual) else usual


MARKED_BY = ("incomplete_jobs", "waste_share")
"""Metrics of a run that decide, beside a metric itself, whether it may be marked as the best."""


def contenders(runs: Sequence[Mapping[str, int | float]]) -> list[bool]:
    """Return which runs may be marked as the best: those that left the fewest jobs incomplete.

    A run that loses jobs has shorter waits and ends earlier, and is not better for that.
    """
    lost = [run.get("incomplete_jobs", 0) for run in runs]
    return [count == min(lost) for count in lost]


def are_best(
    name: str, better: Better, values: Sequence[float], runs: Sequence[Mapping[str, int | float]]
) -> list[bool]:
    """Return which runs are marked as the best in a metric; none if no run is better than another.

    Parameters
    ----------
    name : str
        Of the metric.
    better : {"low", "high"} or None
        Which end of its scale is good.
    values : sequence of float
        One a run; NaN where it has none.
    runs : sequence of mapping of str to number
        The metrics of each run.

    Notes
    -----
    Ties: all runs with the best value that may be marked are. Cost: O(runs).
    """
    choose = {"low": min, "high": max}.get(better or "")
    counts_loss = name in COUNT_LOST_WORK and any(run.get("waste_share") for run in runs)
    may = [one and math.isfinite(value) for one, value in zip(contenders(runs), values, strict=True)]
    if choose is None or counts_loss or name in OF_THE_MACHINE or not any(may):
        return [False] * len(runs)
    best = choose(value for value, one in zip(values, may, strict=True) if one)
    # Where only runs that may not be marked are as good or better, none is.
    if not any(choose(value, best) != value for value in values if math.isfinite(value)):
        return [False] * len(runs)
    return [one and value == best for one, value in zip(may, values, strict=True)]
