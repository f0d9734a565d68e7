"""Node load: how much of each node jobs held over time, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.run_tables.core_occupancy import node_shares
from echelon.plotting.canvas import new_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.loads.busy_rows import COLUMNS, MOST_ROWS, BusyRows, draw_busy_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.plotting.job_table import Run


def plot_node_load(run: Run, *, window: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
    """Draw the share of each node's cores that jobs held, over time.

    Parameters
    ----------
    run : run
        A result, or anything with tables ``jobs``, ``holdings`` and ``nodes``, of a run on nodes; or with
        ``places`` instead of holdings, of one on a multicluster, where rows are task slots.
    window : pair of float, optional
        Only from one time to another, in seconds of the log. Default: the whole schedule.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A row a node, node 0 at the bottom; of more than 200 nodes each row is several neighbors. The color
        is the mean over a 400th of the time.

    Raises
    ------
    InputError
        If the run tells no nodes, or the window is empty.
    """
    nodes, held = machine_of(run)
    return draw_node_load(held, nodes, JobTable.of(run).window(window), ax=ax)


def machine_of(run: Run) -> tuple[MachineNodes, HeldCores]:
    """Return the nodes of a run, and what jobs held of them.

    Raises
    ------
    InputError
        If it tells none: its machine is one of plain processors.
    """
    return JobTable.of(run).held_nodes


def draw_node_load(
    held: HeldCores, nodes: MachineNodes, span: tuple[float, float], *, ax: Axes | None
) -> Axes:
    """Draw what `plot_node_load` describes."""
    low, high = span
    edges = np.linspace(low, max(high, low + 1e-9), COLUMNS + 1)
    share = node_shares(held, nodes, edges)
    each = -(-len(nodes) // MOST_ROWS)
    first = np.arange(0, len(nodes), each)
    weight = np.add.reduceat(nodes.sizes, first)
    shown = np.add.reduceat(share * nodes.sizes[:, None], first, axis=0) / weight[:, None]
    names = nodes.row_names(each)
    ax = new_axes(ax, width=9.0, height=min(7.0, 1.4 + 0.2 * len(names)))
    says = f"{nodes.part}s held"
    draw_busy_rows(BusyRows(shown, edges, names), of="node", says=says, span=high - low, ax=ax)
    return ax
