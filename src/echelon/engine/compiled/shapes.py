"""Shapes: what of a tree of sites kernels know, and which libraries of kernels a scenario needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.system_model import NodeLevelMachine, OneMachine, TreeOfSites
from echelon.libraries.calls import entry_of, runs_in_python
from echelon.libraries.lookup import why_not

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.policies import Broker, Decentralized


def flat_rule(scenario: Scenario) -> Broker | Decentralized | None:
    """Return what decides at the root of sites of counted processors alone; None of any other shape.

    It is a broker that sends jobs on as they come and knows all as it is, or a protocol, above sites that all
    have the same policy. Whatever else there is, now or later, is no such rule.
    """
    if not isinstance(scenario.system_model, TreeOfSites) or scenario.instance.sites.is_nested:
        return None
    if scenario.policy.elsewhere:
        return None
    sites, root = scenario.instance.sites.sites, scenario.system_model.controllers[""]
    if not all(isinstance(site.resource, int | np.integer) for site in sites):
        return None
    from echelon.engine.controllers import Controller
    from echelon.policies import Broker, Decentralized

    if not isinstance(root, Controller) or root != Controller(root.broker, root.admissible):
        return None
    return root.broker if isinstance(root.broker, Broker | Decentralized) else None


def libraries_of(scenario: Scenario) -> tuple[str, ...]:  # noqa: PLR0911  (one line a shape)
    """Return the names of the libraries by which kernels run `scenario`, or predict its queues."""
    if scenario.machine_changes:
        from echelon.engine.compiled.dynamic_machine.inputs.course import reserves_starts

        if reserves_starts(scenario.policy.scheduler):
            return ("dynamic_reservations", "dynamic_rows")
        # Where it does not matter which cores are of one node, these are counted.
        nodes = ("dynamic_nodes",) if isinstance(scenario.system_model, NodeLevelMachine) else ()
        return ("dynamic_machine", *nodes, "dynamic_rows")
    if isinstance(scenario.system_model, OneMachine):
        return ("machine",)
    if isinstance(scenario.system_model, NodeLevelMachine):
        return ("nodes", "node_rows")
    if scenario.multicluster is not None:
        return ("projection",)
    from echelon.policies import Decentralized, Information

    if (rule := flat_rule(scenario)) is None:
        return ("machine",)
    if isinstance(rule, Decentralized):
        return ("peers",)
    by = "schedules" if rule.information >= Information.SCHEDULES else "sums"
    return (f"grid_by_{by}", "grid_room", "machine")


def why_no_library(scenario: Scenario) -> str | None:
    """Return None if all that `scenario` needs is there, or could be built, else why not and what to do.

    Kernels that are stepped through as plain Python need none.
    """
    if runs_in_python():
        return None
    return next((reason for name in libraries_of(scenario) if (reason := why_not(name))), None)


def load_for(scenario: Scenario) -> None:
    """Load what `scenario` needs, so that a run that is timed does not wait for it."""
    for name in libraries_of(scenario):
        entry_of(name).load()
