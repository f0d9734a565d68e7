"""Letters: how wide a text is, and names broken into lines that fit, whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECES = (
    re.compile(r"\s*\S*\s*"),
    re.compile(r"[^:]*:*"),
    re.compile(r"[(]*[^\s:,=+/·_()-]*[\s:,=+/·_)-]*"),
)
"""A name is broken between its words; else after a colon; else after what parts parameters and folders."""

_HINTED = 1.04
"""How much wider letters may be in a file of pixels, where their strokes are put on whole ones."""


def text_width(text: str, size: float) -> float:
    """Return how wide a line is in the present font, in inches.

    Parameters
    ----------
    text : str
        One line.
    size : float
        Of its letters, in pt.
    """
    # A heavy library that only figures need.
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return _HINTED * float(width) / 72


def wrap_name(name: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """Return the lines of a name, none wider than `room`; only a single letter may be.

    Parameters
    ----------
    name : str
        All its letters are kept, but for spaces at the ends of lines.
    room : float
        In the unit of `width_of`.
    width_of : callable
        Returns the width of a line.

    Examples
    --------
    >>> wrap_name("easy:reservations=4", 13, len)
    ['easy:', 'reservations=', '4']
    >>> wrap_name("EASY, short first (new)", 20, len)
    ['EASY, short first', '(new)']
    """
    lines = [""]
    for piece in _small_enough(name, room, width_of):
        if lines[-1] and width_of((lines[-1] + piece).rstrip()) > room:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines if line.strip()] or [name]


def _small_enough(name: str, room: float, width_of: Callable[[str], float], level: int = 0) -> list[str]:
    """Return the pieces of a name, as large as fit; what nothing parts is broken between its letters."""
    if width_of(name.rstrip()) <= room:
        return [name]
    if level == len(_PIECES):
        return _by_letters(name, room, width_of)
    pieces = filter(None, _PIECES[level].findall(name))
    return [part for piece in pieces for part in _small_enough(piece, room, width_of, level + 1)]


def _by_letters(rest: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """Return the parts of a piece without anything that parts it, each as long as fits."""
    lines = []
    while width_of(rest.rstrip()) > room and len(rest) > 1:
        fit = next((count for count in range(len(rest) - 1, 1, -1) if width_of(rest[:count]) <= room), 1)
        lines.append(rest[:fit])
        rest = rest[fit:]
    return [*lines, rest]
