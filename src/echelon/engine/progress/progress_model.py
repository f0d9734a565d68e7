"""ProgressModel: how fast what runs somewhere runs, and so when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

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

    def due(self, now: float) -> list[int]:
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
