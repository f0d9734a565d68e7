"""Mistakes: everything that is wrong with a file, each with its place, to be reported at once."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from echelon.platforms.files.key_lines import line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.platforms.files.key_lines import Place

_MOST_NAMES = 24
"""A hint tells no more: longer than any list of keys."""

_MOST_COMPARED = 400
"""Names that a wrong one is compared with: each takes some microseconds, and mistakes may be thousands."""

_MOST_MISTAKES = 50
"""Most mistakes of a file that are reported; of further ones only the number."""

_LAST = 2**62
"""Comes after every line."""


def describe_place(place: Place) -> str:
    """Return a place in a TOML file as people count.

    Examples
    --------
    >>> describe_place(("site", 0, "power", "core_idle"))
    'site 1, power.core_idle'
    """
    parts: list[str] = []
    keys: list[str] = []
    for key, following in pairwise((*place, None)):
        if isinstance(following, int):
            parts += [".".join(keys)] if keys else []
            keys = []
            parts.append(f"{key} {following + 1}")
        elif isinstance(key, str):
            keys.append(key)
    return ", ".join([*parts, ".".join(keys)] if keys else parts)


def as_path(place: Place) -> str:
    """Return a place in a JSON file as its path: ``platform.x.clusters[0].nodes[1].type``."""
    steps = (f"[{key}]" if isinstance(key, int) else f".{_as_key(key)}" for key in place)
    return "".join(steps).removeprefix(".")


def _as_key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else json.dumps(name, ensure_ascii=False)


@dataclass
class Mistakes:
    """What is wrong with one file.

    Parameters
    ----------
    lines : mapping of place to int, default empty
        The 1-based line of each key, where it is known.
    shown : callable, default `describe_place`
        How a place is written.
    file : str, default ""
        The file's name as its user gave it; empty if it is no file.
    """

    lines: Mapping[Place, int] = field(default_factory=dict)
    shown: Callable[[Place], str] = describe_place
    file: str = ""
    _sentences: dict[tuple[int, str], None] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._sentences)

    def sentences(self) -> list[str]:
        """Return what is wrong, by line; what belongs to no line comes last. Of very many only the first."""
        sentences = [sentence for _, sentence in sorted(self._sentences, key=lambda mistake: mistake[0])]
        rest = len(sentences) - _MOST_MISTAKES
        return [*sentences[:_MOST_MISTAKES], *([f"and {rest} more"] if rest > 0 else [])]

    def line(self, place: Place) -> int | None:
        """Return the line of a place, or of what is around it; None if it is not known."""
        return line_of(place, self.lines)

    def note(self, place: Place, problem: str, *, named: bool = False) -> None:
        """Keep what is wrong at a place, with its line; one that is `named` says the last key itself."""
        start = self._start(place[:-1] if named else place, line := self.line(place))
        # Each mistake of a type that is read twice is reported once.
        self._sentences[line or _LAST, f"{start}: {problem}" if start else problem] = None

    def where(self, place: Place) -> str:
        """Return a place with its file and line; empty if it is in no file."""
        return f"{self.file}: {self._start(place, self.line(place))}" if self.file else ""

    def _start(self, place: Place, line: int | None) -> str:
        """Return what a sentence about a place begins with."""
        return ", ".join(filter(None, [f"line {line}" if line else "", self.shown(place)]))

    def note_unknown(self, place: Place, got: object, candidates: Iterable[str]) -> None:
        """Keep that the last key of a place is unknown there, with the nearest of those known."""
        key, names = str(place[-1]), list(candidates)
        self.note(place, f"unknown key {key!r:.60} ({format_got(got)}), {nearest(key, names)}", named=True)


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return the hint for an unknown name, with the first few known ones."""
    names = list(candidates)
    near = difflib.get_close_matches(name.lower(), names[:_MOST_COMPARED], n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"known are {', '.join(names[:_MOST_NAMES]) or 'none'}{more}"


def format_got(value: object) -> str:
    """Return a value got, at most 60 letters of it."""
    return f"got {value!r:.60}"
