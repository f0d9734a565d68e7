"""FixedEnds: jobs end a fixed time after their dispatch."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from echelon.engine.progress.progress_model import ProgressModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.model import Job


class FixedEnds(ProgressModel):
    """Run times that nothing else changes; a preempted job has no end until it is dispatched again.

    Parameters
    ----------
    dispatches : Dispatches
        The dispatches of the run: an end of an earlier dispatch is void.

    Notes
    -----
    `echelon.engine.progress.agenda.Agenda` would do; the number of a dispatch tells as much without a table
    of its own, and ENDs are most of what happens in a long run.
    """

    def __init__(self, dispatches: Dispatches) -> None:
        self._dispatches, self._serial = dispatches, dispatches.serial
        # Time, number of the job's dispatch, and its position.
        self._ends: list[tuple[float, int, int]] = []

    def start(self, job: Job, end: float, switch: float) -> None:
        """See `ProgressModel.start`."""
        heappush(self._ends, (end, self._serial[job.position], job.position))

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`."""
        ends, serial = self._ends, self._serial
        while ends and serial[ends[0][2]] != ends[0][1]:
            heappop(ends)
        if ends and ends[0][0] < other:
            other = ends[0][0]
        return min(other, *planned) if planned else other

    def due(self, now: float) -> list[int]:
        """See `ProgressModel.due`; in order of dispatch."""
        ends, serial, due = self._ends, self._serial, []
        while ends and ends[0][0] == now:
            _, dispatch, position = heappop(ends)
            if serial[position] == dispatch:
                due.append(position)
        return due

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`."""
        return self._dispatches.end(position)

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`."""
        return self._dispatches.end(position) <= now

    def end(self, job: Job, now: float) -> float:
        """See `ProgressModel.end`."""
        return self._dispatches.run_time[job.position]
