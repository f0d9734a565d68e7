"""LivelockGuard: stops a run in which only decisions of its policy happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import PolicyError

if TYPE_CHECKING:
    from echelon.engine.cluster import Cluster

MOST_FRUITLESS = 1000
"""Preemptions of jobs that have not progressed, each job's in the system, between two events."""

MOST_WAKES = 1_000_000
"""Most cycles that a policy may request between two events: at one per second, more than eleven days."""

MOST_IDLE = 100_000
"""The same on an idle machine when no further job will be submitted."""


class LivelockGuard:
    """Counts decisions of a policy since the last event, END or SUBMIT, and stops runs that would not end.

    Without preemption every cycle follows from an event, and events are limited. A policy that preempts or
    wakes up can cause cycles without end.

    Parameters
    ----------
    cluster : Cluster
        The cluster of the run.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._fruitless = self._wakes = self._idle = 0

    def event(self) -> None:
        """Start counting again: something happens at this time."""
        self._fruitless, self._wakes = self._cluster.dispatches.fruitless, 0
        self._idle = 0

    def started(self) -> None:
        """Note that the machine is not idle."""
        self._idle = 0

    def wake(self) -> None:
        """Count a scheduling cycle without an event.

        Raises
        ------
        PolicyError
            If there were too many of them, or too many preemptions in vain.
        """
        cluster = self._cluster
        self._wakes += 1
        self._idle += not cluster.running
        there = len(cluster.waiting) + len(cluster.running)
        if cluster.dispatches.fruitless - self._fruitless > MOST_FRUITLESS * there:
            self._refuse(
                f"preempts jobs before they progress, {MOST_FRUITLESS} times each without an end or "
                "submission between; let a job run longer than its switch"
            )
        if self._wakes > MOST_WAKES:
            self._refuse(
                f"requests more than {MOST_WAKES:,} cycles without an end or submission between; "
                "let it wake less often"
            )

    @property
    def is_lost(self) -> bool:
        """Whether the policy has woken up for nothing all too often on an idle machine."""
        return self._idle > MOST_IDLE

    def _refuse(self, broken_rule: str) -> None:
        cluster = self._cluster
        raise PolicyError(cluster.policy.name, time=cluster.now, job_id=None, broken_rule=broken_rule)
