"""EngineScenario: the clusters and rules of a service as a scenario of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.live import why_not_live
from echelon.engine.queue.look_ahead import unsupported_reason
from echelon.errors import InputError
from echelon.experiments.scenario import scenario_of
from echelon.model import Platform, Site, Workload
from echelon.policies import Information

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.service.rules import Rules


def scenario_under(rules: Rules, sizes: Mapping[str, int], jobs: Workload | None = None) -> Scenario:
    """Return jobs on the clusters of a service, under its rules; without jobs it has one, as a sample."""
    sites = tuple(Site(one.name, int(sizes[one.name]), policy=one.policy) for one in rules.clusters)
    if jobs is None:
        jobs = Workload.from_columns(submit_time=[0], run_time=[60], requested_time=[60], processors=[1])
    return scenario_of(jobs, platform=Platform(sites, name="service"), **rules.settings)  # type: ignore[arg-type]


def engine_scenario(rules: Rules, sizes: Mapping[str, int]) -> Scenario:
    """Return the scenario whose controllers are those of a service; it has one job, for the checks alone.

    Parameters
    ----------
    rules : Rules
        What decides.
    sizes : mapping of str to int
        Processors of each cluster, >= 1.

    Raises
    ------
    InputError, UnknownNameError
        If a spec is not known, or the rules do not go together or cannot be driven step by step.
    """
    scenario = scenario_under(rules, sizes)
    if reason := why_not_live(scenario):
        raise InputError(f"cannot be served: {reason}", field="rules")
    return scenario


def why_not_predictable(scenario: Scenario, cluster: str) -> str | None:
    """Return why the queue of a cluster cannot be forecast under its policy; None if it can."""
    return unsupported_reason(scenario, scenario.policy.at(cluster))


def uses_forecasts(scenario: Scenario) -> bool:
    """Return whether the broker at the root reads planned schedules."""
    level: Information = getattr(scenario.broker, "information", Information.SITES)
    return level >= Information.SCHEDULES
