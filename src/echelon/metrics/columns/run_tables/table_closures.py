"""What was closed to jobs, from the tables of a run: outages and reservations, and which jobs held what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.down_time import Spans, down_of
from echelon.metrics.columns.held_units import FIRST_NUMBER, HeldUnits, together
from echelon.metrics.tables.nodes.machine_nodes import check_columns, whole_numbers
from echelon.model import NodeUnits
from echelon.model.jobs.columns import ranges
from echelon.model.schedules.features import Feature, there
from echelon.model.schedules.number_sets import NumberSets, number_sets, read_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from echelon.metrics.columns.down_time import DownTime
    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn

KINDS = ("fail", "drain", "maintenance", "reserved")
"""Why nodes are closed to jobs, to some of them or to all."""

OUTAGE_COLUMNS = ("node", "down", "up", "kind")
RESERVATION_COLUMNS = ("name", "nodes", "start", "end")
ATTEMPT_COLUMNS = ("row", "start_time", "end_time", "reason", "work", "overhead")
"""Columns of ``outages.csv``, ``reservations.csv`` and ``attempts.csv`` that figures and reports need."""


class Pieces(NamedTuple):
    """Spans of time in which jobs held processors: the job's row, from when to when, and which ones."""

    row: IntColumn
    start: FloatColumn
    end: FloatColumn
    processors: NumberSets


class Bands(NamedTuple):
    """Rows of neighboring processors that were closed at a time, by kind, then time.

    Attributes
    ----------
    kind : IntColumn, shape (n,)
        Place in `KINDS`.
    start, end : FloatColumn, shape (n,)
        From when to when, in seconds; infinity if never again.
    first, last : IntColumn, shape (n,)
        Lowest and highest processor, counted through all sites.
    name : list of str
        Of the reservation; empty of an outage.
    nodes : list of str
        Numbers of its nodes as files have them, from 1 in each site: ``"5-8"``, ``"north: 1"``.
    """

    kind: IntColumn
    start: FloatColumn
    end: FloatColumn
    first: IntColumn
    last: IntColumn
    name: list[str]
    nodes: list[str]


@dataclass(frozen=True, eq=False)
class TableClosures:
    """What the tables of a run have on outages and reservations.

    Parameters
    ----------
    has : Feature
        What the run has.
    processors : int
        Of the machine; of no account where there are sites or nodes.
    platform : Platform or None
        The sites.
    machine : MachineNodes or None
        Nodes that are modeled, of one machine or of some of the sites, with cores or task slots.
    held : HeldCores or None
        What jobs held of these.
    attempts, outages, reservations : polars.DataFrame or None
        The tables of the run.

    Raises
    ------
    InputError
        If a column is missing, a time is none, or a node is none of the machine's: when it is asked for.
    """

    # Not slotted: what several panels ask for is kept in the instance's dictionary.
    has: Feature
    processors: int
    platform: Platform | None
    machine: MachineNodes | None
    held: HeldCores | None
    attempts: pl.DataFrame | None
    outages: pl.DataFrame | None
    reservations: pl.DataFrame | None

    @cached_property
    def units(self) -> NodeUnits:
        """The processors of each node: of sites one behind the other."""
        if Feature.SITES not in self.has:
            counted = Feature.NODES not in self.has
            return _units(
                [np.ones(self.processors, dtype=np.int64) if counted else there(self.machine).sizes]
            )
        platform, sizes_by_site = there(self.platform), {}
        if Feature.NODES in self.has:
            machine = there(self.machine)
            names = np.array(machine.site_names)
            sizes_by_site = {name: machine.sizes[names == name] for name in machine.site_names}
        plain = (np.ones(site.processors, dtype=np.int64) for site in platform.sites)
        return _units([sizes_by_site.get(name, one) for name, one in zip(platform.names, plain, strict=True)])

    @cached_property
    def pieces(self) -> Pieces | None:
        """Where jobs were, counted through all sites, each time that they held processors; None if unknown.

        Where processes share processors, and on one machine whose nodes are modeled, other tables say it.
        """
        elsewhere = Feature.NODES in self.has and Feature.SITES not in self.has
        if Feature.ATTEMPTS not in self.has or Feature.TIME_SHARING in self.has or elsewhere:
            return None
        if (occupancy := self._units_held) is None:
            return None
        unit, row = occupancy.rows(np.arange(len(occupancy.job)))
        return Pieces(
            occupancy.job, occupancy.start, occupancy.end, number_sets(row, unit, len(occupancy.job))
        )

    @cached_property
    def bands(self) -> Bands:
        """Outages and reservations, neighboring nodes of one together."""
        spans, kind, name = [], [], []
        if self.outages is not None and len(self.outages):
            outages, codes = self._outages
            spans.append(outages)
            kind.append(codes)
            name.append(np.zeros(len(codes), dtype=np.int64))
        names = [""]
        if self.reservations is not None and len(self._begun):
            reserved, row = self._reserved
            spans.append(reserved)
            kind.append(np.full(len(row), KINDS.index("reserved")))
            name.append(row + 1)
            names += self._begun["name"].cast(str).fill_null("").to_list()
        if not spans:
            none, never = np.empty(0, dtype=np.int64), np.empty(0)
            return Bands(none, never, never, none, none, [], [])
        closed = Spans(*(np.concatenate(column) for column in zip(*spans, strict=True)))
        labels = there(self.platform).names if Feature.SITES in self.has else ()
        return _join_bands(
            self.units, closed, np.concatenate(kind), np.concatenate(name), names, labels=labels
        )

    def drawn_bands(self, chart_platform: Platform | None) -> Bands:
        """Return the bands on sites that are drawn with several rows for a processor; None: with one."""
        bands = self.bands
        if chart_platform is None or Feature.SITES not in self.has:
            return bands
        below = self.units.first_unit[self.units.first_node]
        site = np.searchsorted(below, bands.first, side="right") - 1
        rows = chart_platform.sizes // np.diff(below)
        above = np.cumsum(chart_platform.sizes) - chart_platform.sizes
        first, last = (
            above[site] + (edge - below[site]) * rows[site] for edge in (bands.first, bands.last + 1)
        )
        return bands._replace(first=first, last=last - 1)

    def down(self, low: float, high: float) -> DownTime:
        """Return what was down from one time to another; see `echelon.metrics.columns.down_time`."""
        spans, codes = self._outages
        return down_of(
            spans, codes == KINDS.index("fail"), self.units, lambda: self._units_held, low=low, high=high
        )

    @cached_property
    def _outages(self) -> tuple[Spans, IntColumn]:
        if self.outages is None:
            return Spans(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0)), np.empty(0, dtype=np.int64)
        check_columns(self.outages, OUTAGE_COLUMNS, "outages.csv")
        kinds = self.outages["kind"].cast(str).fill_null("")
        codes = np.array([KINDS.index(kind) if kind in KINDS else -1 for kind in kinds.to_list()])
        if (codes < 0).any():
            expected = " or ".join(KINDS[:-1])
            raise InputError(
                f"outages.csv: expected {expected}, got {kinds[int(codes.argmin())]!r}", field="kind"
            )
        node = self._nodes(
            whole_numbers(self.outages, "node") - FIRST_NUMBER, self._places(self.outages), "outages.csv"
        )
        times = [_times(self.outages, name, "outages.csv") for name in ("down", "up")]
        return Spans(node, *times), codes

    @cached_property
    def _reserved(self) -> tuple[Spans, IntColumn]:
        """Return the nodes of each reservation, and its row."""
        table = self._begun
        sets = read_sets(table["nodes"].cast(str).fill_null("").to_list())
        row = np.repeat(np.arange(len(table)), sets.sizes)
        number = ranges(sets.first, sets.last + 1) - FIRST_NUMBER
        node = self._nodes(number, self._places(table)[row], "reservations.csv")
        start, end = (_times(table, name, "reservations.csv")[row] for name in ("start", "end"))
        return Spans(node, start, end), row

    @cached_property
    def _begun(self) -> pl.DataFrame:
        """Return the reservations without those that never began: they slid to the end of the run."""
        table = there(self.reservations)
        check_columns(table, RESERVATION_COLUMNS, "reservations.csv")
        return table.filter(table["start"].is_not_null())

    def _places(self, table: pl.DataFrame) -> IntColumn:
        """Return the place of the site of each row; 0 on one machine."""
        if Feature.SITES not in self.has or "site" not in table.columns:
            return np.zeros(len(table), dtype=np.int64)
        place = {name: at for at, name in enumerate(there(self.platform).names)}
        return np.array([place.get(name, 0) for name in table["site"].cast(str).to_list()], dtype=np.int64)

    def _nodes(self, number: IntColumn, site: IntColumn, file: str) -> IntColumn:
        first = self.units.first_node
        wrong = (number < 0) | (number >= np.diff(first)[site])
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"{file}: expected a node of the machine, got {number[row] + FIRST_NUMBER} in row {row + 1}"
            )
        return first[site] + number

    @cached_property
    def _units_held(self) -> HeldUnits | None:
        """What jobs held: of nodes that are modeled by their table, of others by their attempts."""
        parts = []
        if Feature.NODES in self.has:
            held = there(self.held)
            parts.append(_of_sets(held.row, held.start, held.release, held.cores, self._shift))
        if (counted := self._counted) is not None:
            parts.append(counted)
        return together(parts) if parts else None

    @property
    def _counted(self) -> HeldUnits | None:
        """What attempts held where each processor is a node; None if no attempt tells it."""
        table = self.attempts
        if table is None or "nodes" not in table.columns:
            return None
        place = self._places(table)
        here = np.flatnonzero(~self._has_nodes[place])
        if not len(here):
            return None
        texts = table["nodes"].cast(str).fill_null("").to_list()
        sets = read_sets([texts[row] for row in here.tolist()])
        below = np.repeat(self.units.first_unit[self.units.first_node[place[here]]], np.diff(sets.offsets))
        below -= FIRST_NUMBER
        start, end = (_times(table, name, "attempts.csv")[here] for name in ("start_time", "end_time"))
        numbers = NumberSets(sets.offsets, sets.first + below, sets.last + below)
        return _of_sets(whole_numbers(table, "row")[here], start, end, numbers, None)

    @property
    def _has_nodes(self) -> NDArray[np.bool_]:
        """Which sites have nodes that are modeled, shape (n_sites,); of one machine whether it has."""
        if Feature.SITES not in self.has:
            return np.array([Feature.NODES in self.has])
        site_names = set(there(self.machine).site_names) if Feature.NODES in self.has else set()
        return np.array([name in site_names for name in there(self.platform).names])

    @cached_property
    def _shift(self) -> IntColumn | None:
        """Return the unit of each core or slot of the nodes that are modeled; None where they are all."""
        if Feature.SITES not in self.has:
            return None
        names, machine = there(self.platform).names, there(self.machine)
        place = {name: at for at, name in enumerate(names)}
        units, seen = [], dict.fromkeys(names, 0)
        for name, size in zip(machine.site_names, machine.sizes.tolist(), strict=True):
            node = self.units.first_node[place[name]] + seen[name]
            seen[name] += 1
            units.append(self.units.first_unit[node] + np.arange(size))
        return np.concatenate(units)


def _units(sizes: list[IntColumn]) -> NodeUnits:
    counts = np.concatenate(sizes)
    first = np.concatenate(([0], np.cumsum([len(size) for size in sizes]))).astype(np.int64)
    units = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return NodeUnits(first, units, np.ones(int(units[-1])))


def _of_sets(
    job: IntColumn, start: FloatColumn, end: FloatColumn, sets: NumberSets, unit: IntColumn | None
) -> HeldUnits:
    number = ranges(sets.first, sets.last + 1)
    first = np.concatenate(([0], np.cumsum(sets.sizes))).astype(np.int64)
    return HeldUnits(job, start, end, first, number if unit is None else unit[number])


def _join_bands(
    units: NodeUnits,
    spans: Spans,
    kind: IntColumn,
    name: IntColumn,
    names: list[str],
    *,
    labels: Sequence[str],
) -> Bands:
    """Return neighboring nodes that were closed alike as one row, with `labels` of their sites."""
    order = np.lexsort((spans.node, name, spans.end, spans.start, kind))
    node, start, end = spans.node[order], spans.start[order], spans.end[order]
    kind, name = kind[order], name[order]
    site = np.searchsorted(units.first_node, node, side="right")
    new = np.ones(len(node), dtype=np.bool_)
    new[1:] = np.diff(node) != 1
    for column in (start, end, kind, name, site):
        new[1:] |= column[1:] != column[:-1]
    at = np.flatnonzero(new)
    last = np.append(at[1:], len(node)) - 1
    band_names = [names[code] for code in name[at].tolist()]
    first, above = units.first_unit[node[at]], units.first_unit[node[last] + 1]
    place = site[at] - 1
    low, high = ((edge - units.first_node[place] + FIRST_NUMBER).tolist() for edge in (node[at], node[last]))
    nodes = [f"{a}-{b}" if a < b else f"{a}" for a, b in zip(low, high, strict=True)]
    if labels:
        nodes = [f"{labels[one]}: {text}" for one, text in zip(place.tolist(), nodes, strict=True)]
    return Bands(kind[at], start[at], end[at], first, above - 1, band_names, nodes)


def _times(table: pl.DataFrame, name: str, file: str) -> FloatColumn:
    """Return a column of times; a missing end is infinity."""
    times = np.asarray(table[name].cast(float).fill_null(np.inf).to_numpy(), dtype=np.float64)
    if np.isnan(times).any() or (name != "up" and not np.isfinite(times).all()):
        raise InputError(f"{file}: expected times in seconds", field=f"column {name}")
    return times
