"""Number sets: numbers of nodes and cores as intervals, and as canonical text: ``"1-3 5 7"``."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import ranges, starts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model.jobs.columns import IntColumn


class NumberSets(NamedTuple):
    """Sets of whole numbers >= 0, each as intervals that ascend and neither touch nor overlap.

    Attributes
    ----------
    offsets : IntColumn, shape (n_sets + 1,)
        Where the intervals of each set begin; the last one is the number of intervals.
    first, last : IntColumn, shape (n_intervals,)
        Lowest and highest number of each interval.
    """

    offsets: IntColumn
    first: IntColumn
    last: IntColumn

    @property
    def sizes(self) -> IntColumn:
        """Number of elements of each set, shape (n_sets,)."""
        total = starts_of(self.last - self.first + 1)
        return np.diff(total[self.offsets])

    def take(self, rows: IntColumn) -> NumberSets:
        """Return the sets in these rows."""
        counts = np.diff(self.offsets)[rows]
        offsets = starts_of(counts)
        chosen = ranges(self.offsets[rows], self.offsets[rows + 1])
        return NumberSets(offsets, self.first[chosen], self.last[chosen])

    def texts(self) -> list[str]:
        """Return each set as text. Cost: O(intervals)."""
        parts = [
            str(low) if low == high else f"{low}-{high}"
            for low, high in zip(self.first.tolist(), self.last.tolist(), strict=True)
        ]
        return [" ".join(parts[begin:end]) for begin, end in pairwise(self.offsets.tolist())]


def number_sets(owner: IntColumn, number: IntColumn, sets: int) -> NumberSets:
    """Return `sets` sets: number k belongs to the set ``owner[k]``, in any order, once or more often.

    Cost: O(n log n); O(n) if the pairs are in order.
    """
    owners, numbers = owner, number
    same = owners[1:] == owners[:-1]
    if not ((owners[1:] > owners[:-1]) | (same & (numbers[1:] >= numbers[:-1]))).all():
        order = np.lexsort((number, owner))
        owners, numbers = owner[order], number[order]
        same = owners[1:] == owners[:-1]
    step = np.diff(numbers)
    # A number that occurs twice, or follows its neighbor, continues with the interval.
    begins = np.concatenate((np.ones(min(1, len(numbers)), dtype=np.bool_), ~same | (step > 1)))
    first = np.flatnonzero(begins)
    last = np.append(first[1:] - 1, len(numbers) - 1)[: len(first)]
    offsets = np.searchsorted(owners[first], np.arange(sets + 1))
    return NumberSets(offsets, numbers[first], numbers[last])


def unite(sets: NumberSets, owner: IntColumn, owners: int) -> NumberSets:
    """Return the union of the sets of each of `owners` owners; set k is of ``owner[k]``.

    Cost: O(n log n) for n intervals.
    """
    whose = np.repeat(owner, np.diff(sets.offsets))
    order = np.lexsort((sets.first, whose))
    whose, first = whose[order], sets.first[order]
    # Intervals of one owner may overlap: the highest number so far counts, offset above other owners'.
    above = int(sets.last.max(initial=0)) + 2
    reach = np.maximum.accumulate(sets.last[order] + whose * above)
    begins = np.ones(len(whose), dtype=np.bool_)
    begins[1:] = first[1:] + whose[1:] * above > reach[:-1] + 1
    start = np.flatnonzero(begins)
    stop = np.append(start[1:] - 1, len(whose) - 1)[: len(start)]
    last = reach[stop] - whose[stop] * above
    return NumberSets(np.searchsorted(whose[start], np.arange(owners + 1)), first[start], last)


def set_text(numbers: Iterable[int]) -> str:
    """Return a set of numbers as canonical text.

    Examples
    --------
    >>> set_text([7, 1, 2, 3, 5, 2])
    '1-3 5 7'
    """
    column = np.array(sorted(numbers), dtype=np.int64)
    return number_sets(np.zeros(len(column), dtype=np.int64), column, 1).texts()[0]


def read_set(text: str) -> list[int]:
    """Return the numbers of a set from its canonical text, ascending.

    Raises
    ------
    InputError
        If the text is not canonical.

    Examples
    --------
    >>> read_set("1-3 5 7")
    [1, 2, 3, 5, 7]
    """
    return [number for low, high in _intervals(text) for number in range(low, high + 1)]


def read_sets(texts: Sequence[str]) -> NumberSets:
    """Return the sets from their canonical texts; an empty text is an empty set.

    Raises
    ------
    InputError
        If a text is not canonical: the message has the text and its row, from 1.

    Notes
    -----
    Cost: O(n) for n intervals; a text that comes again is read once.
    """
    set_of_text: dict[str, int] = {}
    codes = np.array([set_of_text.setdefault(text, len(set_of_text)) for text in texts], dtype=np.int64)
    different: list[list[tuple[int, int]]] = []
    for text in set_of_text:
        try:
            different.append(_intervals(text))
        except InputError as error:
            raise InputError(f"{error.problem} in row {list(texts).index(text) + 1}") from None
    bounds = np.array([pair for pairs in different for pair in pairs], dtype=np.int64).reshape(-1, 2)
    begin = starts_of([len(pairs) for pairs in different])
    counts = np.diff(begin)[codes]
    offsets = starts_of(counts)
    source = ranges(begin[codes], begin[codes + 1])
    return NumberSets(offsets, bounds[source, 0], bounds[source, 1])


def _intervals(text: str) -> list[tuple[int, int]]:
    intervals = []
    above = -1
    for word in text.split(" ") if text else ():
        low_text, _, high_text = word.partition("-")
        if not (_is_number(low_text) and (_is_number(high_text) or word == low_text)):
            raise _not_canonical(text)
        low, high = int(low_text), int(high_text or low_text)
        # "3-3" and "1 2" have a shorter form, so they are not canonical.
        if low <= above or high < low or (high == low and high_text):
            raise _not_canonical(text)
        intervals.append((low, high))
        above = high + 1
    return intervals


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _not_canonical(text: object) -> InputError:
    return InputError(f"expected a set of numbers such as '1-3 5 7', ascending, got {text!r}")
