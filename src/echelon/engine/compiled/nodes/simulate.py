"""One machine of nodes in kernels: which scenarios, and from arrays back to a schedule."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import (
    candidate_keys,
    counts_of,
    earliest_submissions,
    is_dependent,
    ranks_of,
    set_submit_times,
    submissions_of,
    tied_keys,
)
from echelon.engine.compiled.dynamic_orders import has_kernel
from echelon.engine.compiled.kernel_thread import run_watched
from echelon.engine.contract import CYCLES
from echelon.engine.nodes.sleep_states import Sleeping
from echelon.model import Schedule
from echelon.model.jobs.columns import read_only
from echelon.policies import Easy, FirstFit, NoBackfill
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import Hardware, Holdings
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_KINDS: dict[type, str] = {NoBackfill: "NONE", FirstFit: "FIRST_FIT", Easy: "EASY"}
"""The backfillings that kernels know on nodes, exactly these classes, by their names in `state`."""


def supports_nodes(  # noqa: PLR0911  (one line a reason)
    scenario: Scenario, rules: NodeRules
) -> str | None:
    """Return None if kernels can run `scenario` on nodes, else the reason why not."""
    scheduler = scenario.policy.scheduler
    if rules.sharing is not None:
        return "tasks that share cores are in the reference engine only"
    if reason := why_not_power(scenario, rules) or _why_not_apart(scenario, rules):
        return reason
    if (model := rules.execution.memory or rules.network) is not None:
        return f"{model.name!r} changes rates while tasks run, which the reference engine alone follows"
    if reason := why_not_search(scenario, rules):
        return reason
    if type(scheduler) not in _KINDS or getattr(scheduler, "reservations", 1) > 1:
        return f"on nodes {scheduler.name!r} is in the reference engine only, with reservations or plans"
    for order in (scenario.policy.order, getattr(scheduler, "candidates", None)):
        if order is not None and has_kernel(order):
            return (
                f"on nodes the order {order.name!r}, which changes with time, is in the reference engine only"
            )
    return None


def why_not_power(scenario: Scenario, rules: NodeRules) -> str | None:
    """Return why kernels do not know how nodes draw power; None if they do."""
    if math.isfinite(rules.power_cap):
        return "a power cap is in the reference engine only"
    if Sleeping(scenario.instance.node_level.hardware, rules.sleep_after, 0.0).is_used:
        return "nodes that are switched off are in the reference engine only"
    return None


def why_not_search(scenario: Scenario, rules: NodeRules) -> str | None:
    """Return why kernels do not know how jobs find their cores; None if they do."""
    placement = rules.placement
    if type(placement) is not NodeSearch:
        return f"the placement {placement.name!r} is in the reference engine only"
    if placement.static_ranks(scenario.instance.node_level.hardware) is None:
        return f"the resource order {placement.order.name!r} depends on more than the machine"
    return None


def _why_not_apart(scenario: Scenario, rules: NodeRules) -> str | None:
    """Return why jobs do not give cores back as kernels let them: each by where its tasks are."""
    instance = scenario.instance
    frees = np.array(instance.frees_each_task) & (rules.release != "gang")
    if (frees != instance.node_level.demands.sequential).any():
        return "cores given back otherwise than by where a job's tasks are, in the reference engine only"
    if instance.estimates == "request" and rules.execution.fixed:
        return "run times beyond their requests are in the reference engine only"
    return None


def simulate_nodes(scenario: Scenario, rules: NodeRules, progress: Progress | None = None) -> Schedule:
    """Run `scenario`, which is supported, on its nodes."""
    from echelon.engine.compiled.nodes.core_arrays import holdings_of, rank_cores
    from echelon.engine.compiled.nodes.run import run
    from echelon.engine.compiled.nodes.state import GROUP_TYPE, fresh_state

    instance, placement = scenario.instance, rules.placement
    hardware, demands = instance.node_level.hardware, instance.node_level.demands
    assert isinstance(placement, NodeSearch)
    ranks = placement.static_ranks(hardware)
    assert ranks is not None
    level, rates = levels_of(hardware, rules)
    groups = np.empty(len(demands.tasks), dtype=GROUP_TYPE)
    groups["tasks"], groups["operations"] = demands.tasks, demands.operations
    jobs = _jobs_of(scenario)
    submissions = submissions_of(instance, np.arange(len(instance)))
    state = fresh_state(
        submissions.arrivals, rank_cores(hardware, ranks, rates), _machine(scenario, rules), groups,
        slots=int(instance.size.sum()),
    )  # fmt: skip
    cycles = CYCLES.index(scenario.cycles)
    run_watched(lambda: run(state, jobs, submissions, cycles), state.watch, len(jobs), progress)
    # First of all it is made sure that every job has started: what it held is read unchecked.
    counts = counts_of(state.machine, "events", "passes", "examined", "searches")
    plain = Schedule(set_submit_times(instance, jobs["submit"].copy()), jobs["start"].copy(), counts)
    return _record_outcome(plain, jobs, holdings_of(state, jobs, instance, level))


def levels_of(hardware: Hardware, rules: NodeRules) -> tuple[IntColumn, FloatColumn]:
    """Return the frequency level of each core and its operations a second there, each of shape (n_cores,)."""
    processors = hardware.processors
    lowest = rules.governor == "lowest"
    level = np.array([len(one.levels) - 1 if lowest else 0 for one in processors], dtype=np.int64)
    clock = np.array([one.levels[k].clock for one, k in zip(processors, level.tolist(), strict=True)])
    return level[hardware.processor_of_core], hardware.core_speed * clock[hardware.processor_of_core]


def _machine(scenario: Scenario, rules: NodeRules) -> NDArray[Any]:
    from echelon.engine.compiled.nodes import state

    scheduler, placement = scenario.policy.scheduler, rules.placement
    assert isinstance(placement, NodeSearch)
    machine = np.zeros(1, dtype=state.MACHINE_TYPE)
    machine["fit"] = ("first-fit", "best-fit", "worst-fit").index(placement.fit)
    machine["fixed"] = rules.execution.fixed
    machine["kills"] = scenario.instance.estimates == "kill" and not rules.execution.fixed
    machine["kind"] = getattr(state, _KINDS[type(scheduler)])
    if isinstance(scheduler, Easy):
        machine["own_order"] = scheduler.candidates is not None or scheduler.fit == "best-fit"
    return machine


def _jobs_of(scenario: Scenario) -> NDArray[Any]:
    """Return the jobs as records, by position."""
    from echelon.engine.compiled.nodes.state import JOB_TYPE

    instance, demands = scenario.instance, scenario.instance.node_level.demands
    key = (tied_keys if is_dependent(instance) else ranks_of)(scenario, scenario.policy.order)
    jobs = np.zeros(len(instance), dtype=JOB_TYPE)
    jobs["submit"], jobs["run"] = earliest_submissions(instance), instance.run_time
    jobs["planned"], jobs["size"] = instance.planned_time, instance.size
    jobs["key"], jobs["candidate"] = key, candidate_keys(scenario, key)
    jobs["memory"], jobs["sequential"] = demands.largest, demands.sequential
    # A sequential job is always in one node.
    jobs["nodes"] = nodes = np.where(demands.sequential, 0, demands.nodes)
    share = -(-instance.size // np.maximum(nodes, 1))
    jobs["most"] = np.where(demands.sequential | (nodes > 0), share, demands.tasks_per_node)
    jobs["need"] = np.select([demands.sequential, nodes > 0], [1, nodes], instance.size)
    jobs["plain"] = (jobs["memory"] == 0) & (jobs["most"] == 0)
    jobs["first_group"], jobs["stop_group"] = demands.first_group[:-1], demands.first_group[1:]
    jobs["slot"] = np.cumsum(instance.size) - instance.size
    jobs["first_piece"] = jobs["first_part"] = -1
    jobs["start"] = jobs["end"] = np.nan
    jobs["last_due"] = -np.inf
    return jobs


def _record_outcome(plain: Schedule, jobs: NDArray[Any], holdings: Holdings) -> Schedule:
    """Return the schedule with what happened, as `echelon.engine.nodes.progress.record` does."""
    instance, start = plain.instance, plain.start_time
    end = jobs["end"].copy()
    # Run times that were given come back to the last bit, which end minus start need not.
    run = np.where(start + instance.run_time == end, instance.run_time, end - start)
    killed = instance.killed | jobs["cut"].astype(np.bool_)
    happened = replace(instance, run_time=read_only(run), killed=read_only(killed))
    return replace(plain, instance=happened, end=read_only(end), holdings=holdings)
