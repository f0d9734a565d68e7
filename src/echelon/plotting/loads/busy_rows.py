"""Busy rows: a heat map of how busy each row is over time, sites of a grid or nodes of a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.plotting.canvas import SEQUENTIAL, shown_site
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn

COLUMNS = 400
"""Stretches of time, each one column."""

MOST_ROWS = 200
"""Most rows that can be distinguished; with more sites or nodes each row shows several."""

_MOST_NAMES = 25


class BusyRows(NamedTuple):
    """What is drawn.

    Attributes
    ----------
    share : ndarray of float, shape (n_rows, n_columns)
        How busy each row is in each stretch of time, 0 to 1.
    edges : FloatColumn, shape (n_columns + 1,)
        Where stretches begin and the last one ends, in seconds.
    names : sequence of str, shape (n_rows,)
        Of the rows.
    """

    share: NDArray[np.float64]
    edges: FloatColumn
    names: Sequence[str]


def draw_busy_rows(rows: BusyRows, *, of: str, says: str, span: float, ax: Axes) -> None:
    """Draw rows above each other, the first at the bottom.

    Parameters
    ----------
    rows : BusyRows
        What is drawn.
    of : str
        What a row is, for the axis: ``"site"``.
    says : str
        What the color is, in percent: ``"busy"``.
    span : float
        Seconds of the whole, by which the unit of time is chosen.
    ax : matplotlib.axes.Axes
        Drawn into.
    """
    unit = time_unit(span)
    image = ax.imshow(
        100 * rows.share,
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        cmap=SEQUENTIAL,
        vmin=0,
        vmax=100,
        extent=(rows.edges[0] / unit.seconds, rows.edges[-1] / unit.seconds, -0.5, len(rows.names) - 0.5),
    )
    ax.figure.colorbar(image, ax=ax, label=f"{says} (%)")
    name_rows(ax, rows.names)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.set_ylabel(of)


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Write the names of a heat map's rows, or of every so many, so that they do not touch."""
    step = -(-len(names) // _MOST_NAMES)
    places = list(range(0, len(names), step))
    ax.set_yticks(places, [shown_site(names[place]) for place in places])
    ax.tick_params(axis="y", length=0)
