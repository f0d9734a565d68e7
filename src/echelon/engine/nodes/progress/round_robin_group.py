"""RoundRobinGroup: tasks of one job that take turns on fewer cores of one processor, a quantum each."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

from echelon.engine.nodes.progress.running_group import RunningGroup

_BLUR = 16
"""Smallest steps of the clock within which times are the same."""


class RoundRobinGroup(RunningGroup):
    """A group in which only as many tasks run as there are cores; see `Sharing.turn`.

    Parameters
    ----------
    quantum : float
        Time that a task runs before the next takes its turn, in seconds.
    *arguments, **others
        As for `RunningGroup`.

    Attributes
    ----------
    lefts : deque of float
        Operations left of each task at `since`; the running tasks come first.
    """

    __slots__ = ("lefts", "quantum", "turn_ends")

    def __init__(self, *arguments: Any, quantum: float, **others: Any) -> None:  # noqa: ANN401  (as for RunningGroup)
        super().__init__(*arguments, **others)
        self.lefts: deque[float] = deque([self.left] * self.tasks)
        self.quantum = quantum
        self.turn_ends = self.begin + quantum

    @property
    def running(self) -> float:
        """Number of tasks that run at once."""
        return float(self._at_work())

    @property
    def outlook(self) -> float:
        """End of all tasks if they shared the cores fairly, in seconds."""
        rate = self.speed * (self.pace or 1.0) * self.running
        return self.since + sum(self.lefts) / rate

    def turn(self, now: float) -> bool:
        """End the tasks that are complete, and let others take their turn if the quantum is over."""
        self.settle(now)
        running = [self.lefts.popleft() for _ in range(self._at_work())]
        # Less than the clock can resolve counts as complete.
        least = self.speed * self.pace * _BLUR * math.ulp(max(now, 1.0))
        going = [left for left in running if left > least]
        if now + _BLUR * math.ulp(now) >= self.turn_ends:
            self.lefts.extend(going)
            # A turn shorter than the clock can resolve would never end.
            self.turn_ends = now + max(self.quantum, 2 * _BLUR * math.ulp(now))
        else:
            self.lefts.extendleft(reversed(going))
        self.predict(now)
        return not self.lefts

    def settle(self, now: float) -> None:
        """See `RunningWork.settle`: only those whose turn it is have done anything."""
        if self.pace and now > self.since:
            done = self.speed * self.pace * (now - self.since)
            for index in range(self._at_work()):
                self.lefts[index] = max(0.0, self.lefts[index] - done)
        self.since = now

    def end_from(self, now: float) -> float:
        """See `RunningWork.end_from`: the next end of a task, or of a turn."""
        if not self.lefts:
            return now
        rate = self.speed * self.pace
        by = now + min(self.lefts[index] for index in range(self._at_work())) / rate
        # With a core for each task, no task waits for a turn.
        return by if len(self.lefts) <= len(self.cores) else min(by, self.turn_ends)

    def _at_work(self) -> int:
        return min(len(self.lefts), len(self.cores))
