"""The history of a run: what its estimators learn from before it, and its own record after it."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from echelon.engine.contract import Scenario
    from echelon.experiments.result import Result
    from echelon.history.store import History


@contextmanager
def opened(address: str | Path | None) -> Iterator[History | None]:
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
    rules = None if history is None else scenario.multicluster
    if history is None or rules is None:
        return scenario
    from echelon.engine.worlds import TreeOfSites

    if not isinstance(scenario.world, TreeOfSites):
        return scenario
    past = history.experiences(platform=scenario.instance.sites.name)
    world = scenario.world._replace(rules=scenario.world.rules._replace(shared=replace(rules, past=past)))
    return replace(scenario, world=world)


def recorded(history: History | None, result: Result) -> Result:
    """Record a run that has ended, with all that it depended on; return it with where that is."""
    if history is None:
        return result
    scenario = result.scenario
    from echelon.experiments.multicluster import multicluster_words

    told = {key: word for key, word in multicluster_words(scenario.multicluster).items() if word is not None}
    broker = {} if result.broker is None else {"broker": result.broker}
    history.record(
        result.schedule,
        policy=result.policy,
        estimator=result.estimator,
        settings=json.dumps(broker | told, sort_keys=True),
        seed=scenario.seed,
    )
    return replace(result, history=history.address)
