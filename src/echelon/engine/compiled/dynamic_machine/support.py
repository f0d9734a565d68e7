"""Support: what of machines that change kernels know; one sentence for each thing that they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.compiled.arrays import AT_RELEASE, candidate_order, is_dependent
from echelon.engine.compiled.dynamic_machine.inputs.closure_arrays import MOST_GROUPS, all_closures, groups_of
from echelon.engine.compiled.dynamic_machine.inputs.course import KINDS, joins_behind, reserves_starts
from echelon.engine.compiled.dynamic_machine.inputs.layout import layout_of
from echelon.engine.compiled.dynamic_orders import has_kernel
from echelon.engine.compiled.nodes.simulate import why_not_power, why_not_search
from echelon.engine.queue.ranking import before_release, reads_view
from echelon.engine.system_model import NodeLevelMachine, OneMachine
from echelon.model import ESTIMATES
from echelon.policies import Easy, FirstFit, NoBackfill
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.nodes.rules import NodeRules


_DYNAMIC = "where the machine changes, kernels know no order that changes with time, as {!r} does"


def supports_dynamic(scenario: Scenario) -> str | None:
    """Return None if kernels can run a machine that changes as `scenario` says, else why not."""
    return (
        _why_not_machine(scenario)
        or _why_not_policy(scenario)
        or _why_not_order(scenario)
        or _why_not_closures(scenario)
    )


def _why_not_machine(scenario: Scenario) -> str | None:
    if not isinstance(scenario.system_model, OneMachine | NodeLevelMachine):
        return "of machines that change, kernels know one machine, of counted processors or of nodes"
    if scenario.cycles != "instant":
        return "where the machine changes, kernels decide once an instant"
    if scenario.instance.estimates not in ESTIMATES:
        return "run times beyond their requests are in the reference engine only"
    if scenario.observers:
        return "observers watch the reference engine only"
    if isinstance(scenario.system_model, NodeLevelMachine):
        return _why_not_nodes(scenario, scenario.system_model.rules)
    return None


def _why_not_policy(scenario: Scenario) -> str | None:
    scheduler = scenario.policy.scheduler
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns during the run"
    if type(scheduler) not in KINDS:
        return f"where the machine changes, {scheduler.name!r} is in the reference engine only"
    return _why_not_reserving(scenario) if reserves_starts(scheduler) else None


def _why_not_reserving(scenario: Scenario) -> str | None:
    """Return what of a run kernels that reserve starts do not know, though others may; None if nothing."""
    limits, name = scenario.instance.limits, scenario.policy.scheduler.name
    if limits is not None and np.isfinite(limits.deadline).any():
        return f"jobs with deadlines under {name!r} are in the reference engine only"
    if any(one.slide for one in scenario.changes.reservations):
        return f"sliding reservations under {name!r} are in the reference engine only"
    return None


def _why_not_order(scenario: Scenario) -> str | None:
    """Return why kernels do not know the place of each job in the queue when it joins; None if they do."""
    queue, candidates = scenario.policy.order, candidate_order(scenario)
    for order in (queue,) if candidates is queue else (queue, candidates):
        if has_kernel(order) or reads_view(scenario.instance, order, scenario.seed):
            return _DYNAMIC.format(order.name)
        if joins_behind(scenario) and reads_view(before_release(scenario.instance), order, scenario.seed):
            if is_dependent(scenario.instance):
                return AT_RELEASE.format(order.name)
            return f"requeued jobs wait as if submitted again, and the order {order.name!r} uses submit times"
    return None


def _why_not_closures(scenario: Scenario) -> str | None:
    if len(groups_of(all_closures(scenario))) > MOST_GROUPS:
        return f"kernels know reservations for at most {MOST_GROUPS} groups of jobs"
    return None


def _why_not_nodes(scenario: Scenario, rules: NodeRules) -> str | None:
    """Return None if kernels know nodes that change by such rules, else why not."""
    return (
        _why_not_policy_on_nodes(scenario)
        or _why_not_run_times(rules)
        or why_not_power(scenario, rules)
        or _why_not_jobs(scenario)
        or why_not_search(scenario, rules)
        or _why_not_layout(scenario, rules)
    )


def _why_not_policy_on_nodes(scenario: Scenario) -> str | None:
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


def _why_not_jobs(scenario: Scenario) -> str | None:
    demands = scenario.instance.node_level.demands
    if len(demands.tasks) > len(scenario.instance):
        return "where nodes change, jobs of several kinds of tasks are in the reference engine only"
    if (demands.memory_volume > 0).any():
        return "where nodes change, jobs with memory traffic are in the reference engine only"
    return None


def _why_not_layout(scenario: Scenario, rules: NodeRules) -> str | None:
    if isinstance(rules.placement, NodeSearch) and layout_of(scenario) is None:
        return (
            f"where nodes change, the resource order {rules.placement.order.name!r}, which here mixes the "
            "cores of several nodes, is in the reference engine only"
        )
    return None
