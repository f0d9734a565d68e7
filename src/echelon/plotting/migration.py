"""Migration: where the jobs of a grid came from and where they ran, as a heat map."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import migration
from echelon.metrics.tables.site_flows import site_rows
from echelon.plotting.canvas import SEQUENTIAL, ink_on, label_of_site, new_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.loads.busy_rows import name_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage
    from numpy.typing import NDArray

    from echelon.plotting.job_table import Run

_LABELS = {"jobs": "jobs", "work": "share of the processor-seconds (%)"}
_MOST_ROWS = 100
_MANY_DECADES = 4
_SMALL = 0.1
"""Percent, below which another digit is written."""

_MOST_WRITTEN = 12
"""Rows up to which every cell says its value."""


def plot_migration(run: Run, *, count: Literal["jobs", "work"] = "jobs", ax: Axes | None = None) -> Axes:
    """Draw how many jobs, or how much work, each site (column) ran of those of each site (row).

    Parameters
    ----------
    run : run
        A result or table of jobs of a grid, with the column ``home_site``; jobs of no known home are left
        out.
    count : {"jobs", "work"}, default "jobs"
        Jobs, or their share of all processor-seconds.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Sites in the platform's order; of more than 100 each row is several neighbors. Colors are
        logarithmic, cells without a job blank. The title says how much ran away from home.

    Raises
    ------
    UnknownNameError
        If there is no such count.
    InputError
        If a column is missing, the jobs ran on one machine, or no job's home is known.
    """
    if count not in _LABELS:
        raise UnknownNameError("count", count, _LABELS)
    table = JobTable.of(run)
    sites = table.needed_sites()
    if not sites.knows_homes:
        raise InputError("a migration matrix needs the home sites of jobs; none is known")
    flows = migration(sites.home_site, sites.site, area=table.area, sites=len(sites.platform))
    whole = flows.jobs if count == "jobs" else 100 * flows.area / (flows.area.sum() or 1.0)
    rows = site_rows(sites.platform, _MOST_ROWS)
    first = np.flatnonzero(np.diff(rows.row, prepend=-1))
    values = np.add.reduceat(np.add.reduceat(whole, first, axis=0), first, axis=1)
    ax = new_axes(ax, width=6.6, height=5.4)
    image = _draw_matrix(ax, values)
    marks = _round_values(*image.get_clim())
    bar = ax.figure.colorbar(image, ax=ax, label=_LABELS[count])
    bar.set_ticks(marks, labels=[f"{mark:,g}" for mark in marks])
    bar.ax.minorticks_off()
    if len(rows.names) <= _MOST_WRITTEN:
        _write(ax, image, values, count)
    _name(ax, rows.names)
    away = 100 * (1 - np.trace(whole) / (whole.sum() or 1.0))
    ax.set_title(f"{away:.1f} % of the {count} away from home", loc="left", fontsize="medium")
    return ax


def _draw_matrix(ax: Axes, values: NDArray[np.float64]) -> AxesImage:
    from matplotlib.colors import LogNorm

    shown = values[values > 0]
    low, high = (float(shown.min()), float(shown.max())) if len(shown) else (1.0, 1.0)
    blank = np.ma.masked_less_equal(values, 0)
    norm = LogNorm(low, max(high, 1.001 * low))
    return ax.imshow(blank, aspect="auto", interpolation="nearest", cmap=SEQUENTIAL, norm=norm)


def _round_values(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten within a range; over many decades the powers alone."""
    powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    digits = (1, 2, 5) if len(powers) < _MANY_DECADES else (1,)
    return [value for power in powers for digit in digits if low <= (value := digit * 10.0**power) <= high]


def _write(ax: Axes, image: AxesImage, values: NDArray[np.float64], count: str) -> None:
    shades = image.cmap(np.asarray(image.norm(np.maximum(values, 1e-300))))
    for (row, column), value in np.ndenumerate(values):
        if value > 0:
            ink = ink_on(tuple(shades[row, column]))
            text = (
                f"{value:,.0f}" if count == "jobs" else f"{value:.1f}" if value >= _SMALL else f"{value:.1g}"
            )
            ax.text(column, row, text, ha="center", va="center", color=ink, fontsize="x-small")


def _name(ax: Axes, names: Sequence[str]) -> None:
    name_rows(ax, names)
    places = ax.get_yticks()
    ax.set_xticks(places, [label_of_site(names[int(place)]) for place in places], rotation=90)
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel("ran at")
    ax.set_ylabel("came from")
