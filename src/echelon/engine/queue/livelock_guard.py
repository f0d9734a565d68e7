"""LivelockGuard: stops a run in which only decisions of its rules happen. All such limits are here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_DECISIONS = 100
"""Decisions per waiting job in one cycle: of a scheduler three make sense, of a global queue one."""

MOST_DISPATCHES = 10
"""Decisions per job and site in one cycle of a dispatcher: two make sense."""

MOST_FRUITLESS = 1000
"""Preemptions of jobs that have not progressed, or cancellations of copies, each job's between two events."""

MOST_WAKES = 1_000_000
"""Most cycles that a rule may request between two events: at one per second, more than eleven days."""

MOST_IDLE = 100_000
"""The same on idle machines when no further job will be submitted."""

MOST_IN_VAIN = 100_000
"""Consecutive changes of the owners of shared nodes without progress, while jobs are in the system."""

MOST_RESERVATIONS = 1000
"""Consecutive reservations that fall due without progress, when owners change no more."""


class LivelockGuard:
    """Counts cycles of a rule since the last event, END or SUBMIT, and stops runs that would not end.

    Without preemption and copies every cycle follows from an event, and events are limited. A rule that takes
    decisions back or wakes up can cause cycles without end.

    Parameters
    ----------
    refuse : callable (str)
        Raises the error of the rule.
    """

    def __init__(self, refuse: Callable[[str], object]) -> None:
        self._refuse = refuse
        self._wakes = self._idle = self._vain = 0

    def event(self, vain: int) -> None:
        """Start counting again: something happens now; `vain` decisions of the run so far were taken back."""
        self._wakes = self._idle = 0
        self._vain = vain

    def started(self) -> None:
        """Note that a job has started."""
        self._idle = 0

    def wake(self, *, idle: bool) -> None:
        """Count a cycle without an event; `idle` says whether no job runs.

        Raises
        ------
        PolicyError
            If there were too many of them.
        """
        self._wakes += 1
        self._idle += idle
        if self._wakes > MOST_WAKES:
            self._refuse(
                f"requests more than {MOST_WAKES:,} cycles without an end or submission between; "
                "let it wake less often"
            )

    def is_vain(self, vain: int, jobs: int) -> bool:
        """Return whether too many decisions on so many jobs were taken back; `vain` in the run so far."""
        return vain - self._vain > MOST_FRUITLESS * jobs

    def has_tried(self, jobs: int) -> bool:
        """Return whether the rule has woken up more often than for each of so many jobs, and none started."""
        return self._idle > jobs

    @property
    def is_lost(self) -> bool:
        """Whether the rule has woken up for nothing all too often while no job ran."""
        return self._idle > MOST_IDLE
