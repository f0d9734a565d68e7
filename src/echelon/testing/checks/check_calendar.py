"""Check a schedule against what changed of its machine: which jobs held nodes that were closed or down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.resources.access import closures_of
from echelon.errors import InputError
from echelon.model.machines.outages import OutageKind
from echelon.testing.finding import Check, Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.availability import Changes
    from echelon.engine.resources.closures import Closure
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class _Held(NamedTuple):
    """One row for each node that a job held, with the site and when, in seconds."""

    job: IntColumn
    site: IntColumn
    node: IntColumn
    start: FloatColumn
    end: FloatColumn

    def at(self, site: int, nodes: Sequence[int] | IntColumn) -> NDArray[np.bool_]:
        """Return which rows are of these nodes of a site."""
        intervals: NDArray[np.bool_] = (self.site == site) & np.isin(self.node, nodes)
        return intervals


def check_calendar(schedule: Schedule, changes: Changes) -> Check:
    """Check that no job of a schedule held nodes that were down, or closed to it.

    Parameters
    ----------
    schedule : Schedule
        Of a run that says which nodes each job held.
    changes : Changes
        What changed of the machine in the run; reservations that slid count as the schedule has them.

    Returns
    -------
    Check
        A finding each of failures, drains, maintenance with reservations, and of the jobs that name
        reservations.

    Raises
    ------
    InputError
        If the schedule does not say which nodes jobs held.

    Notes
    -----
    Where ``conflict`` is ``wait``, or a reservation ignores jobs, those that ran there before may go on.
    Cost: O(nodes held x changes) in numpy.
    """
    held = _held_nodes(schedule)
    # The schedule has those that have begun: a flexible one may be used before.
    slid = [one for one in schedule.reservations or () if one.slide]
    fixed = [one for one in changes.reservations if not one.slide]
    changes = replace(changes, reservations=(*fixed, *slid))
    closures = closures_of(schedule.instance, changes)
    drains = [one for one in closures if one.drains]
    others = [one for one in closures if not one.drains]
    findings = (
        _finding("failures", _find_on_failed_nodes(held, changes), schedule, "held a node that was down"),
        _finding("drains", _find_barred(held, drains), schedule, "started on a node that was drained"),
        _finding("closed nodes", _find_barred(held, others), schedule, "held a node that was closed to it"),
        _finding("own reservations", _find_outside(held, others), schedule, "ran outside its reservation"),
    )
    return Check("calendar", schedule.instance.workload.name, findings)


def _finding(name: str, wrong: IntColumn, schedule: Schedule, rule: str) -> Finding:
    if not len(wrong):
        return Finding(name, True, f"no job {rule}")
    return Finding(name, False, f"job {schedule.instance.label(int(wrong[0]))} {rule}")


def _find_on_failed_nodes(held: _Held, changes: Changes) -> IntColumn:
    """Return the positions of jobs that held nodes that were down."""
    table, violations = changes.outages.of_kind(OutageKind.FAIL), np.zeros(len(held.job), dtype=np.bool_)
    for row in range(len(table)):
        meets = (held.start < table.end[row]) & (table.start[row] < held.end)
        violations |= meets & held.at(int(table.site[row]), table.nodes_of(row))
    return held.job[violations]


def _find_barred(held: _Held, closures: Sequence[Closure]) -> IntColumn:
    """Return the positions of jobs that held nodes while these were closed to them."""
    violations = np.zeros(len(held.job), dtype=np.bool_)
    for one in closures:
        meets = (held.start < one.end) & (one.start < held.end)
        if not one.evicts:
            meets &= held.start >= one.start
        violations |= meets & held.at(one.site, one.nodes) & ~np.isin(held.job, list(one.may_use))
    return held.job[violations]


def _find_outside(held: _Held, closures: Sequence[Closure]) -> IntColumn:
    """Return the positions of jobs that ran elsewhere, or at other times, than in reservations they name."""
    named, inside = np.zeros((2, len(held.job)), dtype=np.bool_)
    for one in closures:
        mine = np.isin(held.job, list(one.named_by))
        named |= mine
        in_time = (held.start >= one.start) | one.flex
        in_time &= (held.end <= one.end) | one.flex | one.overrun
        inside |= mine & in_time & held.at(one.site, one.nodes)
    return held.job[named & ~inside]


def _held_nodes(schedule: Schedule) -> _Held:
    """Return which nodes each job held and when, whatever kind of nodes they are."""
    parts = [*_of_cores(schedule), *_of_processors(schedule), *_of_tasks(schedule)]
    if not parts:
        raise InputError("the schedule does not say which nodes jobs held; run it with what changes")
    return _Held(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _of_cores(schedule: Schedule) -> list[_Held]:
    holdings, hardware = schedule.holdings, schedule.instance.hardware
    if holdings is None or hardware is None:
        return []
    rows = np.repeat(np.arange(len(holdings.job)), np.diff(holdings.first_core))
    node, site = hardware.node_of_core[holdings.cores], np.zeros(len(rows), dtype=np.int64)
    if (platform := schedule.instance.platform) is not None:
        site = np.searchsorted(platform.first_node, node, side="right") - 1
        node = node - platform.first_node[site]
    return [_Held(holdings.job[rows], site, node, holdings.start[rows], holdings.release[rows])]


def _of_processors(schedule: Schedule) -> list[_Held]:
    if (numbered := schedule.numbered) is None:
        return []
    rows = np.repeat(np.arange(len(numbered.job)), np.diff(numbered.first))
    site = np.maximum(numbered.site[rows], 0)
    return [_Held(numbered.job[rows], site, numbered.node, numbered.start[rows], numbered.end[rows])]


def _of_tasks(schedule: Schedule) -> list[_Held]:
    if (places := schedule.places) is None:
        return []
    times = places.times(schedule.start_time, schedule.end_time)
    return [_Held(places.job, places.site, places.node, *times)]
