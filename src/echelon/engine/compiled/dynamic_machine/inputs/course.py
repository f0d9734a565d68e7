"""Course: what is known of a run before it, as arrays: changes of the machine, and how jobs take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import is_dependent
from echelon.engine.compiled.dynamic_machine.inputs.layout import (
    asks_of,
    fit_of,
    hosts_of,
    layout_of,
    needs_hosts,
    takes_memory,
)
from echelon.engine.ledger.attempt_lengths import needs_lengths, nodes_of, with_checkpoints
from echelon.engine.resources.closure_events import STEP
from echelon.model.machines.outages import OutageKind
from echelon.policies import Conservative, Easy, FirstFit, NoBackfill, Plan, Selective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.availability import Changes
    from echelon.engine.compiled.dynamic_machine.inputs.closure_arrays import Closed
    from echelon.engine.compiled.dynamic_machine.inputs.layout import Layout
    from echelon.engine.compiled.dynamic_machine.state import Course
    from echelon.engine.contract import Scenario
    from echelon.model import Instance
    from echelon.model.machines.outages import Outages
    from echelon.policies import Scheduler

KINDS = {
    NoBackfill: "NONE",
    FirstFit: "FIRST_FIT",
    Easy: "EASY",
    Conservative: "CONSERVATIVE",
    Selective: "SELECTIVE",
    Plan: "RESERVED",
}
"""The schedulers that are known where the machine changes."""


def kind_of(scheduler: Scheduler) -> str:
    """Return the name of a scheduler's kind: that of EASY with several reservations is its own."""
    is_reserved = isinstance(scheduler, Easy) and scheduler.plans
    return "RESERVED" if is_reserved else KINDS[type(scheduler)]


def reserves_starts(scheduler: Scheduler) -> bool:
    """Return whether a scheduler reserves starts for more waiting jobs than the head."""
    return isinstance(scheduler, Conservative | Plan | Selective) or getattr(scheduler, "plans", False)


def joins_behind(scenario: Scenario) -> bool:
    """Return whether a job's place in the queue is known only when it joins."""
    return is_dependent(scenario.instance) or _requeues_behind(scenario.changes)


def _requeues_behind(changes: Changes) -> bool:
    return bool(len(changes.outages)) and changes.requeueing.effective.order == "back"


def has_deadlines(instance: Instance) -> bool:
    """Return whether any job has a deadline."""
    return instance.limits is not None and bool(np.isfinite(instance.limits.deadline).any())


def course_of(scenario: Scenario, closed: Closed) -> Course:
    """Return what is known of a run before it.

    Notes
    -----
    Cost: O(outages log outages + jobs).
    """
    from echelon.engine.compiled.dynamic_machine.state import HOST_TYPE, Course

    failures = scenario.changes.outages.of_kind(OutageKind.FAIL)
    layout = layout_of(scenario)
    machine, sliding = _machine_of(scenario), _sliding_of(closed.closures)
    by_host = needs_hosts(scenario, layout, closes=len(closed.closures) > 0)
    machine["by_tasks"] = layout is not None
    machine["fit"], machine["remembers"] = fit_of(scenario), by_host and takes_memory(scenario)
    machine["refuses"] = machine["limits"] | (len(closed.names) > 0)
    machine["n_sliding"] = (closed.closures["slide"] > 0).sum()
    return Course(
        machine,
        _events_of(failures, closed.closures),
        _failures_of(failures, layout),
        failures.node if layout is None else layout.processors_of(failures.node),
        closed.closures,
        closed.intervals,
        closed.names,
        closed.naming,
        sliding,
        _cancels_of(scenario.instance),
        _bonds_of(scenario, closed, by_host=by_host),
        _saving_of(scenario),
        _limits_of(scenario),
        hosts_of(scenario, layout) if by_host and layout is not None else np.zeros(0, dtype=HOST_TYPE),
    )


def _machine_of(scenario: Scenario) -> NDArray[Any]:
    from echelon.engine.compiled.dynamic_machine import state

    scheduler, changes = scenario.policy.scheduler, scenario.changes
    rule = changes.requeueing.effective
    machine = np.zeros(1, dtype=state.MACHINE_TYPE)
    machine["kind"] = getattr(state, kind_of(scheduler))
    if isinstance(scheduler, Easy):
        machine["own_order"] = scheduler.candidates is not None or scheduler.fit == "best-fit"
    machine["back"], machine["ties"] = _requeues_behind(changes), joins_behind(scenario)
    machine["kills"] = rule.on_failure == "kill"
    machine["saves"], machine["limits"] = needs_lengths(scenario), has_deadlines(scenario.instance)
    machine["most"] = np.iinfo(np.int64).max if rule.most is None else rule.most
    machine["delay"] = rule.delay
    if isinstance(changes.repair, str):
        machine["knowledge"] = {"unknown": state.UNKNOWN, "known": state.KNOWN}[changes.repair]
    else:
        machine["knowledge"], machine["repair"] = state.ESTIMATED, changes.repair
    return machine


def _events_of(failures: Outages, closures: NDArray[Any]) -> NDArray[Any]:
    """Return the changes of capacity by time, those of one time by what happens, then as given."""
    from echelon.engine.compiled.dynamic_machine import state

    blinks = failures.end == failures.start
    fails = np.where(blinks, state.BLINK, state.FAIL)
    rows, stays = np.arange(len(failures)), closures["slide"] == 0
    parts = [
        (failures.start, fails, rows, np.isfinite(failures.start)),
        (failures.end, np.full(len(failures), state.UP), rows, ~blinks & np.isfinite(failures.end)),
    ]
    for name, code, kept in (
        ("end", state.ENDS, stays), ("start", state.BEGINS, stays), ("known", state.ANNOUNCED, True)
    ):  # fmt: skip
        time = closures[name]
        parts.append((time, np.full(len(time), code), closures["number"], kept & np.isfinite(time)))
    chosen = ([column[kept] for column in columns] for *columns, kept in parts)
    time, what, row = (np.concatenate(columns) for columns in zip(*chosen, strict=True))
    order = np.lexsort((what, time))
    events = np.empty(len(order), dtype=state.EVENT_TYPE)
    events["time"], events["what"], events["row"] = time[order], what[order], row[order]
    return events


def _sliding_of(closures: NDArray[Any]) -> NDArray[Any]:
    """Return when reservations that slide may first move, by time, then number; and room for as many."""
    from echelon.engine.compiled.structures.heap import ENTRY_TYPE

    sliding, slides = np.zeros(len(closures) + 1, dtype=ENTRY_TYPE), closures[closures["slide"] > 0]
    time = STEP * (np.floor((slides["start"] - slides["slide"]) / STEP) + 1)
    order = np.lexsort((slides["number"], time))
    first = sliding[: len(slides)]
    first["time"], first["tie"], first["job"] = time[order], *[slides["number"][order]] * 2
    return sliding


def _failures_of(failures: Outages, layout: Layout | None) -> NDArray[Any]:
    from echelon.engine.compiled.dynamic_machine.state import FAILURE_TYPE

    first = failures.first
    if layout is not None:
        first = np.append(0, np.cumsum(layout.counts_of(failures.node)))[first]
    records = np.zeros(len(failures), dtype=FAILURE_TYPE)
    records["start"], records["end"] = failures.start, failures.end
    records["first"], records["stop"] = first[:-1], first[1:]
    return records


def _cancels_of(instance: Instance) -> NDArray[Any]:
    """Return when jobs are canceled, by time, then position."""
    from echelon.engine.compiled.structures.heap import ENTRY_TYPE

    cancel = np.zeros(0) if instance.limits is None else instance.limits.cancel
    order = np.argsort(cancel, kind="stable")
    order = order[np.isfinite(cancel[order])]
    cancels = np.empty(len(order), dtype=ENTRY_TYPE)
    cancels["time"], cancels["tie"], cancels["job"] = cancel[order], order, order
    return cancels


def _bonds_of(scenario: Scenario, closed: Closed, *, by_host: bool) -> NDArray[Any]:
    """Return what ties jobs to reservations and to others, one record a job; a single one if nothing does."""
    from echelon.engine.compiled.dynamic_machine.state import BOND_TYPE

    closes = len(closed.closures) > 0
    each = by_host or closes or joins_behind(scenario)
    bonds = np.zeros(len(scenario.instance) if each else 1, dtype=BOND_TYPE)
    bonds["access"], bonds["named"] = (closed.access, closed.named) if closes else (0, -1)
    if by_host:
        for name, column in asks_of(scenario).items():
            bonds[name] = column
    return bonds


def _saving_of(scenario: Scenario) -> NDArray[Any]:
    """Return how jobs write checkpoints, one record a job; a single one if attempts do not differ in length.

    `scenario` is as it was asked for.
    """
    from echelon.engine.compiled.dynamic_machine.state import SAVING_TYPE

    if not needs_lengths(scenario):
        return np.zeros(1, dtype=SAVING_TYPE)
    changes, plain = scenario.changes, scenario.instance
    saving = np.zeros(len(plain), dtype=SAVING_TYPE)
    saving["work"] = saving["left"] = plain.run_time
    saving["planned"] = with_checkpoints(scenario).instance.planned_time
    saving["interval"] = np.inf
    if (rule := changes.checkpoint) is not None:
        sizes, which = np.unique(nodes_of(plain), return_inverse=True)
        rules = [rule.of(size) for size in sizes.tolist()]
        for name in ("interval", "cost", "restart"):
            saving[name] = np.array([getattr(one, name) for one in rules])[which]
    saving["limited"] = plain.estimates == "kill"
    saving["per_job"] = saving["limited"] & (changes.limit_per == "job")
    return saving


def _limits_of(scenario: Scenario) -> NDArray[Any]:
    """Return when jobs must have ended, one record a job; a single one if no job has a deadline."""
    from echelon.engine.compiled.dynamic_machine.state import LIMIT_TYPE

    instance = with_checkpoints(scenario).instance
    if instance.limits is None or not has_deadlines(instance):
        return np.zeros(1, dtype=LIMIT_TYPE)
    limits = np.zeros(len(instance), dtype=LIMIT_TYPE)
    limits["deadline"], limits["planned"] = instance.limits.deadline, instance.planned_time
    limits["minimum"] = np.where(np.isnan(instance.limits.minimum), np.inf, instance.limits.minimum)
    return limits
