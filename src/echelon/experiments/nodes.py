"""What a run on nodes is told besides: where jobs go, how fast they run there, what the machine may draw."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from echelon.experiments.misplaced_choices import refuse_choices
from echelon.model import Platform

if TYPE_CHECKING:
    from echelon.engine.nodes.rules import NodeRules
    from echelon.execution import Execution, NetworkModel, TimeShared
    from echelon.model import Workload
    from echelon.policies.placement import Placement
    from echelon.policies.sharing import Sharing

    PlacementGiven: TypeAlias = str | Placement
    ExecutionGiven: TypeAlias = str | Execution | TimeShared
    NetworkGiven: TypeAlias = str | NetworkModel
    SharingGiven: TypeAlias = str | Sharing

DEFAULT_PLACEMENT = "first-fit"


class NodeChoice(NamedTuple):
    """What was asked for inside the machine, None where nothing was: as of `echelon.simulate`."""

    place: PlacementGiven | None = None
    execution: ExecutionGiven | None = None
    network: NetworkGiven | None = None
    sharing: SharingGiven | None = None
    power_cap: float | None = None
    governor: str | None = None
    sleep_after: float | None = None
    release: str | None = None
    sequential: str | None = None


def node_rules_of(machine: object, workload: Workload, choice: NodeChoice) -> NodeRules | None:
    """Return the rules inside `machine`, or None if its nodes are not told apart.

    The placement is `DEFAULT_PLACEMENT` if none is named. Tasks run at the speed of their cores if the
    workload says what they ask for, else for the log's run times.

    Raises
    ------
    InputError
        If a choice is for nodes and there are none, or what is given is wrong.
    UnknownNameError
        If words name nothing.
    """
    if isinstance(machine, Platform) and machine.is_shared:
        refuse_choices(
            choice._replace(execution=None)._asdict(),
            "for the nodes of one machine; on a multicluster tasks share the nodes that are least used",
        )
        return None
    from echelon.model import Hardware

    if not isinstance(machine, Hardware):
        refuse_choices(
            choice._asdict(),
            "for nodes; say which with a platform that has some (--platform FILE|PRESET)",
        )
        return None
    usual = "fixed" if workload.demands is None else "speed"
    from echelon.engine.nodes.rules import NodeRules
    from echelon.execution import execution_of, network_of
    from echelon.policies.placement import placement_of
    from echelon.policies.sharing import sharing

    return NodeRules(
        placement_of(DEFAULT_PLACEMENT if choice.place is None else choice.place),
        execution_of(usual if choice.execution is None else choice.execution),
        network_of(choice.network),
        None if choice.sharing is None else sharing(choice.sharing),
        math.inf if choice.power_cap is None else choice.power_cap,
        "highest" if choice.governor is None else choice.governor,
        choice.sleep_after,
        "by-kind" if choice.release is None else choice.release,
        "one-node" if choice.sequential is None else choice.sequential,
    )


def node_words(rules: NodeRules | None) -> dict[str, Any]:
    """Return the rules by the names of the options, in canonical words; all None where there are none."""
    if rules is None:
        return dict.fromkeys(NodeChoice._fields)
    from echelon.execution import network_words
    from echelon.policies.placement import placement_words
    from echelon.policies.sharing import sharing_words

    return {
        "place": placement_words(rules.placement),
        "execution": rules.execution.words,
        "network": network_words(rules.network),
        "sharing": sharing_words(rules.sharing),
        "power_cap": rules.power_cap if math.isfinite(rules.power_cap) else None,
        "governor": rules.governor,
        "sleep_after": rules.sleep_after,
        "release": rules.release,
        "sequential": rules.sequential,
    }
