"""Task slots: the nodes of a multicluster as rows, one for each task that a node may hold at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
from echelon.metrics.tables.nodes.machine_nodes import MachineNodes, check_columns, whole_numbers
from echelon.model.jobs.columns import ranges
from echelon.model.schedules.number_sets import number_sets, read_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.schedules.number_sets import NumberSets

SHARED_NODE_COLUMNS = ("site", "node", "slots")
"""Columns of ``nodes.csv`` of a multicluster that figures and reports need."""

PLACE_COLUMNS = ("row", "site", "nodes")
"""Columns of ``places.csv`` that they need."""


def task_slots(node: IntColumn, start: FloatColumn, end: FloatColumn, first_slot: IntColumn) -> IntColumn:
    """Return a slot for each task, so that no two tasks are in one slot at once, shape (n_tasks,).

    Parameters
    ----------
    node : IntColumn, shape (n_tasks,)
        Of each task, from 0.
    start, end : FloatColumn, shape (n_tasks,)
        When it ran, in seconds.
    first_slot : IntColumn, shape (n_nodes + 1,)
        First slot of each node, and their number at last.

    Raises
    ------
    InputError
        If a node has more tasks at once than slots.

    Notes
    -----
    Ties: the lowest slot that is free; a task that ends when another starts has left its slot. Tasks that
    start together are taken in their order. Cost: O(n log n + n s) for nodes of s slots.
    """
    found = np.zeros(len(node), dtype=np.int64)
    busy_until = np.full(int(first_slot[-1]), -np.inf).tolist()
    firsts = first_slot.tolist()
    order = np.lexsort((start, node))
    for task, at, begin, stop in zip(
        order.tolist(), node[order].tolist(), start[order].tolist(), end[order].tolist(), strict=True
    ):
        free = (slot for slot in range(firsts[at], firsts[at + 1]) if busy_until[slot] <= begin)
        slot = next(free, -1)
        if slot < 0:
            raise InputError(f"places: node {at} has more tasks at {begin:g} s than its contract allows")
        busy_until[slot], found[task] = stop, slot
    return found


def slots_of_tables(
    nodes: pl.DataFrame, places: pl.DataFrame, *, start: FloatColumn, end: FloatColumn, every: bool = True
) -> tuple[MachineNodes, HeldCores]:
    """Read the tables that a run on a multicluster leaves: its nodes, and which slots jobs had from when on.

    Parameters
    ----------
    nodes, places : polars.DataFrame
        The columns `SHARED_NODE_COLUMNS` of ``nodes.csv`` and `PLACE_COLUMNS` of ``places.csv``.
    start, end : FloatColumn, shape (n_jobs,)
        When the jobs ran, in seconds.
    every : bool, default True
        Whether each job must have a place: not where there are other machines, too.

    Raises
    ------
    InputError
        If a column is missing, a row is of no job or no node, a job has no place, or a node too many tasks.

    Notes
    -----
    Cost: that of `task_slots`.
    """
    check_columns(nodes, SHARED_NODE_COLUMNS, "nodes.csv of a multicluster")
    check_columns(places, PLACE_COLUMNS, "places.csv")
    machine = _machine(nodes)
    row, sites = whole_numbers(places, "row"), places["site"].cast(str).fill_null("").to_list()
    if ((row < 0) | (row >= len(start))).any() or (every and len(np.unique(row)) < len(start)):
        raise InputError(f"places.csv: expected places of each of {len(start)} jobs, and of no other")
    try:
        sets = read_sets(places["nodes"].cast(str).fill_null("").to_list())
    except InputError as error:
        raise InputError(f"places.csv: {error.problem}", field="nodes") from None
    begin, until = times_of(places, row, start=start, end=end)
    _, first, stay = np.unique(np.stack((row, begin)), axis=1, return_index=True, return_inverse=True)
    place, number = _members(sets)
    node = _node_numbers(nodes, [sites[at] for at in place.tolist()], number)
    slot = task_slots(node, begin[place], until[place], machine.first_core)
    held = number_sets(stay.reshape(-1)[place], slot, len(first))
    begin, until = begin[first], until[first]
    return machine, HeldCores(row[first], held, begin, begin, until, until)


def times_of(
    places: pl.DataFrame, row: IntColumn, *, start: FloatColumn, end: FloatColumn
) -> tuple[FloatColumn, FloatColumn]:
    """Return from when to when the tasks of each row of ``places.csv`` were there, in seconds.

    Parameters
    ----------
    places : polars.DataFrame
        Where jobs may have several attempts, with ``start_time`` and ``end_time``.
    row : IntColumn, shape (n_rows,)
        The job of each row.
    start, end : FloatColumn, shape (n_jobs,)
        When the jobs ran, in seconds.
    """
    if "start_time" not in places.columns:
        return start[row], end[row]
    begin, until = (places[name].to_numpy().astype(np.float64) for name in ("start_time", "end_time"))
    return begin, until


def tasks_at_sites(places: pl.DataFrame, names: Sequence[str]) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Return row of the job, place of the site and number of tasks of each row of ``places.csv``.

    Parameters
    ----------
    places : polars.DataFrame
        The columns `PLACE_COLUMNS`.
    names : sequence of str
        Of the sites, in order.

    Raises
    ------
    InputError
        If a row is of no such site.
    """
    known = {name: place for place, name in enumerate(names)}
    sites = places["site"].cast(str).to_list()
    if unknown := [name for name in sites if name not in known]:
        raise InputError(f"places.csv: there is no site {unknown[0]!r}", field="site")
    site = np.array([known[name] for name in sites], dtype=np.int64)
    return whole_numbers(places, "row"), site, read_sets(places["nodes"].cast(str).to_list()).sizes


def _machine(nodes: pl.DataFrame) -> MachineNodes:
    slots = whole_numbers(nodes, "slots")
    if not len(slots) or (slots < 1).any():
        raise InputError("nodes.csv: expected nodes with at least one slot each")
    first = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(slots)))
    sites, numbers = nodes["site"].cast(str).to_list(), whole_numbers(nodes, "node").tolist()
    labels = [f"{site} node {number}" for site, number in zip(sites, numbers, strict=True)]
    return MachineNodes(list(range(len(slots))), first, first, labels=labels, sites=sites, part="task slot")


def _members(sets: NumberSets) -> tuple[IntColumn, IntColumn]:
    """Return set and number of each number in them."""
    count = sets.last - sets.first + 1
    interval = np.repeat(np.arange(len(count)), count)
    of = np.repeat(np.arange(len(sets.offsets) - 1), np.diff(sets.offsets))[interval]
    return of, ranges(sets.first, sets.last + 1)


def _node_numbers(nodes: pl.DataFrame, sites: Sequence[str], number: IntColumn) -> IntColumn:
    """Return the row in the table of nodes of each pair of a site and a number in it."""
    pairs = zip(nodes["site"].cast(str).to_list(), nodes["node"].to_list(), strict=True)
    rows = {pair: row for row, pair in enumerate(pairs)}
    found = [rows.get(pair, -1) for pair in zip(sites, number.tolist(), strict=True)]
    if -1 in found:
        at = found.index(-1)
        raise InputError(f"places.csv: there is no node {number[at]} in {sites[at]!r}", field="nodes")
    return np.array(found, dtype=np.int64)
