"""CharacterGrid: boxes and texts on a grid of characters, in Unicode or ASCII, with or without colors."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = {
    **{_UP: "╵", _DOWN: "╷", _LEFT: "─", _RIGHT: "─", _UP | _DOWN: "│", _LEFT | _RIGHT: "─"},
    **{_DOWN | _RIGHT: "┌", _DOWN | _LEFT: "┐", _UP | _RIGHT: "└", _UP | _LEFT: "┘"},
    **{_UP | _DOWN | _RIGHT: "├", _UP | _DOWN | _LEFT: "┤", _LEFT | _RIGHT | _DOWN: "┬"},
    **{_LEFT | _RIGHT | _UP: "┴", _UP | _DOWN | _LEFT | _RIGHT: "┼"},
}
_PLAIN = {"▼": "v", "·": ".", "█": "#", "…": "~"}

_GROUNDS = (153, 223, 158, 218, 229, 195, 189, 252)
"""Pale colors of terminals with 256, for black letters."""


class CharacterGrid:
    """Lines, texts and colors on a grid of so many characters.

    Parameters
    ----------
    width, height : int
        In characters and lines.
    is_ascii : bool
        Whether only ASCII is written; other letters become ``?``.
    """

    def __init__(self, width: int, height: int, *, is_ascii: bool) -> None:
        self._is_ascii = is_ascii
        self._edges = [[0] * width for _ in range(height)]
        self._letters: list[dict[int, str]] = [{} for _ in range(height)]
        self._grounds: list[dict[int, int]] = [{} for _ in range(height)]

    def box(self, left: int, top: int, right: int, bottom: int) -> None:
        """Draw the edges of a box through these characters; what was inside is erased."""
        for line in range(top + 1, bottom):
            for column in range(left + 1, right):
                self._edges[line][column] = 0
        self.level(left, right, top)
        self.level(left, right, bottom)
        for column in (left, right):
            for line in range(top, bottom):
                self._edges[line][column] |= _DOWN
                self._edges[line + 1][column] |= _UP

    def level(self, left: int, right: int, line: int) -> None:
        """Draw a line to the right."""
        for column in range(left, right):
            self._edges[line][column] |= _RIGHT
            self._edges[line][column + 1] |= _LEFT

    def write(self, line: int, column: int, text: str) -> None:
        """Write a text from a character on."""
        for letter in self.spell(text):
            wide = columns_of(letter)
            if wide:
                self._letters[line][column] = letter
            if wide == 2:
                self._letters[line][column + 1] = ""
            column += wide

    def spell(self, text: str) -> str:
        """Return a text as it is written: on one line, and in ASCII if nothing else may be."""
        printable = "".join(letter if letter.isprintable() else "?" for letter in text)
        if not self._is_ascii:
            return printable
        plain = "".join(_PLAIN.get(letter, letter) for letter in printable)
        return plain.encode("ascii", "replace").decode("ascii")

    def ground(self, lines: Iterable[int], columns: range, color: int) -> None:
        """Give characters the color of a number behind them."""
        for line in lines:
            self._grounds[line].update(dict.fromkeys(columns, color % len(_GROUNDS)))

    def lines(self, *, colors: bool) -> list[str]:
        """Return the lines of text, without spaces at their ends, with the colors behind them if wanted."""
        return [self._line(number, colors=colors) for number in range(len(self._edges))]

    def _line(self, number: int, *, colors: bool) -> str:
        letters = [
            self._letters[number].get(column, self._edge(edge))
            for column, edge in enumerate(self._edges[number])
        ]
        grounds = self._grounds[number]
        if not (colors and grounds):
            return "".join(letters).rstrip()
        parts, last = [], None
        for column, letter in enumerate(letters):
            ground = grounds.get(column)
            if ground != last:
                parts.append("\x1b[0m" if ground is None else f"\x1b[30;48;5;{_GROUNDS[ground]}m")
                last = ground
            parts.append(letter)
        return "".join(parts).rstrip() + ("" if last is None else "\x1b[0m")

    def _edge(self, edge: int) -> str:
        if not edge:
            return " "
        if not self._is_ascii:
            return _LINES[edge]
        if not edge & (_UP | _DOWN):
            return "-"
        return "+" if edge & (_LEFT | _RIGHT) else "|"


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )
