"""Lists of nodes as people and Slurm write them: 1-4, 3+7, node[001-004,007]."""

from __future__ import annotations

import re
from typing import NamedTuple

from echelon.errors import InputError

MOST_LISTED = 2**24
"""Most nodes that one list may name."""

_SEPARATORS = frozenset(",+; \t\r\n")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?", re.ASCII)
_NUMBERED = re.compile(r"(.*?)(\d+)", re.ASCII)
A_LIST = "nodes numbered from 1 such as 1-4+7, or names such as node[001-004]"


class ListedNodes(NamedTuple):
    """Nodes of a list.

    Parameters
    ----------
    numbers : tuple of int
        From 1, ascending.
    stem : str
        What their names begin with; empty of plain numbers.
    names : tuple of str
        Their names; empty of plain numbers.
    """

    numbers: tuple[int, ...]
    stem: str
    names: tuple[str, ...]


def parse_nodes(text: str) -> ListedNodes:
    """Return the numbers, from 1, of the nodes that a list names, ascending, each once, with their stem.

    Parameters
    ----------
    text : str
        Numbers and ranges, separated by ``+``, commas, semicolons or blanks; or names that end in a number,
        in Slurm's brackets too: ``node[001-004,007]`` are the nodes 1 to 4 and 7. All names must begin alike,
        as the number alone says which node it is.

    Raises
    ------
    InputError
        If a part is neither a number nor a range nor such a name, a range goes down, a number is below 1,
        names begin in several ways, or there are more than `MOST_LISTED`.
    """
    name_by_number: dict[int, str] = {}
    stems: set[str] = set()
    for part in filter(None, _parts(text)):
        stem, ranges = _ranges(part, text)
        stems.add(stem)
        for first, last, width in ranges:
            if first < 1 or last < first or last - first >= MOST_LISTED or len(name_by_number) > MOST_LISTED:
                raise InputError(f"got {text!r:.80}, expected {A_LIST}, numbers from 1 on, ranges upwards")
            name_by_number |= {number: f"{stem}{number:0{width}}" for number in range(first, last + 1)}
    if not name_by_number:
        raise InputError(f"got {text!r:.80}, expected {A_LIST}")
    if len(stems) > 1:
        names = ", ".join(repr(stem) for stem in sorted(stems)[:4])
        raise InputError(
            f"got {text!r:.80}: names begin in several ways ({names}), so their numbers do not say which "
            "nodes they are; expected numbers from 1, a list for each site"
        )
    numbers, stem = tuple(sorted(name_by_number)), stems.pop()
    return ListedNodes(numbers, stem, tuple(name_by_number[number] for number in numbers) if stem else ())


def _parts(text: str) -> list[str]:
    """Return what separators outside brackets part."""
    parts, inside = [""], False
    for character in text:
        inside = character == "[" or (inside and character != "]")
        if character in _SEPARATORS and not inside:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _ranges(part: str, text: str) -> tuple[str, list[tuple[int, int, int]]]:
    """Return what the names of a part begin with, and first and last number and digits of its ranges."""
    stem, bracket, inside = part.partition("[")
    if bracket and _is_stem(stem):
        listed, _, rest = inside.partition("]")
        matches = [_RANGE.fullmatch(one.strip()) for one in listed.split(",")]
        if rest or not all(matches):
            raise InputError(f"got {text!r:.80}, expected {A_LIST}")
        return stem, [_bounds(match[1], match[2]) for match in matches if match]
    if match := _RANGE.fullmatch(part):
        return "", [_bounds(match[1], match[2])]
    if (match := _NUMBERED.fullmatch(part)) and _is_stem(match[1]):
        return match[1], [_bounds(match[2], None)]
    raise InputError(f"got {text!r:.80}, expected {A_LIST}")


def _is_stem(stem: str) -> bool:
    """Return whether names may begin so: -1 and 1.5 are no names that end in 1 and 5."""
    return not stem or any(character.isalpha() for character in stem)


def _bounds(first: str, last: str | None) -> tuple[int, int, int]:
    # Longer numbers are no numbers of nodes, and take long to read.
    if max(len(first), len(last or "")) > 18:
        return 0, 0, 0
    return int(first), int(last or first), len(first)
