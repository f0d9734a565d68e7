"""The nodes of a run, and what jobs held of them, from the tables that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
from echelon.metrics.tables.nodes.task_slots import slots_of_tables
from echelon.model.schedules.features import Feature, every_site_has, there
from echelon.model.schedules.number_sets import NumberSets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl

    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn


class NodePart(NamedTuple):
    """Nodes of one kind.

    Attributes
    ----------
    feature : Feature
        `CORES` or `PLACES`: by what it is known what jobs held of them.
    nodes : MachineNodes
        The nodes.
    held : HeldCores
        What jobs held of them: cores, or slots of nodes that have owners.
    """

    feature: Feature
    nodes: MachineNodes
    held: HeldCores


def rows_of_tables(has: Feature, nodes: pl.DataFrame | None) -> Iterator[tuple[Feature, pl.DataFrame]]:
    """Yield the rows of a run's table of nodes by the kind of nodes that it has."""
    several = Feature.CORES | Feature.PLACES in has
    for feature, column in ((Feature.CORES, "cores"), (Feature.PLACES, "slots")):
        if feature | Feature.NODES in has:
            yield feature, _of_kind(there(nodes), column) if several else there(nodes)


def parts_of_tables(
    has: Feature,
    nodes: pl.DataFrame | None,
    *,
    holdings: pl.DataFrame | None,
    places: pl.DataFrame | None,
    jobs: int,
    times: Callable[[], tuple[FloatColumn, FloatColumn]],
    platform: Platform | None,
) -> tuple[NodePart, ...]:
    """Return the nodes of each kind that a run of so many jobs has, in the order of their table.

    `times` returns when each job ran: from when to when, in seconds; `platform` are the sites, where the run
    named them. An InputError if a table lacks a column, or a row is of no job or no node.
    """
    parts = []
    for kind, rows in rows_of_tables(has, nodes):
        if kind is Feature.PLACES:
            every, (start, end) = every_site_has(platform, Feature.PLACES), times()
            machine, held = slots_of_tables(rows, there(places), start=start, end=end, every=every)
        else:
            machine, every = MachineNodes.of_table(rows), Feature.SITES not in has
            held = HeldCores.of_table(there(holdings), jobs=jobs, cores=machine.cores, every=every)
        parts.append(NodePart(kind, machine, held))
    return tuple(parts)


def _of_kind(nodes: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the rows that have a column, without the columns that none of them has."""
    rows = nodes.filter(nodes[column].is_not_null())
    return rows.select(one for one in rows if one.null_count() < len(rows))


def join_parts(parts: tuple[NodePart, ...]) -> NodePart:
    """Return nodes of several kinds as one row of nodes, with cores and slots counted through all of them."""
    if len(parts) == 1:
        return parts[0]
    features, nodes, held = parts[0]
    for feature, more, more_held in parts[1:]:
        features, held = features | feature, _both(held, more_held, nodes.cores)
        nodes = nodes.join(more)
    return NodePart(features, nodes, held)


def _both(first: HeldCores, other: HeldCores, cores: int) -> HeldCores:
    one, two = first.cores, other.cores
    sets = NumberSets(
        np.concatenate((one.offsets, one.offsets[-1] + two.offsets[1:])),
        np.concatenate((one.first, two.first + cores)),
        np.concatenate((one.last, two.last + cores)),
    )
    columns = ("start", "begin", "end", "release")
    times = (np.concatenate((getattr(first, name), getattr(other, name))) for name in columns)
    return HeldCores(np.concatenate((first.row, other.row)), sets, *times)
