"""Site load: how busy each site of a grid was over time, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import site_load
from echelon.metrics.columns.shared_machines import working_shares
from echelon.metrics.tables.site_rows import site_rows
from echelon.model.schedules.features import Feature, sites_with
from echelon.plotting.canvas import new_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.loads.busy_rows import COLUMNS, MOST_ROWS, BusyRows, draw_busy_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run


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
    sites = table.needed_sites()
    low, high = table.span
    edges = np.linspace(low, max(high, low + 1.0), COLUMNS + 1)
    copies, platform = table.copies, sites.platform
    held = site_load(copies.site, copies.start, copies.end, copies.processes, platform=platform, edges=edges)
    shared = sites_with(platform, Feature.TIME_SHARING)[:, None]
    load = np.where(shared, working_shares(copies, platform, edges), held) if shared.any() else held
    rows = site_rows(sites.platform, MOST_ROWS)
    busy = np.zeros((len(rows.names), COLUMNS))
    np.add.at(busy, rows.row, load * sites.platform.sizes[:, None])
    ax = new_axes(ax, width=9.0, height=min(6.0, 1.4 + 0.3 * len(rows.names)))
    shown = BusyRows(busy / rows.processors[:, None], edges, rows.names)
    draw_busy_rows(shown, of="site", says="busy", span=high - low, ax=ax)
    return ax
