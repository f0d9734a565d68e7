"""On which line of a TOML file each item of a list stands, where the list goes over several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.platforms.files.key_lines import TEXTS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from echelon.platforms.files.key_lines import Place


def item_lines(text: str, keys: Mapping[Place, int]) -> dict[Place, int]:
    r"""Return the 1-based line of each item of each list that is the value of a key.

    Parameters
    ----------
    text : str
        A file that a parser of TOML takes.
    keys : mapping of place to int
        The lines of its keys, of `echelon.platforms.files.key_lines.key_lines`.

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
    for line, key in {line: key for key, line in sorted(keys.items(), key=_length)}.items():
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


def _length(entry: tuple[Place, int]) -> int:
    return len(entry[0])


def _without_marks(match: re.Match[str]) -> str:
    """Return what stands for a text or a comment, with as many lines."""
    text = match[0]
    return ("" if text[0] == "#" else "t") + "\n" * text.count("\n")
