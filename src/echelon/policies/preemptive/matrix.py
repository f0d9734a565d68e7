"""Matrix: rows of jobs that fit side by side, and the row whose turn it is. Ousterhout's, without columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Job
    from echelon.policies.contract import SystemView


@dataclass(slots=True)
class Matrix:
    """The rows of one run, the running one first, the others in the order of their turns.

    Attributes
    ----------
    rows : list of list of Job
        No row is empty, none holds more processors than there are.
    turn_ends : float
        When the running row has had its quantum, in seconds.
    turn_is_lost : bool
        Whether the row that had the turn is gone, or none had one yet: the first row is the next.
    """

    rows: list[list[Job]] = field(default_factory=list)
    turn_ends: float = -math.inf
    turn_is_lost: bool = True
    _placed: dict[int, Job] = field(default_factory=dict)

    def remove_ended(self, view: SystemView) -> None:
        """Remove jobs that have ended or gone elsewhere, and rows that become empty.

        A job that has come back with other tasks is placed like a new one.
        """
        there = {job.position: job for job in view.queue}
        there |= {other.position: other.job for other in view.running}
        if all(there.get(position) is job for position, job in self._placed.items()):
            return
        self._placed = {
            position: there[position]
            for position, job in self._placed.items()
            if position in there and there[position].processors == job.processors
        }
        placed = self._placed
        left = [[placed[job.position] for job in row if job.position in placed] for row in self.rows]
        self.turn_is_lost |= not left[0]
        self.rows = [row for row in left if row]

    def place(self, job: Job, have_room: Callable[[Sequence[Job]], bool]) -> None:
        """Put a new `job` into the first row whose jobs `have_room` with it, else into a new last row."""
        if job.position in self._placed:
            return
        self._placed[job.position] = job
        for row in self.rows:
            if have_room([*row, job]):
                row.append(job)
                return
        self.rows.append([job])

    def renew(self, now: float, quantum: float) -> None:
        """Advance the turns that needed no wake-up, up to the turn that contains `now`."""
        if not self.turn_is_lost and now > self.turn_ends:
            self.turn_ends += math.ceil((now - self.turn_ends) / quantum) * quantum

    def next_turn(self) -> None:
        """Give the turn to the next row; the row that had it, if it still exists, becomes the last."""
        if not self.turn_is_lost:
            self.rows.append(self.rows.pop(0))
        self.turn_is_lost = False
