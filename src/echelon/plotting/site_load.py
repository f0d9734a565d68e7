"""Site load: how busy each site of a grid was over time, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import site_load
from echelon.metrics.site_rows import site_rows
from echelon.plotting.canvas import SEQUENTIAL, literal, new_axes
from echelon.plotting.job_table import JobTable
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run

_COLUMNS = 400
_MOST_ROWS = 200
_MOST_NAMES = 25


def plot_site_load(run: Run, *, ax: Axes | None = None) -> Axes:
    """Draw the share of each site's processors that jobs held, over time.

    Parameters
    ----------
    run : run
        A result or table of jobs of a grid.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A row a site, the largest on top; of more than 200 sites each row is several neighbors in size. The
        color is the mean over a 400th of the time from the first submission to the last end.

    Raises
    ------
    InputError
        If a column is missing, or the jobs ran on one machine.
    """
    table = JobTable.of(run)
    sites = table.needed_sites()
    job, start, end = table.pieces
    low, high = table.span
    edges = np.linspace(low, max(high, low + 1.0), _COLUMNS + 1)
    load = site_load(sites.site[job], start, end, table.size[job], platform=sites.platform, edges=edges)
    rows = site_rows(sites.platform, _MOST_ROWS)
    busy = np.zeros((len(rows.names), _COLUMNS))
    np.add.at(busy, rows.row, load * sites.platform.sizes[:, None])
    ax = new_axes(ax, width=9.0, height=min(6.0, 1.4 + 0.3 * len(rows.names)))
    unit = time_unit(high - low)
    image = ax.imshow(
        100 * busy / rows.processors[:, None],
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=SEQUENTIAL,
        vmin=0,
        vmax=100,
        extent=(edges[0] / unit.seconds, edges[-1] / unit.seconds, -0.5, len(rows.names) - 0.5),
    )
    ax.figure.colorbar(image, ax=ax, label="busy (%)")
    name_rows(ax, rows.names)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.set_ylabel("site")
    return ax


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Write the names of a heat map's rows, or of every so many, so that they do not touch."""
    step = -(-len(names) // _MOST_NAMES)
    places = list(range(0, len(names), step))
    ax.set_yticks(places, [literal(names[place]) for place in places])
    ax.tick_params(axis="y", length=0)
