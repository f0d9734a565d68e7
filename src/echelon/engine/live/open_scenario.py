"""OpenScenario: a scenario whose jobs become known during the run, and which controllers can be driven so."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.system_model import TreeOfSites
from echelon.engine.tree.assembly import planned_scenario
from echelon.policies import Broker

if TYPE_CHECKING:
    from typing import Any


def why_not_live(scenario: Scenario) -> str | None:
    """Return why the controllers of `scenario` cannot be driven step by step; None if they can."""
    model = scenario.system_model
    if not isinstance(model, TreeOfSites):
        return "one machine has no controller above it; describe a platform of several clusters"
    return _why_not_sites(scenario, model) or _why_not_times(scenario)


def _why_not_sites(scenario: Scenario, model: TreeOfSites) -> str | None:
    for site in scenario.instance.sites.sites:
        if not isinstance(site.resource, int | np.integer):
            return f"site {site.name!r} is no cluster of counted processors"
    for path, controller in model.controllers.items():
        if type(controller) is not Controller or not isinstance(controller.broker, Broker):
            where = f"inner site {path!r}" if path else "the root"
            return (
                f"{where} has {controller.broker.name!r}, but only brokers and global queues decide in steps"
            )
    return None


def _why_not_times(scenario: Scenario) -> str | None:
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns during the run"
    if scenario.instance.estimates == "request":
        return "run times beyond their requests are for simulations only"
    if scenario.machine_changes:
        return "changes of machines are reported, not planned"
    return None if scenario.cycles == "instant" else f"cycles are once an instant, got {scenario.cycles!r}"


@dataclass(frozen=True, slots=True)
class OpenScenario(Scenario):
    """`Scenario` of which neither the number of jobs is known nor how long they run."""

    @property
    def ranks_late(self) -> bool:
        """See `Scenario.ranks_late`: a rank among all jobs is not known."""
        return True


def open_scenario(scenario: Scenario) -> OpenScenario:
    """Return `scenario` as its controllers know it: each job runs for its planned time."""
    return growing_scenario(planned_scenario(scenario))


def growing_scenario(scenario: Scenario) -> OpenScenario:
    """Return `scenario` with more jobs to come; those that it has run for their run times."""
    settings: dict[str, Any] = {field.name: getattr(scenario, field.name) for field in fields(Scenario)}
    return OpenScenario(**settings)
