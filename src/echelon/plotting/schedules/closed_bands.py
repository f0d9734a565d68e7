"""Closed bands: processors that were down or reserved, behind the jobs of a Gantt chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.run_tables.table_closures import KINDS
from echelon.plotting.canvas import box_corners, legend_above

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from echelon.metrics.columns.run_tables.table_closures import Bands
    from echelon.quantities import TimeUnit


class _Style(NamedTuple):
    label: str
    face: str
    line: str
    hatch: str


_STYLES = {
    "fail": _Style("failed", "#8d949b", "#30363c", "////"),
    "drain": _Style("drained", "#e7eaed", "#8d949b", "---"),
    "maintenance": _Style("maintenance", "#c9ced4", "#6b747d", "\\\\\\\\"),
    "reserved": _Style("reserved", "#dbe9f6", "#0072b2", ""),
}

_PLAIN_BANDS = 3_000
"""More bands than these are drawn as dots inside an SVG or PDF, and without lines."""


def draw_bands(ax: Axes, bands: Bands, unit: TimeUnit) -> None:
    """Draw bands below all that is on the axes, whose limits are those of the time shown.

    Frames of reservations are above.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Time to the right, in `unit`, and processors upward.
    bands : Bands
        What was closed.
    unit : TimeUnit
        Of the time axis.

    Notes
    -----
    Each kind has a legend entry above the axes, on the right; other legends stay. Cost: some microseconds a
    band.
    """
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    low, high = ax.get_xlim()
    left, right = bands.start / unit.seconds, np.minimum(bands.end / unit.seconds, high)
    keys: list[Artist] = []
    for code, kind in enumerate(KINDS):
        style = _STYLES[kind]
        rows = np.flatnonzero((bands.kind == code) & (left < high) & (right > low))
        if not len(rows):
            continue
        polygons = box_corners(left[rows], right[rows], bands.first[rows], bands.last[rows] + 1)
        many = len(rows) > _PLAIN_BANDS
        collection = PolyCollection(
            polygons,
            facecolors=style.face,
            edgecolors="none",
            linewidths=0.0,
            hatch=None if many else style.hatch or None,
            rasterized=many,
            zorder=0.5,
        )
        collection.set_hatchcolor(style.line)
        ax.add_collection(collection, autolim=False)
        if kind == "reserved":
            # Jobs use most of a reservation: its frame is above them.
            frame = PolyCollection(
                polygons, facecolors="none", edgecolors=style.line, linewidths=1.2, rasterized=many, zorder=3
            )
            ax.add_collection(frame, autolim=False)
        edge = style.line if kind == "reserved" else "none"
        patch = Patch(facecolor=style.face, edgecolor=edge, hatch=style.hatch or None, label=style.label)
        patch.set_hatchcolor(style.line)
        keys.append(patch)
    if keys:
        before = ax.get_legend()
        legend_above(ax, keys, right=True)
        if before is not None:
            # Axes have one legend; the one before stays as any other part of them.
            ax.add_artist(before)
