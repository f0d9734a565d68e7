"""Figures of runs by matplotlib: PNG, SVG or PDF. One function a figure.

Each takes data and, optionally, the axes to draw into; none shows a window or changes a global style.
"""

from echelon.plotting.bars import plot_bars
from echelon.plotting.canvas import COLORS, FILE_FORMATS, FileFormat, figure_bytes, save_figure

__all__ = [
    "COLORS",
    "FILE_FORMATS",
    "FileFormat",
    "figure_bytes",
    "plot_bars",
    "save_figure",
]
