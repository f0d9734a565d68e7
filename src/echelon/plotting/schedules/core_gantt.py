"""Gantt by core: which core ran the tasks of which job, and when it was held without running them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.errors import UnknownNameError
from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
from echelon.model.jobs.columns import ranges
from echelon.model.schedules.features import Feature
from echelon.model.schedules.number_sets import NumberSets
from echelon.plotting.canvas import COLORS, box_corners, escape, ink_on, label_of_site, legend_above, new_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.loads.busy_rows import draw_node_load
from echelon.plotting.schedules.closed_bands import draw_bands
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.plotting.job_table import Run
    from echelon.quantities import TimeUnit

MOST_CORES = 256
"""Cores that are drawn a row each; of larger machines, nodes are."""

_ROWS = ("cores", "nodes")
_JOB_COLORS = (*COLORS[:-1], "#8c6bb1", "#8a8a8a")
"""Of jobs, again and again; black would hide hatches."""

_WAKING = "#d5dae0"
_PALE = 0.55
"""Share of white in the color of what is blocked."""

_MOST_NUMBERED = 600
_PLAIN_BARS = 3_000
"""More bars than these are drawn as dots inside an SVG or PDF."""

_POINTS, _DIGIT = 8.0, 0.62
"""Height of a number, and the width of a digit as a share of it."""

_ROW = 0.22
"""Inches that a core is high, where there is room."""

_MOST_PARTED = 64
"""Cores of a machine on which each task has a bar of its own; on more, neighbors share one."""

_MOST_NAMES = 40
"""Rows that are named each."""


def plot_core_gantt(
    run: Run,
    *,
    window: tuple[float, float] | None = None,
    rows: Literal["cores", "nodes"] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the tasks of every job on the cores that they held.

    Parameters
    ----------
    run : run
        A result, or anything with tables ``jobs``, ``holdings`` and ``nodes``, of a run on nodes; or with
        ``places`` instead of holdings, of one on a multicluster, where rows are task slots.
    window : pair of float, optional
        Only from one time to another, in seconds of the log. Default: the whole schedule.
    rows : {"cores", "nodes"}, optional
        What a row is. Default: a core, on machines of more than 256 cores a node.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, as high as the rows need.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock to the right; cores, numbered from 0 through the whole machine, upward, with
        lines between processors, thicker ones between nodes and the thickest between clusters. Bars are
        tasks, above 64 cores those in neighboring cores together, in a color that comes again with every
        eighth job and with the job's number where there is room.
        Cores that a job held after their tasks had ended are hatched; until a node had woken up, or a context
        switch was over, they are gray. With nodes as rows as `plot_node_load`.

    Raises
    ------
    UnknownNameError
        If `rows` is none of the two.
    InputError
        If the run tells no nodes, or the window is empty.

    Notes
    -----
    Cost: O(n log n) for n holdings, and some microseconds a bar to draw.
    """
    if rows is not None and rows not in _ROWS:
        raise UnknownNameError("kind of rows", rows, _ROWS)
    table = JobTable.of(run)
    nodes, held = table.held_nodes
    span = table.window(window)
    if (rows or _ROWS[nodes.cores > MOST_CORES]) == "nodes":
        return draw_node_load(nodes, held, span, ax=ax)
    ax = new_axes(ax, width=9.0, height=min(11.0, max(2.4, 1.2 + _ROW * nodes.cores)))
    unit = time_unit(span[1] - span[0])
    ax.set_xlim(span[0] / unit.seconds, span[1] / unit.seconds)
    ax.set_ylim(0, nodes.cores)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.spines[["top", "right"]].set_visible(False)
    bars = held.join_rows()
    waiting = "node wakes up" if table.segments is None else "context switch, or node wakes up"
    _draw_bars(ax, _by_core(bars) if nodes.cores <= _MOST_PARTED else bars, unit, waiting)
    _write_numbers(ax, bars, table, unit)
    _part_rows(ax, nodes)
    closures = table.closures if table.has & (Feature.OUTAGES | Feature.RESERVATIONS) else None
    # Where other sites have no nodes, rows are not those of all processors.
    if closures is not None and len(closures.units.weight) == nodes.cores:
        draw_bands(ax, closures.bands, unit)
    return ax


def _draw_bars(ax: Axes, held: HeldCores, unit: TimeUnit, waiting: str) -> None:
    """Draw what runs, what is blocked and what has not begun, and say which is which."""
    from matplotlib.colors import to_rgba_array
    from matplotlib.patches import Patch

    shades = to_rgba_array(_JOB_COLORS)[held.row % len(_JOB_COLORS)]
    _add_bars(ax, held, (held.begin, held.end), unit, shades=shades)
    keys = []
    if (held.release > held.end).any():
        pale = shades * (1 - _PALE) + _PALE
        _add_bars(ax, held, (held.end, held.release), unit, shades=pale, hatch="////")
        keys.append(Patch(facecolor="white", hatch="////", label="held until the job's last task ends"))
    if (held.begin > held.start).any():
        waking = to_rgba_array([_WAKING] * len(held))
        _add_bars(ax, held, (held.start, held.begin), unit, shades=waking)
        keys.append(Patch(color=_WAKING, label=waiting))
    if keys:
        legend_above(ax, keys)


def _add_bars(
    ax: Axes, held: HeldCores, times: tuple[FloatColumn, FloatColumn], unit: TimeUnit,
    *, shades: FloatColumn, hatch: str | None = None,
) -> None:  # fmt: skip
    from matplotlib.collections import PolyCollection

    piece = _pieces(held)
    left, right = (time[piece] / unit.seconds for time in times)
    low, high = ax.get_xlim()
    inside = (left < right) & (left < high) & (right > low)
    polygons = box_corners(left[inside], right[inside], held.cores.first[inside], held.cores.last[inside] + 1)
    many = len(polygons) > _PLAIN_BARS
    collection = PolyCollection(
        polygons,
        facecolors=shades[piece[inside]],
        edgecolors="white",
        linewidths=0.0 if many else 0.6,
        hatch=hatch,
        rasterized=many,
    )
    if hatch:
        collection.set_hatchcolor("#30363c")
    ax.add_collection(collection, autolim=False)


def _by_core(held: HeldCores) -> HeldCores:
    """Return the same with one row a core."""
    count = held.cores.last - held.cores.first + 1
    interval = np.repeat(np.arange(len(count)), count)
    core = ranges(held.cores.first, held.cores.last + 1)
    of = _pieces(held)[interval]
    columns = (held.start, held.begin, held.end, held.release)
    alone = NumberSets(np.arange(len(core) + 1), core, core)
    return HeldCores(held.row[of], alone, *(column[of] for column in columns))


def _pieces(held: HeldCores) -> IntColumn:
    """Return the holding of each interval of cores."""
    return np.repeat(np.arange(len(held)), np.diff(held.cores.offsets))


def _write_numbers(ax: Axes, held: HeldCores, table: JobTable, unit: TimeUnit) -> None:
    """Write the number of its job into each bar that has room for it: of too many, into the largest."""
    from matplotlib.colors import to_rgb

    low, high = (edge * unit.seconds for edge in ax.get_xlim())
    place, figure = ax.get_position(), ax.figure.get_figure(root=True)
    inch = (place.width * figure.get_figwidth() / (high - low), place.height * figure.get_figheight())
    piece = _pieces(held)
    left, right = np.maximum(held.begin[piece], low), np.minimum(held.end[piece], high)
    wide, tall = (
        (right - left) * inch[0],
        (held.cores.last - held.cores.first + 1) * inch[1] / ax.get_ylim()[1],
    )
    names = [str(name) for name in table.labels("job_id")]
    need = np.array([len(name) for name in names])[held.row[piece]] * _DIGIT * _POINTS / 72
    fits = np.flatnonzero((wide > need) & (tall > _POINTS / 72))
    largest = fits[np.argsort(-(wide * tall)[fits], kind="stable")[:_MOST_NUMBERED]]
    for bar in largest.tolist():
        job = int(held.row[piece[bar]])
        ax.text(
            (left[bar] + right[bar]) / 2 / unit.seconds,
            (held.cores.first[bar] + held.cores.last[bar] + 1) / 2,
            escape(names[job]),
            ha="center",
            va="center_baseline",
            fontsize=_POINTS,
            color=ink_on(to_rgb(_JOB_COLORS[job % len(_JOB_COLORS)])),
            clip_on=True,
        )


def _part_rows(ax: Axes, nodes: MachineNodes) -> None:
    """Draw lines between processors and nodes, and name them and the cores where there is room."""
    across = ax.get_yaxis_transform()
    for starts, width in (
        (nodes.first_core_of_processor[1:-1], 0.3),
        (nodes.first_core[1:-1], 0.9),
        (nodes.site_borders, 2.4),
    ):
        ax.hlines(starts, 0, 1, transform=across, color="black", linewidth=width)
    middle, names = _groups(nodes)
    step = -(-len(names) // _MOST_NAMES)
    ax.set_yticks(middle[::step], [label_of_site(name) for name in names[::step]])
    ax.tick_params(axis="y", which="major", length=0, pad=4)
    if nodes.cores <= _MOST_NAMES:
        ax.tick_params(axis="y", which="major", pad=20)
        ax.set_yticks(np.arange(nodes.cores) + 0.5, map(str, range(nodes.cores)), minor=True, fontsize=7)
        ax.tick_params(axis="y", which="minor", length=0)


def _groups(nodes: MachineNodes) -> tuple[FloatColumn, list[str]]:
    """Return the middles and names of the processors, or of the nodes where these are all one processor."""
    starts = nodes.first_core_of_processor
    node = np.searchsorted(nodes.first_core, starts[:-1], side="right") - 1
    if len(node) == len(nodes) or len(node) > _MOST_NAMES:
        starts = nodes.first_core
        return (starts[:-1] + starts[1:]) / 2, nodes.names
    names = [f"{nodes.names[k]}, processor {number}" for number, k in enumerate(node.tolist())]
    return (starts[:-1] + starts[1:]) / 2, names
