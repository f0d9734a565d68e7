"""Bundle: equal tasks of one job on equal cores of one processor, which progress together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Bundle:
    """Tasks that start together and run alike; with fewer cores than tasks they share them fairly.

    Parameters
    ----------
    position, group : int
        The job, and which of its groups of equal tasks.
    processor, node : int
        Where they run.
    cores : sequence of int
        Their cores, ascending.
    tasks : int
        How many, at least as many as cores.
    operations : float
        Of each task.
    speed : float
        Operations a second of a core that nothing slows down.
    bandwidth : float
        Bytes a second that each task then moves to and from memory.
    begin : float
        When they begin to progress, in seconds.

    Attributes
    ----------
    left : float
        Operations that each task had left at `since`.
    factor : float
        Of the speed, by contention; 0 before the first is known.
    due : float
        When they end at this rate.
    serial : int
        Rises when `due` changes: an end foreseen under another number is void.
    ended, released : float
        When the tasks ended and gave their cores back; NaN until then.
    """

    __slots__ = (
        "bandwidth", "begin", "cores", "due", "ended", "factor", "group", "held_from", "left", "level",
        "node", "position", "processor", "released", "serial", "since", "speed", "tasks",
    )  # fmt: skip

    def __init__(
        self,
        job: tuple[int, int],
        place: tuple[int, int],
        cores: Sequence[int],
        *,
        tasks: int,
        operations: float,
        speed: float,
        bandwidth: float,
        times: tuple[float, float],
        level: int,
    ) -> None:
        self.position, self.group = job
        self.processor, self.node = place
        self.cores = list(cores)
        self.tasks = tasks
        self.left = operations
        self.speed = speed
        self.bandwidth = bandwidth
        self.held_from, self.begin = times
        self.level = level
        self.since = self.begin
        self.factor = 0.0
        self.due = math.inf
        self.serial = 0
        self.ended = self.released = math.nan

    @property
    def running(self) -> float:
        """Tasks that run at once: those beyond the cores wait, or count by their share."""
        return float(min(self.tasks, len(self.cores)))

    @property
    def is_running(self) -> bool:
        """Whether its tasks still have something to do."""
        return math.isnan(self.ended)

    def pace(self, factor: float, now: float) -> bool:
        """Go on with this factor of the speed from `now` on; return whether the end is another one."""
        if factor == self.factor:
            return False
        self._settle(now)
        self.factor = factor
        self.due = self._end(now)
        self.serial += 1
        return True

    def finish(self, now: float) -> None:
        """Let its tasks end now."""
        self.ended = now
        self.serial += 1

    @property
    def outlook(self) -> float:
        """When all its tasks end at this rate, or unslowed if they have not begun, in seconds."""
        return self.due if self.factor else self.begin + self.left / self.speed

    def turn(self, now: float) -> bool:
        """Take what is due now; return whether all tasks have ended."""
        return True

    def _rate(self) -> float:
        """Return operations a second of each task."""
        share = self.running / self.tasks if self.tasks > len(self.cores) else 1.0
        return self.speed * self.factor * share

    def _settle(self, now: float) -> None:
        since = max(self.since, self.begin)
        if self.factor and now > since:
            self.left = max(0.0, self.left - self._rate() * (now - since))
        self.since = max(now, self.begin)

    def _end(self, now: float) -> float:
        return max(now, self.begin) + self.left / self._rate()
