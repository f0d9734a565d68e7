"""Closed: when processors are closed to which jobs, as arrays, and which jobs name reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.dynamic_machine.inputs.layout import layout_of
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.compiled.dynamic_machine.inputs.layout import Layout
    from echelon.engine.contract import Scenario
    from echelon.engine.resources.closures import Closure
    from echelon.model.jobs.columns import IntColumn

MOST_GROUPS = 62
"""Groups of jobs with the same access: a bit each, in one number a job."""


class Closed(NamedTuple):
    """The closures of a run, and what its jobs have to do with them."""

    closures: NDArray[Any]  # CLOSURE_TYPE[...]
    intervals: NDArray[Any]  # INTERVAL_TYPE[...]
    names: NDArray[Any]  # NAME_TYPE[...]
    naming: IntColumn
    access: IntColumn  # shape (n_jobs,), (0,) if nothing is ever closed
    named: IntColumn  # the same


def all_closures(scenario: Scenario) -> tuple[Closure, ...]:
    """Return the closures of one machine, in order of start, then number."""
    changes = scenario.changes
    if not changes.reservations and not (changes.outages.kind != OutageKind.FAIL).any():
        return ()
    from echelon.engine.resources.access import at_leaf, closures_of

    instance = scenario.instance
    nodes = instance.processors if instance.hardware is None else len(instance.hardware.nodes)
    closures = at_leaf(closures_of(instance, changes), 0, nodes)
    return () if closures is None else closures.all


def groups_of(closures: Sequence[Closure]) -> dict[frozenset[int], int]:
    """Return the number of each group of jobs that have access to the same closures."""
    groups: dict[frozenset[int], int] = {}
    for one in closures:
        if one.may_use:
            groups.setdefault(one.may_use, len(groups))
    return groups


def closing_times(scenario: Scenario) -> Closed:
    """Return when processors are closed to which jobs. Cost: O(closures x processors + jobs with access)."""
    from echelon.engine.compiled.dynamic_machine.state import CLOSURE_TYPE, INTERVAL_TYPE, NAME_TYPE

    closures, n_jobs, layout = all_closures(scenario), len(scenario.instance), layout_of(scenario)
    groups, numbers = groups_of(closures), {one.name: -1 for one in closures}
    # Where nothing is ever closed it does not matter which jobs have access.
    count = n_jobs if closures else 0
    access, named = np.zeros(count, dtype=np.int64), np.full(count, -1)
    for group, number in groups.items():
        access[sorted(group)] |= np.int64(1 << number)
    wanted = {one.name: one.named_by for one in closures if one.named_by}
    numbers.update((name, number) for number, name in enumerate(wanted))
    for name, jobs in wanted.items():
        named[sorted(jobs)] = numbers[name]
    records = np.zeros(len(closures), dtype=CLOSURE_TYPE)
    intervals = [_intervals(one, layout) for one in closures]
    stops = np.cumsum([len(low) for low, _ in intervals], dtype=np.int64)
    for field in ("start", "end", "known", "evicts", "flex", "number", "slide"):
        records[field] = [getattr(one, field) for one in closures]
    records["drains"] = [one.drains for one in closures]
    records["overruns"] = [one.overrun or one.flex for one in closures]
    records["group"] = [groups.get(one.may_use, -1) for one in closures]
    records["name"] = [numbers[one.name] for one in closures]
    records["latest"] = np.maximum.accumulate(records["end"])
    records["first"][1:], records["stop"] = stops[:-1], stops
    table = np.zeros(int(stops[-1]) if len(stops) else 0, dtype=INTERVAL_TYPE)
    for name, side in (("low", 0), ("high", 1)):
        table[name] = np.concatenate([pair[side] for pair in intervals]) if intervals else []
    # By its number, then position.
    naming = np.argsort(named, kind="stable")[int((named < 0).sum()) :]
    return Closed(records, table, _names(records, named, len(wanted), NAME_TYPE), naming, access, named)


def _intervals(closure: Closure, layout: Layout | None) -> tuple[IntColumn, IntColumn]:
    """Return the lowest and highest of each stretch of neighbors among the processors of a closure."""
    held = np.array(closure.nodes, dtype=np.int64)
    if layout is not None:
        held = np.sort(layout.processors_of(held))
    begins = np.flatnonzero(np.diff(held, prepend=-2) != 1)
    return held[begins], held[np.append(begins[1:], len(held)) - 1]


def _names(records: NDArray[Any], named: IntColumn, n_names: int, name_type: np.dtype[Any]) -> NDArray[Any]:
    names = np.zeros(n_names, dtype=name_type)
    stops = np.cumsum(np.bincount(named[named >= 0], minlength=n_names))
    names["first"][1:], names["stop"] = stops[:-1], stops
    names["left"] = np.bincount(records["name"][records["name"] >= 0], minlength=n_names)
    return names
