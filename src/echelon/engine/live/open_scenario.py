"""OpenScenario: a scenario whose jobs become known during the run."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from echelon.engine.contract import Scenario
from echelon.engine.tree.assembly import planned_scenario

if TYPE_CHECKING:
    from typing import Any


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
