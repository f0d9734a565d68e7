"""Records: JSON objects of one kind as columns, by names that forgive case, blanks, ``_`` and ``-``."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.fields import LARGEST
from echelon.workloads.irmasim.json_text import number
from echelon.workloads.irmasim.problems import show_value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn
    from echelon.workloads.irmasim.problems import Problems


class Rule(NamedTuple):
    """Which numbers a value may be."""

    expected: str
    holds: Callable[[FloatColumn], NDArray[np.bool_]]


ABOVE_ZERO = Rule("a finite number > 0", lambda column: (column > 0) & np.isfinite(column))
AT_LEAST_ZERO = Rule("a finite number >= 0", lambda column: (column >= 0) & np.isfinite(column))
COUNT = Rule(
    "a whole number >= 1", lambda column: (column >= 1) & (column <= LARGEST) & (column == np.trunc(column))
)
SHARE = Rule("a number from 0 to 1", lambda column: (column >= 0) & (column <= 1))
TIME = Rule("a time in seconds", lambda column: np.abs(column) <= LARGEST)
WHOLE = Rule("a whole number", lambda column: (np.abs(column) <= LARGEST) & (column == np.trunc(column)))
AMOUNT = Rule("a number", lambda column: np.abs(column) <= LARGEST)
REQUEST = Rule("a number >= 0, or -1 if unknown", lambda c: ((c >= 0) | (c == -1)) & (c <= LARGEST))


def squeeze(name: str) -> str:
    """Return `name` in lower case without blanks, ``_`` and ``-``: ``T_compute`` is ``tcompute``."""
    return re.sub(r"[\s_-]", "", name.lower())


class Records:
    """Objects of one kind, a column a name; what is not given, or null, is None.

    Parameters
    ----------
    objects : sequence of object
        As the file has them. What is no object is noted as a problem and counts as empty.
    path : callable (place: int) -> str
        Where each is in the file, for messages.
    names : mapping of str to str
        The names understood, by their spelling as of `squeeze`.
    problems : Problems
        Where to note what is wrong.

    Attributes
    ----------
    ignored : Counter of str
        Names not understood, and how often each occurs.

    Notes
    -----
    Cost: O(values); names are looked up once for each different set of them.
    """

    def __init__(
        self,
        objects: Sequence[object],
        path: Callable[[int], str],
        names: Mapping[str, str],
        problems: Problems,
    ) -> None:
        self.path, self.problems = path, problems
        self.ignored: Counter[str] = Counter()
        self._names = names
        self._size = len(objects)
        self._columns: dict[str, list[object]] = {}
        kinds: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        for place, one in enumerate(objects):
            if not isinstance(one, dict):
                problems.add(path(place), f"got {show_value(one)}, expected an object in braces")
                continue
            keys = tuple(one)
            if keys not in kinds:
                kinds[keys] = self._understand(keys, place)
            for name, key in kinds[keys]:
                self._column(name)[place] = one[key]

    def __len__(self) -> int:
        """Return the number of objects."""
        return self._size

    def values(self, name: str) -> Sequence[object]:
        """Return the values under `name`, shape (n,)."""
        return self._columns.get(name) or [None] * self._size

    def have_value(self, name: str) -> NDArray[np.bool_]:
        """Return which objects have a value under `name`, shape (n,)."""
        if name not in self._columns:
            return np.zeros(self._size, dtype=np.bool_)
        return np.array([value is not None for value in self._columns[name]], dtype=np.bool_)

    def numbers(self, name: str, rule: Rule, *, default: float = np.nan, shift: int = 0) -> FloatColumn:
        """Return the numbers under `name` times 10**`shift`, shape (n,); `default` where none is given.

        Those that break the `rule` are noted as problems, and NaN.
        """
        if name not in self._columns:
            return np.full(self._size, default)
        values = self._columns[name]
        column = np.array(
            [default if value is None else number(value, shift) for value in values], dtype=np.float64
        )
        with np.errstate(invalid="ignore"):
            wrong = np.flatnonzero(self.have_value(name) & ~rule.holds(column))
        for place in wrong.tolist():
            self.problems.add(
                f"{self.path(place)}.{name}", f"got {show_value(values[place])}, expected {rule.expected}"
            )
        column[wrong] = np.nan
        return column

    def texts(self, name: str) -> list[str | None]:
        """Return the values under `name` as texts, shape (n,); what is neither text nor number is noted."""
        texts: list[str | None] = []
        for place, value in enumerate(self.values(name)):
            right = value is None or isinstance(value, str) or type(value) is int
            if not right:
                self.problems.add(f"{self.path(place)}.{name}", f"got {show_value(value)}, expected a string")
            texts.append(None if value is None or not right else str(value))
        return texts

    def hint(self, name: str) -> str:
        """Return the name not understood that is nearest to `name`, as the end of a message, or nothing."""
        near = difflib.get_close_matches(name, self.ignored, n=1)
        return f", is {near[0]!r} meant for it?" if near else ""

    def _column(self, name: str) -> list[object]:
        if name not in self._columns:
            self._columns[name] = [None] * self._size
        return self._columns[name]

    def _understand(self, keys: tuple[str, ...], place: int) -> tuple[tuple[str, str], ...]:
        key_by_name: dict[str, str] = {}
        for key in keys:
            name = self._names.get(squeeze(key))
            if name is None:
                self.ignored[key] += 1
            elif name in key_by_name:
                self.problems.add(
                    self.path(place), f"says {name} twice, as {key_by_name[name]!r} and {key!r}"
                )
            else:
                key_by_name[name] = key
        return tuple(key_by_name.items())
