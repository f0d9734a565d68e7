"""Busy rows: how busy each site of a grid or node of a machine was over time, as heat maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import site_load
from echelon.metrics.columns.run_tables.core_occupancy import node_shares
from echelon.metrics.columns.shared_machines import working_shares
from echelon.metrics.tables.site_flows import site_rows
from echelon.model.schedules.features import Feature, sites_with
from echelon.plotting.canvas import SEQUENTIAL, label_of_site, new_axes
from echelon.plotting.job_table import JobTable
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.model.jobs.columns import FloatColumn
    from echelon.plotting.job_table import Run

_COLUMNS = 400
"""Stretches of time, each one column."""

_MOST_ROWS = 200
"""Most rows that can be distinguished; with more sites or nodes each row shows several."""

_MOST_NAMES = 25


def _draw_rows(
    ax: Axes, share: NDArray[np.float64], names: Sequence[str], edges: FloatColumn, *, of: str, says: str
) -> Axes:
    """Draw how busy each row was between edges, in seconds, the first row at the bottom.

    `of` is what a row is, for the axis: ``"site"``; `says` what the color is, in percent: ``"busy"``.
    """
    unit = time_unit(edges[-1] - edges[0])
    image = ax.imshow(
        100 * share,
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=SEQUENTIAL,
        vmin=0,
        vmax=100,
        extent=(edges[0] / unit.seconds, edges[-1] / unit.seconds, -0.5, len(names) - 0.5),
    )
    ax.figure.colorbar(image, ax=ax, label=f"{says} (%)")
    name_rows(ax, names)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.set_ylabel(of)
    return ax


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Write the names of a heat map's rows, or of every so many, so that they do not touch."""
    step = -(-len(names) // _MOST_NAMES)
    places = list(range(0, len(names), step))
    ax.set_yticks(places, [label_of_site(names[place]) for place in places])
    ax.tick_params(axis="y", length=0)


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
    table = JobTable.of(run)
    return draw_node_load(*table.held_nodes, table.window(window), ax=ax)


def draw_node_load(
    nodes: MachineNodes, held: HeldCores, window: tuple[float, float], *, ax: Axes | None
) -> Axes:
    """Draw what `plot_node_load` describes."""
    low, high = window
    edges = np.linspace(low, max(high, low + 1e-9), _COLUMNS + 1)
    share = node_shares(held, nodes, edges)
    each = -(-len(nodes) // _MOST_ROWS)
    first = np.arange(0, len(nodes), each)
    weight = np.add.reduceat(nodes.sizes, first)
    shown = np.add.reduceat(share * nodes.sizes[:, None], first, axis=0) / weight[:, None]
    names = nodes.row_names(each)
    ax = new_axes(ax, width=9.0, height=min(7.0, 1.4 + 0.2 * len(names)))
    return _draw_rows(ax, shown, names, edges, of="node", says=f"{nodes.part}s held")


def plot_site_load(run: Run, *, ax: Axes | None = None) -> Axes:
    """Draw the share of each site's processors that jobs held over time; if shared, that had a process.

    Parameters
    ----------
    run : run
        A result or table of jobs of a grid.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A row a site, the last one of the platform on top; of more than 200 sites each row is several
        neighbors. The color is the mean over a 400th of the time from the first submission to the last end.

    Raises
    ------
    InputError
        If a column is missing, or the jobs ran on one machine.
    """
    table = JobTable.of(run)
    platform = table.needed_sites().platform
    low, high = table.span
    edges, copies = np.linspace(low, max(high, low + 1.0), _COLUMNS + 1), table.copies
    held = site_load(copies.site, copies.start, copies.end, copies.processes, platform=platform, edges=edges)
    shared = sites_with(platform, Feature.TIME_SHARING)[:, None]
    load = np.where(shared, working_shares(copies, platform, edges), held) if shared.any() else held
    rows = site_rows(platform, _MOST_ROWS)
    busy = np.zeros((len(rows.names), _COLUMNS))
    np.add.at(busy, rows.row, load * platform.sizes[:, None])
    ax = new_axes(ax, width=9.0, height=min(6.0, 1.4 + 0.3 * len(rows.names)))
    return _draw_rows(ax, busy / rows.processors[:, None], rows.names, edges, of="site", says="busy")
