"""Check a metric of one's own: whether it gives one number of any schedule, and always the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.metrics import Measured, own_metrics
from echelon.model import Instance
from echelon.policies import policy
from echelon.testing.finding import Check, Finding
from echelon.testing.workloads import CASES, crowd

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.metrics import Metric
    from echelon.model import Schedule

_CROWDS = 3


def check_metric(given: str | Metric, *, seed: int = 0) -> Check:
    """Check a metric of one's own on schedules of small workloads, one job and crowds among them.

    Parameters
    ----------
    given : str or Metric
        ``"FILE.py:NAME"`` or the metric itself.
    seed : int, default 0
        Of the crowds of jobs; equal seeds check the same.

    Returns
    -------
    Check
        What was found. A metric that fails is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `given` names no metric, or its file cannot be loaded.

    Notes
    -----
    Looked at: it gives one number, finite or NaN, of every schedule; the same number when asked again. As a
    note: of how many schedules it has no value (NaN).

    Cost: some twenty simulations of up to 100 jobs.
    """
    (metric,) = own_metrics([given])
    return Check("metric", metric.name, tuple(_findings(metric, _schedules(seed))))


def _schedules(seed: int) -> list[Schedule]:
    crowds = [crowd(_CROWDS * seed + k, processors=4**k + 3) for k in range(_CROWDS)]
    instances = [Instance.of(tiny.workload, tiny.processors) for tiny in (*CASES, *crowds)]
    return [simulate(Scenario(instance, policy("easy"))) for instance in instances]


def _findings(metric: Metric, schedules: Sequence[Schedule]) -> Iterator[Finding]:
    values = []
    for schedule in schedules:
        try:
            values.append(metric.value(Measured(schedule)))
        except InputError as error:
            yield Finding("number", False, f"{schedule.instance.workload.name}: {error.problem}")
            return
    yield Finding("number", True, f"one number, finite or none (NaN), of {len(schedules)} schedules")
    again = [metric.value(Measured(schedule)) for schedule in schedules]
    changed = [place for place, pair in enumerate(zip(values, again, strict=True)) if not _same(*pair)]
    if changed:
        first = changed[0]
        name = schedules[first].instance.workload.name
        yield Finding("same again", False, f"{name}: {values[first]:g} first, then {again[first]:g}")
    else:
        yield Finding("same again", True, "the same schedule gives the same number")
    without = sum(map(math.isnan, values))
    yield Finding("value", not without, f"{without} of {len(values)} schedules have none (NaN)", False)


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))
