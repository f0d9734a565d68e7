"""ProgressModel: how fast what runs somewhere runs, and so when it ends; perhaps after a fixed time."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.model import Job


class ProgressModel:
    """When running jobs end, whatever decides how fast they run.

    What is here is all that a leaf asks. Where every job starts at once and none waits again, it asks only
    for the next time and for what is due: there jobs start and go as they take and give a resource.

    Attributes
    ----------
    blur : float
        Largest difference of ENDs of one instant, in spacings of float64 numbers: 0 if ENDs are exact.
    """

    blur = 0.0

    def start(self, job: Job, end: float, switch: float) -> None:
        """Let `job`, dispatched now, run when it has paid its switch.

        Parameters
        ----------
        job : Job
            It holds what it runs on.
        end : float
            Its end if it runs for its run time, in seconds.
        switch : float
            How long it pays before it progresses, in seconds.
        """
        raise NotImplementedError

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """Return the time of the next event, of what runs or at one of the other times, in seconds.

        Parameters
        ----------
        other : float
            When something else happens, in seconds; infinity if nothing does.
        planned : iterable of float, default none
            When jobs are planned to end, in seconds: these are subject to rounding, as ends are.
        """
        raise NotImplementedError

    def jobs_due(self, now: float) -> list[int]:
        """Return the positions of the jobs that are complete or cut now."""
        raise NotImplementedError

    def settle(self, now: float) -> object:
        """Let what runs continue at its new rate, after all changes of this instant."""

    def outlook(self, position: int) -> float:
        """Return when a running job ends if its rate stays as it is, in seconds."""
        raise NotImplementedError

    def is_over(self, position: int, now: float) -> bool:
        """Return whether a running job ends now, though its END has not been applied yet."""
        raise NotImplementedError

    def end(self, job: Job, now: float) -> float:
        """Let running `job` end now; return how long it ran, in seconds."""
        raise NotImplementedError

    def suspend(self, job: Job, now: float) -> tuple[Job | None, float | None]:
        """Let running `job` wait again.

        Returns
        -------
        left : Job or None
            With the planned time and the tasks that it has left; None if its planned time less its progress.
        progress : float or None
            How long it has progressed since its dispatch, in seconds; None if since it paid its switch.
        """
        return None, None

    def abandon(self, job: Job, now: float) -> float | None:
        """Let running `job` wait again, from the beginning or from where it was saved.

        Returns
        -------
        float or None
            How long it has progressed since it last lost its work, in seconds of its run time; None: for as
            long as it has held processors since then.
        """
        return None


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

    def jobs_due(self, now: float) -> list[int]:
        """See `ProgressModel.jobs_due`; in order of dispatch."""
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
