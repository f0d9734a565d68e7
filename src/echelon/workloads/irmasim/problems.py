"""Problems: all that is wrong in a file, reported together."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 16
_SHOWN_OF_A_KIND = 4


class Problems:
    """What is wrong in one file, in the order found; of many alike only the first few are sentences.

    Parameters
    ----------
    file : str
        The file as the user gave it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.count = 0
        self._shown: list[str] = []
        self._kinds: Counter[str] = Counter()

    def add(self, path: str, sentence: str) -> None:
        """Note what is wrong at a path such as ``jobs[3].req_ops``."""
        self.count += 1
        kind = path.rpartition(".")[2].partition("[")[0]
        self._kinds[kind] += 1
        if len(self._shown) < _SHOWN and self._kinds[kind] <= _SHOWN_OF_A_KIND:
            self._shown.append(f"{path}: {sentence}")

    def refuse(self) -> None:
        """Raise `InputError` with all that was noted, if anything was."""
        if self.count:
            more = [f"and {self.count - len(self._shown)} more"] if self.count > len(self._shown) else []
            raise InputError("; ".join([*self._shown, *more]), file=self.file)


def show_value(value: object) -> str:
    """Return a value of the file for a message, cut short."""
    return f"{value}" if type(value) is int or type(value).__name__ == "Literal" else f"{value!r:.60}"


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return a hint: the nearest of the names known, or all of them."""
    names = sorted(candidates)
    if near := difflib.get_close_matches(name, names, n=1):
        return f"did you mean {near[0]!r}?"
    return f"known are {', '.join(names)[:120]}" if names else "there is none"
