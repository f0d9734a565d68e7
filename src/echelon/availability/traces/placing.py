"""Placing a failure trace on a machine: its nodes become the machine's, its times those of a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.merging import NodeIntervals, clip_outages, outages_of, unite
from echelon.availability.traces.text_table import is_number
from echelon.errors import InputError, UnknownNameError
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.availability.machine_nodes import MachineNodes
    from echelon.availability.traces.failure_trace import FailureTrace
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.machines.outages import Outages

_DIGITS = re.compile(r"(\d+)", re.ASCII)
LEFT_OUT = -1


class PlacedTrace(NamedTuple):
    """A trace on a machine.

    Attributes
    ----------
    outages : Outages
        Those that are on at second 0 of the run or begin later; overlapping ones of a node are one.
    notes : tuple of str
        A clause on each thing that a person should know: nodes that stand for others, or are left out.
    """

    outages: Outages
    notes: tuple[str, ...]


def place_trace(
    trace: FailureTrace,
    machine: MachineNodes,
    *,
    zero: float | None = None,
    names: Sequence[Sequence[str]] | None = None,
) -> PlacedTrace:
    """Return the outages that a trace means for a machine.

    Parameters
    ----------
    trace : FailureTrace
        Of one system of several: see `FailureTrace.of_system`.
    machine : MachineNodes
        The nodes of each site.
    zero : float, optional
        Unix time of the run's second 0. Default: the instant of the first outage of a trace with dates; a
        trace in seconds of the log has its own second 0.
    names : sequence of sequence of str, optional
        The names of the nodes of each site, where they have some. Default: those that the machine has.

    Returns
    -------
    PlacedTrace
        A trace for this machine (our own file) has its nodes where the file says. Nodes of another machine
        are found by name if all are known; otherwise they stand for the nodes of this machine, site by site,
        in the order of their numbers (of a LANL system each for the node of its own number, as the file lists
        only those that failed), and those beyond its last node are left out.

    Raises
    ------
    UnknownNameError
        If a trace for this machine names a node or a site that it has not.
    InputError
        If it has a number above that of the site's nodes, or the node's site is not said.
    """
    places = _places(machine, machine.names if names is None else names)
    if trace.numbering == "machine":
        site, node = _look_up_places(trace, machine, places)
        notes: tuple[str, ...] = ()
    elif all(name in places for name in trace.nodes):
        positions = np.array([places[name] for name in trace.nodes], dtype=np.int64).reshape(-1, 2)
        site, node = positions[:, 0], positions[:, 1]
        notes = ()
    else:
        site, node, notes = _assign_places(trace, machine)
    if zero is None:
        zero = float(trace.down.min(initial=np.inf)) if trace.is_dated and len(trace) else 0.0
    kept = site[trace.node] != LEFT_OUT
    row = trace.node[kept]
    intervals = NodeIntervals(
        site[row],
        node[row],
        trace.down[kept] - zero,
        trace.up[kept] - zero,
        trace.kind[kept],
        trace.announced[kept] - zero,
    )
    outages = outages_of(unite(intervals))
    inside = clip_outages(outages, 0.0)
    if before := len(outages) - len(inside):
        notes = (*notes, f"{tally(before, 'outage')} of {trace.file} ended before the run's second 0")
    return PlacedTrace(inside, notes)


def _places(machine: MachineNodes, names: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """Return site and node of each name that only one node has, and of each with its site: ``uab/n1``."""
    place_by_name: dict[str, tuple[int, int]] = {}
    twice = set()
    for site, of_site in enumerate(names):
        path = machine.paths[site] if machine.paths else ""
        for node, name in enumerate(of_site):
            if name in place_by_name:
                twice.add(name)
            place_by_name[name] = (site, node)
            if path:
                place_by_name[f"{path}/{name}"] = (site, node)
    return {name: place for name, place in place_by_name.items() if name and name not in twice}


def _look_up_places(
    trace: FailureTrace, machine: MachineNodes, places: dict[str, tuple[int, int]]
) -> tuple[IntColumn, IntColumn]:
    """Return site and node of each node of a trace that is for this machine."""
    site = np.empty(len(trace.nodes), dtype=np.int64)
    node = np.empty(len(trace.nodes), dtype=np.int64)
    for place, (name, system) in enumerate(zip(trace.nodes, trace.system.tolist(), strict=True)):
        try:
            site[place], node[place] = _place_of(name, trace.systems[system], machine, places)
        except InputError as error:
            raise InputError(error.problem, file=trace.file, field=f"node {name}") from error
        except UnknownNameError as error:
            raise UnknownNameError(error.kind, error.name, error.known, where=trace.file) from error
    return site, node


def _place_of(
    name: str, path: str, machine: MachineNodes, places: dict[str, tuple[int, int]]
) -> tuple[int, int]:
    if not is_number(name):
        full_name = f"{path}/{name}" if path else name
        if full_name in places:
            return places[full_name]
        if places:
            raise UnknownNameError("node", full_name, places)
        most = max(machine.counts[site] for site in machine.sites(path))
        raise InputError(f"is not a number from 1 to {most}, and the nodes here have no names")
    sites = machine.sites(path)
    machine.check_one(sites)
    count = machine.counts[sites[0]]
    if int(name) > count:
        where = f"site {machine.paths[sites[0]]!r}" if machine.paths else "the machine"
        raise InputError(f"must be a number from 1 to {count}, as {where} has {tally(count, 'node')}")
    return sites[0], int(name) - 1


def _assign_places(
    trace: FailureTrace, machine: MachineNodes
) -> tuple[IntColumn, IntColumn, tuple[str, ...]]:
    """Return site and node of each node of another machine: site by site, by number."""
    here, there = sum(machine.counts), len(trace.nodes)
    if trace.numbering == "zero" and len(trace.systems) == 1:
        place = np.array([int(name) for name in trace.nodes], dtype=np.int64)
    else:
        every = range(there)
        order = sorted(every, key=lambda one: (int(trace.system[one]), _by_number(trace.nodes[one])))
        place = np.empty(there, dtype=np.int64)
        place[order] = np.arange(there)
    inside = place < here
    site_of = np.repeat(np.arange(len(machine.counts)), machine.counts)
    first = np.concatenate(([0], np.cumsum(machine.counts)))
    site = np.where(inside, site_of[np.where(inside, place, 0)], LEFT_OUT)
    node = np.where(inside, place - first[site], 0)
    stand = int(inside.sum())
    verb = "stands" if stand == 1 else "stand"
    notes = [f"{tally(stand, 'node')} of {trace.file} {verb} for those of the machine, by number"]
    if stand < there:
        rows = int(np.count_nonzero(~inside[trace.node]))
        notes.append(f"{tally(there - stand, 'further node')} of it left out, with {tally(rows, 'outage')}")
    if stand < here:
        notes.append(f"{tally(here - stand, 'node')} of the machine without outages")
    return site, node, tuple(notes)


def _by_number(name: str) -> list[tuple[int, str]]:
    """Return a key by which n2 comes before n10."""
    parts = _DIGITS.split(name)
    return [(len(part.lstrip("0")), part.lstrip("0")) if part.isdecimal() else (-1, part) for part in parts]
