"""Matrix: a number for each pair of a row and a column, as color and figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import SEQUENTIAL, escape, ink_on, new_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


def plot_matrix(
    values: Sequence[Sequence[float]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    labels: tuple[str, str],
    ax: Axes | None = None,
) -> Axes:
    """Draw a field for each pair: the lighter the larger, its number in it; a 0 has none.

    Parameters
    ----------
    values : sequence of sequence of float
        Row by row; finite, >= 0.
    rows, columns : sequence of str
        Names.
    labels : tuple of str
        What the rows and the columns are.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If there is no value, a row has another length, or a value is negative or not finite.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.shape != (len(rows), len(columns)) or not table.size:
        raise InputError(f"must be {len(rows)} rows of {len(columns)} values, got shape {table.shape}")
    if not (np.isfinite(table) & (table >= 0)).all():
        raise InputError("must be numbers >= 0", field="matrix")
    ax = new_axes(ax, height=1.4 + 0.42 * len(rows))
    most = float(table.max()) or 1.0
    image = ax.imshow(table, cmap=SEQUENTIAL, vmin=0.0, vmax=most, aspect="auto")
    grounds = image.cmap(table / most)
    for (row, column), value in np.ndenumerate(table):
        if value:
            ink = ink_on(tuple(grounds[row, column]))
            ax.text(column, row, f"{value:.1f}", ha="center", va="center", color=ink, fontsize="small")
    ax.set_xticks(range(len(columns)), [escape(name) for name in columns], rotation=30, ha="right")
    ax.set_yticks(range(len(rows)), [escape(name) for name in rows])
    ax.set_ylabel(labels[0])
    ax.set_xlabel(labels[1])
    return ax
