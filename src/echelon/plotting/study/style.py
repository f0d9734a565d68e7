"""Style of a paper: widths, font, labels. Figures and tables of studies take one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.extras import MATPLOTLIB

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MM = 1 / 25.4
"""A millimeter in inches."""

GENERIC_FONTS = ("sans-serif", "serif", "monospace", "cursive", "fantasy")
"""Names that stand for a font of their kind, whichever a machine has."""


@dataclass(frozen=True, slots=True)
class MetricStyle:
    """How one metric is shown.

    Parameters
    ----------
    label : str, optional
        What it is called. Default: as everywhere.
    unit : {"s", "min", "h", "d"}, optional
        Unit of a metric in seconds. Default: the one that suits its values.
    """

    label: str | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """How figures and tables of a study look in a paper.

    Parameters
    ----------
    columns : {1, 2}, default 1
        Columns of the page that a figure is as wide as.
    one_column, two_columns : float, default 89 and 183
        Widths of figures, in mm, > 0: those of many journals, 3.5 and 7.2 in.
    font : tuple of str, default ("sans-serif",)
        Families, of which the first one that the machine has is used; letters that it lacks are of the next.
    font_size : float, default 8
        In pt, > 0; numbers and names beside axes are a sixth smaller.
    line_width : float, default 1
        Of curves, in pt, > 0.
    resolution : int, default 300
        Of PNG, in dots an inch, >= 1.
    labels : mapping of str to str, default empty
        What values of axes are called, such as policies.
    axes : mapping of str to str, default empty
        What axes are called.
    metrics : mapping of str to MetricStyle, default empty
        How metrics are shown, by name.
    file : str, default ""
        Where the style stands, for messages.
    """

    columns: int = 1
    one_column: float = 89.0
    two_columns: float = 183.0
    font: tuple[str, ...] = ("sans-serif",)
    font_size: float = 8.0
    line_width: float = 1.0
    resolution: int = 300
    labels: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, MetricStyle] = field(default_factory=dict)
    file: str = ""

    @property
    def width(self) -> float:
        """The width of a figure, in inches."""
        return _MM * (self.one_column if self.columns == 1 else self.two_columns)

    @property
    def small(self) -> float:
        """The size of small letters, in pt."""
        return self.font_size / 1.2

    @property
    def line(self) -> float:
        """The height of a line of small letters, in inches."""
        return 1.3 * self.small / 72

    def value(self, name: str) -> str:
        """Return what a value of an axis is called."""
        return self.labels.get(name, name)

    def axis(self, name: str) -> str:
        """Return what an axis is called; by default its name, capitalized: ``Workload seed``."""
        return self.axes.get(name) or f"{name[:1].upper()}{name[1:]}".replace("_", " ")

    def metric(self, name: str) -> MetricStyle:
        """Return how a metric is shown."""
        return self.metrics.get(name, MetricStyle())


@contextmanager
def apply_style(style: Style) -> Iterator[None]:
    """Draw and write figures inside in the font and the strokes of a style; outside nothing changes.

    Letters stay letters, which search and editors find: PDF holds the font (as Type 42), SVG names it.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed; the message says what to install.
    InputError
        If the machine has none of the fonts.
    """
    MATPLOTLIB.load()
    # A heavy library that only figures need.
    from matplotlib import rc_context

    with rc_context(
        {
            "font.family": _find_fonts(style),
            "font.size": style.font_size,
            "axes.labelsize": style.font_size,
            "axes.titlesize": style.font_size,
            "xtick.labelsize": style.small,
            "ytick.labelsize": style.small,
            "legend.fontsize": style.small,
            "lines.linewidth": style.line_width,
            "axes.linewidth": 0.6,
            "xtick.major.width": 0.6,
            "ytick.major.width": 0.6,
            "xtick.minor.width": 0.4,
            "ytick.minor.width": 0.4,
            "xtick.major.size": 2.5,
            "ytick.major.size": 2.5,
            "xtick.minor.size": 1.5,
            "ytick.minor.size": 1.5,
            "pdf.fonttype": 42,
            "svg.fonttype": "none",
        }
    ):
        yield


def _find_fonts(style: Style) -> list[str]:
    """Return those fonts of a style that the machine has."""
    # A heavy library that only figures need.
    from matplotlib.font_manager import fontManager

    names = {*GENERIC_FONTS, *(entry.name for entry in fontManager.ttflist)}
    if fonts := [name for name in style.font if name in names]:
        return fonts
    wanted = " or ".join(map(repr, style.font))
    raise InputError(
        f"this machine has no font {wanted}; name an installed family, such as 'DejaVu Serif', or "
        f"{', '.join(GENERIC_FONTS[:3])}",
        file=style.file or None,
        field="figures.font",
    )
