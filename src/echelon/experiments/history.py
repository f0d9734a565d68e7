"""The history of a run: what its estimators learn from before it, and its own record after it."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

from echelon.model.schedules.features import Feature, every_site_has, sites_with

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from echelon.engine.contract import Scenario
    from echelon.experiments.result import Result
    from echelon.history.store import History


@contextmanager
def open_past(address: str | Path | None) -> Iterator[History | None]:
    """Open the history at `address`, made if need be, while the block runs; None gives None.

    It is opened before a simulation begins, so that a wrong address is reported at once.

    Raises
    ------
    InputError, UnknownNameError, MissingExtraError
        As `echelon.history.open_history`.
    """
    if address is None:
        yield None
        return
    # Databases are imported where one is used.
    from echelon.history import open_history

    with open_history(address) as history:
        yield history


def with_past(scenario: Scenario, history: History | None) -> Scenario:
    """Return the scenario with the experiences of valid runs on the platform of this name, of any policy."""
    from echelon.engine.worlds import TreeOfSites
    from echelon.experiments.systems.multicluster import shared_rules_in

    rules = None if history is None else shared_rules_in(scenario)
    if history is None or rules is None or not isinstance(scenario.world, TreeOfSites):
        return scenario
    platform = scenario.instance.sites
    # What happens at sites of other kinds is not what forecasts of shared nodes are about.
    shared = None
    if not every_site_has(platform, Feature.PLACES):
        shared = list(compress(platform.names, sites_with(platform, Feature.PLACES)))
    past = history.experiences(platform=platform.name, sites=shared)
    world = scenario.world._replace(rules=scenario.world.rules._replace(shared=replace(rules, past=past)))
    return replace(scenario, world=world)


def record_run(history: History | None, result: Result) -> Result:
    """Record a run that has ended, with all that it depended on; return it with where that is."""
    if history is None:
        return result
    scenario = result.scenario
    from echelon.experiments.systems.multicluster import multicluster_settings, shared_rules_in

    specs = multicluster_settings(shared_rules_in(scenario))
    settings = {key: spec for key, spec in specs.items() if spec is not None}
    broker = {} if result.broker is None else {"broker": result.broker}
    history.record(
        result.schedule,
        policy=result.policy,
        estimator=result.estimator,
        settings=json.dumps(broker | settings, sort_keys=True),
        seed=scenario.seed,
    )
    return replace(result, history=history.address)
