"""Letters: how wide a text is, and names broken into lines that fit, whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECES = re.compile(r"[^\s:,=+/·_()-]*[\s:,=+/·_()-]*")
"""A name is broken after what parts its words: the parameters of a rule, the folders of a path."""

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


def wrapped(name: str, room: float, width_of: Callable[[str], float]) -> list[str]:
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
    >>> wrapped("easy:reservations=4", 13, len)
    ['easy:', 'reservations=', '4']
    """
    lines = [""]
    for piece in _small_enough(name, room, width_of):
        if lines[-1] and width_of((lines[-1] + piece).rstrip()) > room:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines if line.strip()] or [name]


def _small_enough(name: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """Return the pieces of a name; a piece that is too wide by itself is broken between its letters."""
    found = []
    for piece in filter(None, _PIECES.findall(name)):
        rest = piece
        while width_of(rest.rstrip()) > room and len(rest) > 1:
            fit = next((count for count in range(len(rest) - 1, 1, -1) if width_of(rest[:count]) <= room), 1)
            found.append(rest[:fit])
            rest = rest[fit:]
        found.append(rest)
    return found
