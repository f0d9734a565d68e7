"""Allocation map: which job held which node of the network at one time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.run_tables.core_occupancy import node_holders
from echelon.model.topology import Lattice, Topology, topology_named
from echelon.plotting.canvas import COLORS, ink_on, new_axes
from echelon.plotting.job_table import JobTable
from echelon.quantities import duration, tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.plotting.job_table import Run

_JOB_COLORS = (*COLORS[:-1], "#8c6bb1")
_FREE = "#eceff2"
_MOST_NUMBERED = 600
"""Nodes whose job is written on them."""

_SIDE = 0.9
"""Of a node's square, where squares are 1 apart."""

_INCHES = 0.3


def plot_allocation_map(
    run: Run, *, time: float | None = None, topology: str | Topology | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the nodes of a machine where they are in its network, each in the color of the job that holds it.

    Parameters
    ----------
    run : run
        A result, or anything with tables ``jobs``, ``holdings`` and ``nodes``, of a run on nodes.
    time : float, optional
        When, in seconds of the log. Default: the first time at which most cores are held.
    topology : str or Topology, optional
        The network, ``"torus:8x8"``. Default: the result's; without one all nodes are in a row.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A mesh or torus as it is, x to the right and y upward, planes beside each other; any other network
        with a row for each group or branch of the root, and gaps between the lowest switches. Up to eight
        jobs, those with most nodes, have a color each, which comes again for the next. On machines of up to
        600 nodes squares have the job's number. Of several jobs in a node the one with most cores there
        counts, and a dot says that there are others.

    Raises
    ------
    InputError
        If the run tells no nodes, or the topology joins fewer.
    """
    table = JobTable.of(run)
    nodes, held = table.held_nodes
    network = _network(run, topology, len(nodes))
    when = _fullest(held) if time is None else float(time)
    node, job, cores = node_holders(held, nodes, when)
    most = np.lexsort((job, -cores, node))
    most = most[np.unique(node[most], return_index=True)[1]]
    place = _cells(network, len(nodes))
    wide, high = np.ptp(place, axis=0) + 1
    ax = new_axes(ax, width=min(12.0, 1.2 + _INCHES * wide), height=min(9.0, 1.3 + _INCHES * high))
    shades = _shades(job[most])
    colors = [_FREE] * len(nodes)
    for one, shade in zip(node[most].tolist(), shades, strict=True):
        colors[one] = shade
    _draw_squares(ax, place, colors)
    if len(nodes) <= _MOST_NUMBERED:
        labels = [str(label) for label in table.frame["job_id"].gather(job[most].tolist())]
        _write_numbers(ax, place[node[most]], labels, shades)
    shared = np.flatnonzero(np.bincount(node, minlength=len(nodes)) > 1)
    ax.plot(*(place[shared] + 0.35).T, ".", color="black", markersize=3)
    jobs = tally(len(np.unique(job)), "job")
    ax.set_title(
        f"{network.spec if network else 'nodes'} after {duration(when)}: {len(most)} of {len(nodes)} nodes "
        f"held by {jobs}",
        fontsize="medium",
    )
    return ax


def _network(run: Any, topology: str | Topology | None, nodes: int) -> Topology | None:  # noqa: ANN401  (any run)
    """Return the topology given, else that of a result."""
    if topology is None:
        instance = getattr(run, "instance", None)
        return getattr(getattr(instance, "hardware", None), "topology", None)
    network = topology_named(topology) if isinstance(topology, str) else topology
    if network.nodes < nodes:
        raise InputError(f"joins {network.nodes} nodes, but there are {nodes}", field="topology")
    return network


def _fullest(held: HeldCores) -> float:
    """Return the first time at which most cores are held; 0 if none ever is."""
    if not len(held):
        return 0.0
    times = np.concatenate((held.release, held.start))
    change = np.concatenate((-held.sizes, held.sizes))
    order = np.lexsort((change, times))
    return float(times[order[np.cumsum(change[order]).argmax()]])


def _cells(network: Topology | None, nodes: int) -> FloatColumn:
    """Return where the square of each node is, shape (nodes, 2)."""
    if network is None:
        return _in_rows(np.zeros(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64))
    place = network.place[:nodes]
    if not isinstance(network, Lattice):
        rows = place[:, min(1, place.shape[1] - 1)]
        return _in_rows(rows, network.switch[:nodes])
    if place.shape[1] == 1:
        return np.stack((place[:, 0], np.zeros(nodes)), axis=1).astype(np.float64)
    # Planes beside each other, whichever dimensions lie behind the second.
    plane = np.arange(nodes) // (network.shape[0] * network.shape[1])
    across = math.ceil(math.sqrt(int(plane.max()) + 1))
    x = place[:, 0] + plane % across * (network.shape[0] + 1)
    y = place[:, 1] + plane // across * (network.shape[1] + 1)
    return np.stack((x, y), axis=1).astype(np.float64)


def _in_rows(row: IntColumn, switch: IntColumn) -> FloatColumn:
    """Return squares side by side in their rows, from the top, with a gap between switches.

    A single row that is long is broken.
    """
    row = np.unique(row, return_inverse=True)[1].reshape(-1)
    if row.max(initial=0) == 0:
        across = max(16, math.ceil(math.sqrt(len(row))))
        row = np.arange(len(row)) // across
    first = np.searchsorted(row, row)
    gaps = np.concatenate(([0], np.cumsum(np.diff(switch) != 0)))
    x = np.arange(len(row)) - first + 0.5 * (gaps - gaps[first])
    return np.stack((x, (row.max(initial=0) - row).astype(np.float64)), axis=1)


def _shades(job: IntColumn) -> list[str]:
    """Return the color of each node's job; the jobs with most nodes come first, ties by their row."""
    jobs, which, count = np.unique(job, return_inverse=True, return_counts=True)
    rank = np.empty(len(jobs), dtype=np.int64)
    rank[np.argsort(-count, kind="stable")] = np.arange(len(jobs))
    return [_JOB_COLORS[k] for k in (rank[which.reshape(-1)] % len(_JOB_COLORS)).tolist()]


def _draw_squares(ax: Axes, place: FloatColumn, colors: list[str]) -> None:
    from matplotlib.collections import PolyCollection

    corners = _SIDE * np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    ax.add_collection(PolyCollection(list(place[:, None] + corners), facecolors=colors))
    low, high = place.min(axis=0) - 0.7, place.max(axis=0) + 0.7
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_aspect("equal")
    ax.set_axis_off()


def _write_numbers(ax: Axes, place: FloatColumn, labels: list[str], shades: list[str]) -> None:
    from matplotlib.colors import to_rgb

    size = 8 if max(map(len, labels), default=0) < 4 else 5
    for (x, y), label, shade in zip(place.tolist(), labels, shades, strict=True):
        ink = ink_on(to_rgb(shade))
        ax.text(x, y, label, ha="center", va="center", fontsize=size, color=ink, clip_on=True)
