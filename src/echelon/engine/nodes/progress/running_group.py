"""RunningGroup: equal tasks of one job on equal cores of one processor, which run together or in turns."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any

from echelon.engine.progress.rates import RunningWork

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLUR = 16
"""Smallest steps of the clock within which times are the same."""


class RunningGroup(RunningWork):
    """Tasks that start together and run alike; if there are fewer cores than tasks, they share them fairly.

    Parameters
    ----------
    job : pair of int
        Position of the job, and index of the group in its demand: `position` and `group_index`.
    place : pair of int
        Processor and node on which the tasks run: `processor` and `node`.
    cores : sequence of int
        Cores of the group, ascending.
    tasks : int
        Number of tasks, at least that of cores.
    operations : float
        Operations of each task.
    left : float, optional
        Operations that each has left; default: all.
    speed : float
        Operations a second on a core without contention.
    bandwidth : float
        Memory traffic of each task at that speed, in bytes a second.
    times : pair of float
        Times at which the cores are taken and at which the tasks begin to progress, in seconds: `held_from`
        and `begin`.
    level : int
        Frequency level of the processor.

    Attributes
    ----------
    left : float
        Operations left of each task at `since`.
    pace : float
        Factor of the speed, by contention; 0 before the first is known.
    alone : float
        How long each task lasts from its beginning on such a core without contention, in seconds.
    ended, released : float
        Times at which the tasks ended and released their cores; NaN until then.
    """

    __slots__ = (
        "alone", "bandwidth", "begin", "cores", "ended", "group_index", "held_from", "level", "node",
        "position", "processor", "released", "speed", "tasks",
    )  # fmt: skip

    def __init__(
        self,
        job: tuple[int, int],
        place: tuple[int, int],
        cores: Sequence[int],
        *,
        tasks: int,
        operations: float,
        left: float | None = None,
        speed: float,
        bandwidth: float,
        times: tuple[float, float],
        level: int,
    ) -> None:
        super().__init__(operations if left is None else left, 0.0, times[1])
        self.position, self.group_index = job
        self.processor, self.node = place
        self.cores = list(cores)
        self.tasks = tasks
        self.speed = speed
        self.alone = operations / speed
        self.bandwidth = bandwidth
        self.held_from, self.begin = times
        self.level = level
        self.ended = self.released = math.nan

    @property
    def running(self) -> float:
        """Number of tasks that run at once; tasks without a core wait, or count by their share."""
        return float(min(self.tasks, len(self.cores)))

    @property
    def is_running(self) -> bool:
        """Whether the tasks have not ended."""
        return math.isnan(self.ended)

    def finish(self, now: float) -> None:
        """End the tasks now, or their stay on these cores."""
        self.ended = now

    def left_at(self, now: float) -> float:
        """Return the operations left of each task now, at most."""
        if not self.is_running:
            return 0.0
        if not (self.pace and now > self.since):
            return self.left
        return max(0.0, self.left - self._rate() * (now - self.since))

    @property
    def outlook(self) -> float:
        """End of all tasks at the present rate, or without contention before they begin, in seconds."""
        return self.due if self.pace else self.begin + self.left / self.speed

    def end_from(self, now: float) -> float:
        """See `RunningWork.end_from`."""
        return now + self.left / self._rate()

    def turn(self, now: float) -> bool:
        """Handle the event due now; return whether all tasks have ended."""
        return True

    def _rate(self) -> float:
        """Return operations a second of each task."""
        share = self.running / self.tasks if self.tasks > len(self.cores) else 1.0
        return self.speed * self.pace * share


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
        return float(self._count_working())

    @property
    def outlook(self) -> float:
        """End of all tasks if they shared the cores fairly, in seconds."""
        rate = self.speed * (self.pace or 1.0) * self.running
        return self.since + sum(self.lefts) / rate

    def turn(self, now: float) -> bool:
        """End the tasks that are complete, and let others take their turn if the quantum is over."""
        self.settle(now)
        running = [self.lefts.popleft() for _ in range(self._count_working())]
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
            for index in range(self._count_working()):
                self.lefts[index] = max(0.0, self.lefts[index] - done)
        self.since = now

    def end_from(self, now: float) -> float:
        """See `RunningWork.end_from`: the next end of a task, or of a turn."""
        if not self.lefts:
            return now
        rate = self.speed * self.pace
        by = now + min(self.lefts[index] for index in range(self._count_working())) / rate
        # With a core for each task, no task waits for a turn.
        return by if len(self.lefts) <= len(self.cores) else min(by, self.turn_ends)

    def _count_working(self) -> int:
        return min(len(self.lefts), len(self.cores))
