"""JobStatus: what became of each job of a run in which not all jobs complete."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class JobStatus(IntEnum):
    """What became of a job; a status that is added gets the next number."""

    COMPLETED = 0
    """It had all its run time."""
    KILLED = 1
    """It was cut at its requested time."""
    FAILED_NODE = 2
    """It lost a node, and was not run again."""
    CANCELED_WAITING = 3
    """It was canceled before it started, or while it waited again."""
    CANCELED_RUNNING = 4
    """It was canceled while it ran."""
    DEADLINE = 5
    """It could no longer end before its deadline and left the queue, or was cut at its deadline."""
    HELD = 6
    """It waited for a reservation that ended."""
    EVICTED = 7
    """It ran where maintenance or a reservation began, or longer than its reservation, and was killed."""
    UNFINISHED = 8
    """It still waited or ran when nothing was left that could let it end."""


REASONS: Mapping[JobStatus, str] = {
    JobStatus.FAILED_NODE: "failures of nodes before they started",
    JobStatus.CANCELED_WAITING: "a cancellation before they started",
    JobStatus.DEADLINE: "a deadline that they could no longer meet",
    JobStatus.HELD: "a reservation that ended before they started",
    JobStatus.UNFINISHED: "no processors left to run on",
}
"""Why jobs that never started are left out of a schedule, as a clause after ``12 jobs with``."""
