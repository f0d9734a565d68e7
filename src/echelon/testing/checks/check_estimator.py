"""Check a user's own estimator: whether it predicts numbers, and keeps no memory between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.reference import simulate
from echelon.errors import EchelonError
from echelon.policies import estimator, format_estimator, policy
from echelon.testing.checks.check_forecaster import forecaster_findings
from echelon.testing.finding import Check, Finding
from echelon.testing.runs import with_columns
from echelon.testing.workloads import small_instances

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Schedule
    from echelon.policies import Estimator

_POLICIES = ("easy", "shortest-first", "conservative")


def check_estimator(rule: str | Estimator, *, seed: int = 0) -> Check:
    """Check an estimator in the reference engine, on small workloads under several policies.

    Parameters
    ----------
    rule : str or Estimator
        A spec (``"average:alpha=0.3"``, ``"my.py:Mean"``) or the estimator itself.
    seed : int, default 0
        Seed of the crowds of jobs; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not an estimator, or its file cannot be loaded.

    Notes
    -----
    Checked: every prediction is a finite number or None; a second run predicts the same, so that no memory
    lasts from run to run; other job numbers change no prediction. Note: the number of jobs whose planned time
    differs from the request. With ``forecaster(past)`` also, for jobs that join one of two small clusters:
    every forecast has a finite wait and run of at least 0 s, or is None; a second run, a second call, and
    other job numbers change no forecast.

    Cost: some hundred simulations of up to 100 jobs, and a thousand forecasts.
    """
    checked = estimator(rule)
    if not hasattr(checked, "memory"):
        return Check("estimator", format_estimator(checked), tuple(forecaster_findings(checked, seed)))
    scenarios = [
        Scenario(instance, policy(spec), cycles=cycles, estimator=checked)
        for instance in small_instances(seed)
        for spec, cycles in zip(_POLICIES, CYCLES, strict=True)
    ]
    findings = [*_findings(scenarios), *forecaster_findings(checked, seed)]
    return Check("estimator", format_estimator(checked), tuple(findings))


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    runs = len(scenarios)
    try:
        schedules = [simulate(scenario) for scenario in scenarios]
    except EchelonError as error:
        yield Finding("predictions", False, str(error))
        return
    yield Finding("predictions", True, f"finite numbers or None, in {runs} runs")
    for name, sentence, again in (
        ("fresh memory", "a second run predicts the same", scenarios),
        ("job numbers", "other job numbers change no prediction", [_renumber(one) for one in scenarios]),
    ):
        fault = _first_difference(schedules, again)
        yield Finding(name, fault is None, fault or f"{sentence}, in {runs} runs")
    changed = int(sum(np.count_nonzero(one.planned_time != one.instance.planned_time) for one in schedules))
    jobs = sum(len(schedule.instance) for schedule in schedules)
    yield Finding(
        "use", changed > 0, f"{changed} of {jobs} jobs have planned times other than requested", False
    )


def _first_difference(schedules: Sequence[Schedule], scenarios: Sequence[Scenario]) -> str | None:
    """Return where a run of one of `scenarios` plans a job differently, or its error."""
    for before, scenario in zip(schedules, scenarios, strict=True):
        where = scenario.instance.workload.name
        try:
            after = simulate(scenario)
        except EchelonError as error:
            return f"{where}: {error}"
        moved = np.flatnonzero(after.planned_time != before.planned_time)
        if len(moved):
            position = int(moved[0])
            first, second = before.planned_time[position], after.planned_time[position]
            job = before.instance.label(position)
            return f"{where}: job {job} is planned for {first:g} s, but then for {second:g} s"
    return None


def _renumber(scenario: Scenario) -> Scenario:
    """Return `scenario` with its jobs' numbers in another order."""
    ids = scenario.instance.workload.job_id
    return with_columns(scenario, job_id=ids.max() + 1 + np.arange(len(ids))[::-1])
