"""Canvas: the axes a figure is drawn into, its colors, and files of it.

Nothing here touches matplotlib's global state: no style, no backend, no list of open figures.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.extras import MATPLOTLIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure, SubFigure

    from echelon.model.jobs.columns import FloatColumn, IntColumn

FileFormat: TypeAlias = Literal["png", "svg", "pdf"]
"""What a figure can be written as."""

FILE_FORMATS: tuple[str, ...] = get_args(FileFormat)

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""For color-blind readers, too. Source: Okabe and Ito, "Color universal design", 2008, without yellow,
which is too pale for lines on white."""

SEQUENTIAL = "cividis"
"""For amounts: even steps of lightness that look alike to the color-blind (Nuñez et al., PLoS ONE 2018)."""

_DPI = 150

_MIDDLE = 0.179
"""Relative luminance on which black and white have the same contrast."""


def new_axes(ax: Axes | None, *, width: float = 7.0, height: float = 4.0) -> Axes:
    """Return `ax`, or the axes of a new figure of that size in inches."""
    return ax if ax is not None else new_figure(width, height).subplots()


def new_figure(width: float, height: float) -> Figure:
    """Return a new figure of that size in inches.

    It belongs to the caller alone: ``pyplot`` does not know of it, and it need not be closed.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed; the message says what to install.
    """
    MATPLOTLIB.load()
    # A heavy library that only figures need.
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def simplify_axes(ax: Axes, *, grid: Literal["both", "x", "y"] = "both") -> None:
    """Take the upper and right line off, and draw a pale grid behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=grid, color="#e3e6ea", linewidth=0.7)
    ax.set_axisbelow(True)


def mark_whole_numbers(axis: Axis) -> None:
    """Mark an axis at round whole numbers only, as of processors or jobs."""
    # A heavy library that only figures need.
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))


def color(place: int) -> str:
    """Return the color of the thing at a place of a list; from the eighth on they come again."""
    return COLORS[place % len(COLORS)]


def draw_steps(
    ax: Axes,
    x: FloatColumn,
    y: FloatColumn,
    *,
    place: int,
    name: str,
    styles: Sequence[str] = ("-", "--", "-.", ":"),
) -> None:
    """Draw the line of a thing at a place of a list as steps; where colors come again, strokes are others."""
    style = styles[place // len(COLORS) % len(styles)]
    ax.step(x, y, style, where="post", color=color(place), label=escape(name))


def ink_on(ground: tuple[float, ...]) -> str:
    """Return black or white, whichever stands out more on a color: by 4.5 to 1 at least, as WCAG 2 asks for.

    Parameters
    ----------
    ground : tuple of float
        Red, green and blue, from 0 to 1; more is ignored.
    """
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in ground[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance > _MIDDLE else "white"


def legend_above(
    ax: Axes, handles: Sequence[Artist] | None = None, *, columns: int = 0, right: bool = False
) -> None:
    """Put a legend above the axes, at the left or the right: of what is drawn, or of `handles` in a line."""
    keys = ax.get_legend_handles_labels()[0] if handles is None else handles
    ax.legend(
        handles=keys,
        loc="lower right" if right else "lower left",
        bbox_to_anchor=(float(right), 1.0),
        ncols=columns or len(keys),
        frameon=False,
        fontsize="small",
    )


def box_corners(left: FloatColumn, right: FloatColumn, bottom: IntColumn, top: IntColumn) -> Any:  # noqa: ANN401
    """Return the corners of rectangles as one array, shape (n, 4, 2), which a `PolyCollection` takes.

    It is much faster than a list of polygons, and not in the annotations of matplotlib.
    """
    return np.stack((left, bottom, left, top, right, top, right, bottom), axis=-1).reshape(-1, 4, 2)


def figure_bytes(figure: Figure | SubFigure, kind: str, *, resolution: int = _DPI) -> bytes:
    """Return a figure as the bytes of a file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Any: ``ax.figure`` of what a function of this room returned.
    kind : {"png", "svg", "pdf"}
        The format.
    resolution : int, default 150
        Of PNG, in dots an inch.

    Raises
    ------
    UnknownNameError
        If `kind` is none of the three.

    Notes
    -----
    The same figure gives the same bytes: no date and no random names are written.
    """
    # A heavy library that only figures need.
    from matplotlib import rc_context

    if kind not in FILE_FORMATS:
        raise UnknownNameError("figure format", kind, FILE_FORMATS)
    root = figure.get_figure(root=True)
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "echelon"}), warnings.catch_warnings():
        # Names may hold letters that the font lacks; it shows a box for each.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from font")
        root.savefig(content, format=kind, dpi=resolution, metadata=undated)
    return content.getvalue()


def escape(text: str) -> str:
    """Return a name as matplotlib shows it letter by letter: ``$`` begins no formula, ``_`` hides no line."""
    shown = text.replace("$", r"\$")
    return f"\N{ZERO WIDTH SPACE}{shown}" if shown.startswith("_") else shown


MOST_LETTERS = 40
"""Of a path beside an axis: of a longer one the end is shown, which tells sites apart."""


def label_of_site(name: str) -> str:
    """Return the name of a site, or of a node in it, as it is written beside an axis.

    Examples
    --------
    >>> label_of_site("spain/uab")
    'spain/uab'
    >>> label_of_site("a-federation-of-many-grids/a-grid-of-clusters/cluster-1")
    '…many-grids/a-grid-of-clusters/cluster-1'
    """
    far = "/" in name and len(name) > MOST_LETTERS
    return escape(f"…{name[1 - MOST_LETTERS :]}" if far else name)


def save_figure(figure: Figure | SubFigure, path: str | Path) -> Path:
    """Write a figure to `path`, in the format that its ending names, and return the path.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Any: ``ax.figure`` of what a function of this room returned.
    path : str or Path
        Ending in ``.png``, ``.svg`` or ``.pdf``; its folder must exist.

    Raises
    ------
    UnknownNameError
        If the ending is none of the three.
    InputError
        If the file cannot be written.
    """
    target = Path(path)
    content = figure_bytes(figure, target.suffix.lower().removeprefix("."))
    try:
        target.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from error
    return target
