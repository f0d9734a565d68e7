"""Check a user's own metric: whether it gives one number for any schedule, and always the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.metrics import Measured, own_metrics
from echelon.policies import policy
from echelon.testing.finding import Check, Finding
from echelon.testing.workloads import small_instances

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.metrics import Metric
    from echelon.model import Schedule


def check_metric(rule: str | Metric, *, seed: int = 0) -> Check:
    """Check a user's own metric on schedules of small workloads, from one job to crowds.

    Parameters
    ----------
    rule : str or Metric
        ``"FILE.py:NAME"`` or the metric itself.
    seed : int, default 0
        Seed of the crowds of jobs; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a metric, or its file cannot be loaded.

    Notes
    -----
    Checked: it gives one number, finite or NaN, for every schedule; a second call gives the same number.
    Note: for how many schedules it has no value (NaN).

    Cost: some twenty simulations of up to 100 jobs.
    """
    (metric,) = own_metrics([rule])
    schedules = [simulate(Scenario(instance, policy("easy"))) for instance in small_instances(seed)]
    return Check("metric", metric.name, tuple(_findings(metric, schedules)))


def _findings(metric: Metric, schedules: Sequence[Schedule]) -> Iterator[Finding]:
    values = []
    for schedule in schedules:
        try:
            values.append(metric.value(Measured(schedule)))
        except InputError as error:
            yield Finding("number", False, f"{schedule.instance.workload.name}: {error.problem}")
            return
    yield Finding("number", True, f"one number, finite or NaN, for {len(schedules)} schedules")
    again = [metric.value(Measured(schedule)) for schedule in schedules]
    changed = [place for place, pair in enumerate(zip(values, again, strict=True)) if not _are_equal(*pair)]
    if changed:
        first = changed[0]
        name = schedules[first].instance.workload.name
        yield Finding("same again", False, f"{name}: {values[first]:g} first, then {again[first]:g}")
    else:
        yield Finding("same again", True, "the same schedule gives the same number")
    without = sum(map(math.isnan, values))
    yield Finding("value", not without, f"{without} of {len(values)} schedules have no value (NaN)", False)


def _are_equal(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))
