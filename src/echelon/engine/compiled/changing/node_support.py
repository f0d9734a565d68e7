"""Node support: what of nodes that change kernels know; one sentence for each thing that they do not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.compiled.changing.inputs.layout import layout_of
from echelon.engine.nodes.sleep_states import Sleeping
from echelon.policies import Easy, FirstFit, NoBackfill
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.nodes.rules import NodeRules


def why_not_nodes(scenario: Scenario, rules: NodeRules) -> str | None:
    """Return None if kernels know nodes that change by such rules, else why not."""
    reasons = (
        _why_not_policy(scenario),
        _why_not_run_times(rules),
        _why_not_power(scenario, rules),
        _why_not_jobs(scenario),
        _why_not_placement(scenario, rules),
    )
    return next((reason for reason in reasons if reason is not None), None)


def _why_not_policy(scenario: Scenario) -> str | None:
    scheduler = scenario.policy.scheduler
    if type(scheduler) not in (NoBackfill, FirstFit, Easy):
        return f"where nodes change, {scheduler.name!r} is in the reference engine only"
    if isinstance(scheduler, Easy) and scheduler.reservations > 1:
        return "where nodes change, kernels keep one reservation in each cycle"
    return None


def _why_not_run_times(rules: NodeRules) -> str | None:
    if rules.sharing is not None:
        return "tasks that share cores are in the reference engine only"
    if not rules.execution.fixed:
        return "where nodes change, kernels know fixed run times, not such as depend on the cores"
    return None


def _why_not_power(scenario: Scenario, rules: NodeRules) -> str | None:
    if math.isfinite(rules.power_cap):
        return "a power cap is in the reference engine only"
    if Sleeping(scenario.instance.node_level.hardware, rules.sleep_after, 0.0).is_used:
        return "nodes that are switched off are in the reference engine only"
    return None


def _why_not_jobs(scenario: Scenario) -> str | None:
    demands = scenario.instance.node_level.demands
    if len(demands.tasks) > len(scenario.instance):
        return "where nodes change, jobs of several kinds of tasks are in the reference engine only"
    if (demands.memory_volume > 0).any():
        return "where nodes change, jobs with memory traffic are in the reference engine only"
    return None


def _why_not_placement(scenario: Scenario, rules: NodeRules) -> str | None:
    placement = rules.placement
    if type(placement) is not NodeSearch:
        return f"the placement {placement.name!r} is in the reference engine only"
    if placement.static_ranks(scenario.instance.node_level.hardware) is None:
        return f"the resource order {placement.order.name!r} depends on more than the machine"
    if layout_of(scenario) is None:
        return (
            f"where nodes change, the resource order {placement.order.name!r}, which here mixes the cores of "
            "several nodes, is in the reference engine only"
        )
    return None
