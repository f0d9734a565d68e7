"""Messages: what clusters report, and what the controllers above them want done.

Jobs are named by their positions in the instance, clusters by their indices in the platform.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from echelon.model import Job


class Submitted(NamedTuple):
    """A job has been submitted to the root."""

    position: int


class Started(NamedTuple):
    """A job has started or resumed at a cluster; it pays `switch` seconds before it progresses."""

    position: int
    site: int
    switch: float = 0.0


class Suspended(NamedTuple):
    """A running job waits again at its cluster, and keeps what it has done."""

    position: int
    site: int


class Ended(NamedTuple):
    """A running job has ended at its cluster."""

    position: int
    site: int


class Promised(NamedTuple):
    """A cluster publishes its reservations: the positions and the promised starts of jobs, in its order."""

    site: int
    starts: tuple[tuple[int, float], ...]


Observation: TypeAlias = Submitted | Started | Suspended | Ended | Promised


class Submit(NamedTuple):
    """Submit a job to a cluster."""

    job: Job
    site: int


class Recall(NamedTuple):
    """Remove a job, which waits there, from a cluster."""

    job: Job
    site: int


class Reject(NamedTuple):
    """Refuse a job, which will not run, with the reason."""

    job: Job
    why: str


Effect: TypeAlias = Submit | Recall | Reject
