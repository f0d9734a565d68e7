"""Nodes: the utilization of each over time, its jobs and its energy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics.columns.run_tables.core_occupancy import node_shares
from echelon.model.schedules.features import Feature, there
from echelon.reports.checks import NODE_COLUMNS
from echelon.reports.panels.charts.load_map import COLUMNS, load_map, map_frame, time_edges
from echelon.reports.panels.panel import Content, Panel, body, hint, round_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.reports.tables import RunTables

MOST_ROWS = 200
"""Rows of a heat map: with more nodes, each row is several of them."""

MOST_NODES = 2_000
"""Nodes that the table of a run lists: those busiest ones."""

_OF_CORES = (
    "A row of the map is a node, node 0 at the bottom; its color is the share of its cores that jobs "
    f"held, averaged over a {COLUMNS}th of the time. Cores count as held until they are released, also "
    "while they are blocked or the node wakes up. Utilization is over the whole schedule."
)

_OF_SLOTS = (
    "A row of the map is a node, those of the first cluster at the bottom; its color is the share of its "
    f"task slots that jobs held, averaged over a {COLUMNS}th of the time. A node is busy while it has a "
    "parallel task; utilization is over the whole schedule. The slowdown of an owner is the mean slowdown of "
    "system calls in the time at work: 1 is undisturbed."
)

_READING = ((Feature.CORES, _OF_CORES), (Feature.PLACES, _OF_SLOTS))
"""What to know of nodes of each kind."""


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content:
    edges = time_edges(runs)
    data = map_frame(edges) | {
        "runs": [_load(run, edges) for run in runs],
        "tables": [_table(run) for run in runs],
    }
    kinds = [sentence for kind, sentence in _READING if any(kind in run.has for run in runs)]
    reading = " ".join(kinds)
    nodes = max(len(there(run.machine)) for run in runs)
    if nodes > MOST_ROWS:
        reading += f" There are {nodes:,} nodes; each row of the map is {-(-nodes // MOST_ROWS)} of them."
    if nodes > MOST_NODES:
        reading += f" The table lists the {MOST_NODES:,} busiest ones."
    return Content(body("nodes") + hint(reading), data)


PANEL = Panel(
    "nodes",
    "Nodes",
    _content,
    needs=Feature.NODES,
    lacking="Some of the runs have no nodes, so nodes cannot be compared.",
)


def _load(run: RunTables, edges: FloatColumn) -> dict[str, Any]:
    nodes = there(run.machine)
    each = -(-len(nodes) // MOST_ROWS)
    share = node_shares(there(run.held), nodes, edges)
    return load_map(share, nodes.sizes, row=np.arange(len(nodes)) // each, names=nodes.row_names(each))


def _sizes(run: RunTables, most: IntColumn) -> dict[str, list[int | None]]:
    """Return cores and task slots of nodes, whichever their kind has."""
    sizes, sizes_by_name, before = there(run.machine).sizes[most].tolist(), {}, 0
    for kind, nodes, _ in run.node_parts:
        here = ((most >= before) & (most < before + len(nodes))).tolist()
        name = "slots" if kind is Feature.PLACES else "cores"
        sizes_by_name[name] = [size if one else None for size, one in zip(sizes, here, strict=True)]
        before += len(nodes)
    return sizes_by_name


def _table(run: RunTables) -> dict[str, Any]:
    nodes, table = there(run.machine), there(run.nodes)
    columns = {name: table[name].cast(float).to_numpy() for name in NODE_COLUMNS if name in table.columns}
    busy = np.zeros(len(table))
    for name in ("busy_core_time", "busy_time"):
        busy += np.nan_to_num(columns[name]) if name in columns else 0.0
    most = np.argsort(-busy, kind="stable")[:MOST_NODES]
    columns_of_nodes: dict[str, Any] = {"node": most.tolist()}
    if nodes.labels:
        columns_of_nodes["name"] = [nodes.names[node] for node in most.tolist()]
    columns_of_nodes |= _sizes(run, most)
    if "type" in table.columns:
        columns_of_nodes["type"] = [text or "" for text in table["type"].cast(str).gather(most).to_list()]
    for name in ("mean_mpl", "owner_slowdown"):
        if name in table.columns:
            columns[name] = table[name].cast(float).fill_null(np.nan).to_numpy()
    return columns_of_nodes | {name: round_numbers(column[most].tolist()) for name, column in columns.items()}
