"""NodeUnits: the parts of nodes that jobs hold, numbered through all sites, and which jobs held them when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.schedules.features import Feature, features_of, there

if TYPE_CHECKING:
    from echelon.model import Instance, Platform, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class HeldUnits(NamedTuple):
    """Units that jobs held, one row for each time and place, in any order.

    Attributes
    ----------
    job : IntColumn, shape (n,)
        Position of the job.
    start, end : FloatColumn, shape (n,)
        From when to when, in seconds.
    first : IntColumn, shape (n + 1,)
        The units of row i are ``unit[first[i]:first[i + 1]]``.
    unit : IntColumn
        Numbers of units, in `NodeUnits`; each is one processor, and of a shared node one of its tasks.
    """

    job: IntColumn
    start: FloatColumn
    end: FloatColumn
    first: IntColumn
    unit: IntColumn

    def rows(self, rows: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Return the units of some rows one behind the other, and the row of each."""
        counts = np.diff(self.first)[rows]
        row = np.repeat(rows, counts)
        begins = np.repeat(self.first[rows] - np.cumsum(counts) + counts, counts)
        return self.unit[begins + np.arange(len(row))], row


@dataclass(frozen=True, slots=True, eq=False)
class NodeUnits:
    """Units of nodes: processors where these are counted, cores of nodes, shared nodes as a whole.

    Sites are in the platform's order, their nodes in theirs; on one machine of counted processors each is a
    node and a unit.

    Parameters
    ----------
    first_node : IntColumn, shape (n_sites + 1,)
        Where each site's nodes begin, and their number at last.
    first_unit : IntColumn, shape (n_nodes + 1,)
        Where each node's units begin, and their number at last.
    weight : FloatColumn, shape (n_units,)
        Processors that each counts for; of time-shared machines times their speed.
    """

    first_node: IntColumn
    first_unit: IntColumn
    weight: FloatColumn

    @classmethod
    def of(cls, instance: Instance) -> NodeUnits:
        """Return the units of an instance's machine or sites. Cost: O(units)."""
        platform = instance.platform
        if platform is not None:
            parts = [_site(platform, place) for place in range(len(platform))]
        elif instance.hardware is not None:
            cores = instance.hardware.node_cores
            parts = [(cores, np.ones(int(cores.sum())))]
        else:
            parts = [(np.ones(instance.processors, dtype=np.int64), np.ones(instance.processors))]
        sizes, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls(_starts(np.array([len(size) for size, _ in parts])), _starts(sizes), weights)

    def nodes(self, site: IntColumn, node: IntColumn) -> IntColumn:
        """Return the numbers through all sites of nodes of these sites."""
        return self.first_node[site] + node

    def of_nodes(self, nodes: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Return the units of some nodes, numbered through all sites, and the place in `nodes` of each."""
        counts = np.diff(self.first_unit)[nodes]
        place = np.repeat(np.arange(len(nodes)), counts)
        begins = np.repeat(self.first_unit[nodes] - np.cumsum(counts) + counts, counts)
        return begins + np.arange(len(place)), place

    def node_of_units(self, units: IntColumn) -> IntColumn:
        """Return the node of each of some units, numbered through all sites."""
        return np.searchsorted(self.first_unit, units, side="right") - 1

    def weights(self, nodes: IntColumn) -> FloatColumn:
        """Return the processors that each of some nodes counts for."""
        total = np.concatenate(([0.0], np.cumsum(self.weight)))
        return total[self.first_unit[nodes + 1]] - total[self.first_unit[nodes]]


def _starts(counts: IntColumn) -> IntColumn:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _site(platform: Platform, place: int) -> tuple[IntColumn, FloatColumn]:
    """Return the units of each node of a site, and the weight of each unit."""
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.shared_cluster import SharedCluster

    site = platform.sites[place]
    if isinstance(site.resource, Hardware):
        cores = site.resource.node_cores
        return cores, np.ones(int(cores.sum()))
    if isinstance(site.resource, SharedCluster):
        nodes = len(site.resource)
        return np.ones(nodes, dtype=np.int64), np.full(nodes, float(site.resource.contract.mpl))
    return np.ones(site.processors, dtype=np.int64), np.full(site.processors, site.speed)


def held_units(schedule: Schedule, units: NodeUnits) -> HeldUnits | None:
    """Return which units jobs held, where that is known of some: by number, by core, or by shared node."""
    has, platform = features_of(schedule), schedule.instance.platform
    parts: list[HeldUnits] = []
    if schedule.numbered is not None:
        held = schedule.numbered
        site = np.repeat(np.maximum(held.site, 0), np.diff(held.first))
        unit = units.first_unit[units.nodes(site, held.node)]
        parts.append(HeldUnits(held.job, held.start, held.end, held.first, unit))
    if Feature.CORES in has:
        cores, shift = there(schedule.holdings), _first_core_units(units, platform)
        parts.append(HeldUnits(cores.job, cores.start, cores.release, cores.first_core, shift[cores.cores]))
    if Feature.PLACES in has:
        tasks = there(schedule.places)
        start, end = tasks.times(schedule.start_time, schedule.end_time)
        unit = units.first_unit[units.nodes(tasks.site, tasks.node)]
        parts.append(HeldUnits(tasks.job, start, end, np.arange(len(unit) + 1), unit))
    return _together(parts) if parts else None


def _first_core_units(units: NodeUnits, platform: Platform | None) -> IntColumn:
    """Return the unit of each core of all nodes that are modeled."""
    if platform is None:
        return np.arange(len(units.weight))
    counts = np.diff(platform.first_core)
    begins = units.first_unit[units.first_node[:-1]] - platform.first_core[:-1]
    return np.repeat(begins, counts) + np.arange(counts.sum())


def _together(parts: list[HeldUnits]) -> HeldUnits:
    if len(parts) == 1:
        return parts[0]
    job, start, end = (
        np.concatenate([getattr(part, name) for part in parts]) for name in HeldUnits._fields[:3]
    )
    counts = np.concatenate([np.diff(part.first) for part in parts])
    return HeldUnits(job, start, end, _starts(counts), np.concatenate([part.unit for part in parts]))
