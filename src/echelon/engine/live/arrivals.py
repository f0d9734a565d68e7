"""Arrivals: submissions as they are reported, and the jobs that wait for others to end."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Instance


class Arrivals:
    """When jobs join the root; stands for `echelon.engine.ledger.releases.Releases` where that is not known.

    A job that waits for others joins at the latest of its submission and of end + delay over its
    predecessors.

    Attributes
    ----------
    next_time : float
        When the next job joins, as far as that is known, in seconds.
    """

    def __init__(self) -> None:
        self._arriving: list[tuple[float, int]] = []
        self.next_time = math.inf
        self._successors: dict[int, list[tuple[int, float]]] = {}
        self._waits_for: dict[int, int] = {}
        self._release: dict[int, float] = {}
        self._known = 0

    def grow(self, instance: Instance, ended: dict[int, float]) -> None:
        """Take in the jobs at the end of an instance that were not known before.

        Parameters
        ----------
        instance : Instance
            Its dependencies count.
        ended : dict of int to float
            When the jobs ended that have, in seconds, by position.
        """
        first, self._known = self._known, len(instance)
        if (dependencies := instance.dependencies) is None:
            return
        for position in range(first, len(instance)):
            edges = range(int(dependencies.first[position]), int(dependencies.first[position + 1]))
            if not edges:
                continue
            # One more: its own submission.
            self._waits_for[position], self._release[position] = len(edges) + 1, -math.inf
            for edge in edges:
                before, delay = int(dependencies.predecessor[edge]), float(dependencies.delay[edge])
                if before in ended:
                    self._free(position, ended[before] + delay)
                else:
                    self._successors.setdefault(before, []).append((position, delay))

    def announce(self, position: int, now: float) -> None:
        """Let a job be submitted now."""
        if position in self._waits_for:
            self._free(position, now)
        else:
            self._arrive(position, now)

    def forget(self, position: int) -> bool:
        """Let a job never join; return whether it has not joined yet."""
        waits = self._waits_for.pop(position, None) is not None
        left = [one for one in self._arriving if one[1] != position]
        waits |= len(left) < len(self._arriving)
        self._arriving = sorted(left)
        self._note_next()
        return waits

    def _free(self, position: int, time: float) -> None:
        """Let a job wait for one thing fewer; that was over at `time`, in seconds, with the delay."""
        if position not in self._waits_for:
            return
        self._release[position] = max(self._release[position], time)
        self._waits_for[position] -= 1
        if not self._waits_for[position]:
            del self._waits_for[position]
            self._arrive(position, self._release.pop(position))

    def _arrive(self, position: int, time: float) -> None:
        heappush(self._arriving, (time, position))
        self._note_next()

    def _note_next(self) -> None:
        self.next_time = self._arriving[0][0] if self._arriving else math.inf

    def take(self, now: float) -> list[int]:
        """Return the positions of the jobs that join by now, in order, each once."""
        arriving = []
        while self._arriving and self._arriving[0][0] <= now:
            arriving.append(heappop(self._arriving)[1])
        self._note_next()
        return sorted(arriving)

    def ended(self, position: int, now: float) -> None:
        """Note that the job at `position` has ended now, for any reason."""
        for successor, delay in self._successors.pop(position, ()):
            self._free(successor, now + delay)
