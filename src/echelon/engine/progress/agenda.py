"""Agenda: what is next to happen, where plans are replaced and withdrawn."""

from __future__ import annotations

import math
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Key = TypeVar("Key")


class Agenda(Generic[Key]):
    """One time for each of several things; only those whose time changes cost anything.

    Each thing has a key: a site, a job, a group of tasks.

    Parameters
    ----------
    times : iterable of (key, float), default none
        What is planned at first, once each, and when, in seconds.
    """

    def __init__(self, times: Iterable[tuple[Key, float]] = ()) -> None:
        # Time, rank among equal times, and key; an entry that was replaced stays in the heap, void.
        self._heap: list[tuple[float, Any, Key]] = [(time, key, key) for key, time in times]
        self._valid: dict[Key, tuple[float, Any, Key]] = {entry[2]: entry for entry in self._heap}
        heapify(self._heap)

    def copy(self) -> Agenda[Key]:
        """Return an independent copy."""
        twin: Agenda[Key] = Agenda()
        twin._heap, twin._valid = self._heap.copy(), self._valid.copy()
        return twin

    def plan(self, key: Key, time: float, rank: tuple[int, ...] | None = None) -> None:
        """Note that `key` is due at `time`, in seconds; infinity if it never is.

        Parameters
        ----------
        key : hashable
            What is due; without a rank, keys are compared.
        time : float
            When, in seconds.
        rank : tuple of int, optional
            Its place among those that are due at one time; default: by key.
        """
        valid = self._valid
        if time == math.inf:
            valid.pop(key, None)
        elif rank is not None or (old := valid.get(key)) is None or old[0] != time:
            entry = valid[key] = (time, key if rank is None else rank, key)
            heappush(self._heap, entry)

    def take(self, key: Key) -> None:
        """Withdraw `key`, if it is planned."""
        self._valid.pop(key, None)

    def first(self) -> float:
        """Return the earliest time, in seconds; infinity if there is none. Cost: O(log n), amortized."""
        heap, valid = self._heap, self._valid
        while heap and valid.get(heap[0][2]) is not heap[0]:
            heappop(heap)
        return heap[0][0] if heap else math.inf

    def keys_due(self, by: float) -> list[Key]:
        """Return what is due by `by`, in seconds, in no particular order, without withdrawing it."""
        heap, valid, keys, at = self._heap, self._valid, [], [0]
        while at:
            place = at.pop()
            if place < len(heap) and heap[place][0] <= by:
                entry = heap[place]
                if valid.get(entry[2]) is entry:
                    keys.append(entry[2])
                at += (2 * place + 1, 2 * place + 2)
        return keys

    def take_all(self, by: float) -> Iterator[Key]:
        """Withdraw what is due by `by`, in seconds, one by one, in order; more may be planned meanwhile."""
        while self.first() <= by < math.inf:
            _, _, key = heappop(self._heap)
            del self._valid[key]
            yield key

    def time(self, key: Key) -> float:
        """Return when `key` is due, in seconds; infinity if it is not planned."""
        entry = self._valid.get(key)
        return math.inf if entry is None else entry[0]
