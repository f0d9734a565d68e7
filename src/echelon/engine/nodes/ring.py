"""Ring: tasks of one job that take turns on fewer cores of one processor, a quantum each."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

from echelon.engine.nodes.bundle import Bundle

_BLUR = 16
"""Smallest steps of the clock within which times are the same."""


class Ring(Bundle):
    """A bundle in which only as many tasks run as there are cores; see `RoundRobinSharing`.

    Parameters
    ----------
    quantum : float
        How long a task runs before the next one has its turn, in seconds.
    *arguments, **others
        As of `Bundle`.

    Attributes
    ----------
    lefts : deque of float
        Operations left of each task, as of `since`; those that run come first.
    """

    __slots__ = ("lefts", "quantum", "turn_ends")

    def __init__(self, *arguments: Any, quantum: float, **others: Any) -> None:  # noqa: ANN401  (as of Bundle)
        super().__init__(*arguments, **others)
        self.lefts: deque[float] = deque([self.left] * self.tasks)
        self.quantum = quantum
        self.turn_ends = self.begin + quantum

    @property
    def running(self) -> float:
        """Tasks that run at once."""
        return float(self._at_work())

    @property
    def outlook(self) -> float:
        """When all its tasks would end if they shared fairly, in seconds."""
        rate = self.speed * (self.factor or 1.0) * self.running
        return max(self.since, self.begin) + sum(self.lefts) / rate

    def turn(self, now: float) -> bool:
        """Let the tasks end that are done, and if the quantum is over, let others have their turn."""
        self._settle(now)
        running = [self.lefts.popleft() for _ in range(self._at_work())]
        # What is less than the clock can tell is nothing.
        least = self.speed * self.factor * _BLUR * math.ulp(max(now, 1.0))
        going = [left for left in running if left > least]
        if now + _BLUR * math.ulp(now) >= self.turn_ends:
            self.lefts.extend(going)
            # A turn shorter than the clock can tell would never end.
            self.turn_ends = now + max(self.quantum, 2 * _BLUR * math.ulp(now))
        else:
            self.lefts.extendleft(reversed(going))
        self.due = self._end(now)
        self.serial += 1
        return not self.lefts

    def _at_work(self) -> int:
        return min(len(self.lefts), len(self.cores))

    def _settle(self, now: float) -> None:
        since = max(self.since, self.begin)
        if self.factor and now > since:
            done = self.speed * self.factor * (now - since)
            for index in range(self._at_work()):
                self.lefts[index] = max(0.0, self.lefts[index] - done)
        self.since = max(now, self.begin)

    def _end(self, now: float) -> float:
        if not self.lefts:
            return now
        rate = self.speed * self.factor
        first = min(self.lefts[index] for index in range(self._at_work())) / rate
        by = max(now, self.begin) + first
        # With a core for each task nobody waits for a turn.
        return by if len(self.lefts) <= len(self.cores) else min(by, self.turn_ends)
