"""Check a user's own rule for time-shared machines: a broker that uses loads, or a dispatcher."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.system_model import TreeOfSites, tree_of_sites
from echelon.errors import InputError
from echelon.model.schedules.features import there
from echelon.policies import Decentralized, broker_of, format_broker, policy
from echelon.testing.finding import Check, Finding
from echelon.testing.machines import immediate_instances
from echelon.testing.runs import differences, double_times, finding_of, repeat_runs, run_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Schedule
    from echelon.policies import Metascheduler

_DECISION = 0.25
"""Decision time in half of the runs, in seconds."""


def check_immediate(rule: str | Metascheduler, *, seed: int = 0) -> Check:
    """Check a broker or a dispatcher on small platforms of time-shared machines.

    Parameters
    ----------
    rule : str, Broker or Dispatcher
        A spec (``"wqr:replicas=3"``, ``"my.py:Rule"``) or the rule itself.
    seed : int, default 0
        Seed of the crowds of jobs and of the runs; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is no such rule, is a decentralized protocol, or its file cannot be loaded.

    Notes
    -----
    Checked, with and without decision time: every job is dispatched and ends; the same seed gives the same
    schedule; a run has no effect on later runs; other job numbers give the same schedule. Notes: whether
    doubling all times, including those of monitoring, doubles all starts; how many jobs go to other machines
    than the first; how many are replicated.

    Cost: some hundred simulations of up to 60 jobs.
    """
    checked = broker_of(rule)
    if isinstance(checked, Decentralized):
        raise InputError("is a decentralized protocol; use check_protocol", field=checked.name)
    scenarios = [
        Scenario(
            instance,
            policy("fcfs"),
            seed=seed,
            system_model=tree_of_sites(checked, rules=ImmediateRules(decision_time=decision)),
        )
        for instance in immediate_instances(seed)
        for decision in (0.0, _DECISION)
    ]
    return Check("broker", format_broker(checked), tuple(_findings(scenarios)))


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    schedules = yield from run_all("runs", scenarios, "every job is dispatched and ends")
    if not schedules:
        return
    yield from repeat_runs(schedules, scenarios)
    deviations = differences(schedules, list(map(_double, scenarios)), factor=2.0)
    yield finding_of("scale", deviations, "doubling all times doubles the start times", required=False)
    yield _use(schedules)


def _double(scenario: Scenario) -> Scenario:
    assert isinstance(scenario.system_model, TreeOfSites)
    rules, broker = there(scenario.immediate), scenario.system_model.broker
    watched = rules.monitoring
    watched = replace(watched, window=2 * watched.window, period=2 * watched.period)
    slower = replace(rules, monitoring=watched, decision_time=2 * rules.decision_time)
    return replace(double_times(scenario), system_model=tree_of_sites(broker, scenario.admissible, slower))


def _use(schedules: Sequence[Schedule]) -> Finding:
    jobs = sum(len(schedule.instance) for schedule in schedules)
    elsewhere = sum(map(count_elsewhere, schedules))
    copies = sum(len(one.attempts) - len(one.instance) for one in schedules)
    sentence = f"{elsewhere} of {jobs} jobs run on other machines than the first that is large enough"
    more = f", {copies} further copies" if copies else ""
    return Finding("use", elsewhere > 0, sentence + more, required=False)


def count_elsewhere(schedule: Schedule) -> int:
    """Return how many jobs run at another site than the smallest that can hold them."""
    platform, site = schedule.instance.platform, schedule.site
    if platform is None or site is None:
        return 0
    return int(np.count_nonzero(site != platform.smallest_sites(schedule.instance.size)))
