"""Rules of a machine whose nodes are modeled individually: from settings, and back to specs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.nodes import INSIDE_NODES
from echelon.experiments.settings.setting import MULTICLUSTER, NODES
from echelon.experiments.systems.refusals import kinds_of_machine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import Workload

DEFAULT_PLACEMENT = next(str(one.default) for one in INSIDE_NODES if one.attribute == "placement")


def node_rules_of(machine: object, workload: Workload, settings: Mapping[str, Any]) -> NodeRules | None:
    """Return the rules inside `machine`, or None if its nodes are not modeled individually.

    Parameters
    ----------
    machine : object
        Nodes, or anything else.
    workload : Workload
        By default tasks run at the speed of their cores if it says what they ask for, else for the log's run
        times.
    settings : mapping of str to object
        What was asked for, by setting; what is not there is the setting's default.

    Raises
    ------
    InputError
        If what is given is wrong.
    UnknownNameError
        If a spec names nothing.
    """
    if NODES not in kinds_of_machine(machine):
        return None
    from echelon.engine.nodes.rules import NodeRules

    if MULTICLUSTER in kinds_of_machine(machine):
        from echelon.experiments.systems.multicluster import is_shared_execution

        settings = {k: v for k, v in settings.items() if k != "execution" or not is_shared_execution(v)}
    asked = {"execution": "fixed" if workload.demands is None else "speed", **settings}
    rules = NodeRules(**{one.attribute: one.value(asked.get(one.name)) for one in INSIDE_NODES})
    nodes: Any = getattr(machine, "all_nodes", machine)
    rules.check_described(nodes)
    return rules


def node_settings(rules: NodeRules | None) -> dict[str, Any]:
    """Return the rules by setting, in canonical form; all None where there are none."""
    return {
        one.name: None if rules is None else one.format(getattr(rules, one.attribute)) for one in INSIDE_NODES
    }
