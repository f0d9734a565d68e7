"""On which line of a TOML file each table, key and item of a list stands, which its parser does not tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Place: TypeAlias = "tuple[str | int, ...]"
"""Keys and 0-based numbers of tables from the top on: ``("site", 2, "power", "core_idle")``."""

TEXTS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
"""Texts of TOML in their four kinds of quotes, and comments."""

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_ENTRY = re.compile(rf"\s*({_DOTTED})\s*=")


def key_lines(text: str) -> dict[Place, int]:
    """Return the 1-based line of each table's head and of each key that stands first on a line.

    Parameters
    ----------
    text : str
        A file that a parser of TOML takes. Keys inside braces or brackets are not found: `line_of` then gives
        the line of what holds them.

    Notes
    -----
    Cost: O(length of the text).
    """
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    for number, line in enumerate(TEXTS.sub(_without_lines, text).split("\n"), 1):
        if head := _TABLE.match(line):
            table = _resolve_place(head[2], counts, new=head[1] == "[[")
            for place in (table, table[:-1] if head[1] == "[[" else table):
                lines.setdefault(place, number)
        elif entry := _ENTRY.match(line):
            keys = _parts(entry[1])
            for cut in range(1, len(keys) + 1):
                lines.setdefault(table + keys[:cut], number)
    return lines


def line_of(place: Place, lines: Mapping[Place, int]) -> int | None:
    """Return the line of `place`, or else of the nearest thing around it; None if not even that is known."""
    return next((lines[place[:cut]] for cut in range(len(place), 0, -1) if place[:cut] in lines), None)


def _without_lines(match: re.Match[str]) -> str:
    """Return what stands for a text or a comment: nothing in it is a head or a key, but its lines count."""
    text = match[0]
    return text if text[0] in "\"'" and text[:3] not in ('"""', "'''") else "\n" * text.count("\n")


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_KEY, dotted))


def _resolve_place(dotted: str, counts: dict[Place, int], *, new: bool) -> Place:
    """Return the place of a table's head; every name of a list of tables means the last of them."""
    place: Place = ()
    *above, last = _parts(dotted)
    for part in above:
        place = (*place, part)
        place = (*place, counts[place]) if place in counts else place
    place = (*place, last)
    if new:
        counts[place] = counts.get(place, -1) + 1
        return (*place, counts[place])
    return place


def item_lines(text: str, keys: Mapping[Place, int]) -> dict[Place, int]:
    r"""Return the 1-based line of each item of each list that is the value of a key.

    Parameters
    ----------
    text : str
        A file that a parser of TOML takes.
    keys : mapping of place to int
        The lines of its keys, of `key_lines`.

    Notes
    -----
    Items of lists in lists are not found. Cost: O(length of the text).

    Examples
    --------
    >>> item_lines('a = [\n "x",\n "y"]', {("a",): 1})
    {('a', 0): 2, ('a', 1): 3}
    """
    # Texts become letters and comments nothing, so that brackets and commas are what they look like.
    hidden = TEXTS.sub(_without_marks, text).split("\n")
    line_by_place: dict[Place, int] = {}
    # Of a dotted key all beginnings have one line: the whole key is the longest.
    for line, key in {keys[key]: key for key in sorted(keys, key=len)}.items():
        head, equals, value = hidden[line - 1].partition("=")
        if equals and not head.lstrip().startswith("[") and value.lstrip().startswith("["):
            rows = [value, *hidden[line:]]
            line_by_place |= {(*key, item): line + row for item, row in enumerate(_rows_of_items(rows))}
    return line_by_place


def _rows_of_items(rows: list[str]) -> Iterator[int]:
    """Yield the row, from 0 on, on which each item of the list stands with which the rows begin."""
    depth, waits = 0, False
    for row, text in enumerate(rows):
        for letter in text:
            if waits and depth == 1 and not letter.isspace() and letter not in ",]":
                yield row
                waits = False
            if letter in "[{":
                depth += 1
                waits = waits or depth == 1
            elif letter in "]}":
                depth -= 1
                if depth == 0:
                    return
            elif letter == "," and depth == 1:
                waits = True


def _without_marks(match: re.Match[str]) -> str:
    """Return what stands for a text or a comment, with as many lines."""
    text = match[0]
    return ("" if text[0] == "#" else "t") + "\n" * text.count("\n")
