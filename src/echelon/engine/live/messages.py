"""Messages: what is reported to the controllers of a tree, and what they want done.

Jobs are named by their positions in the instance, clusters by their indices in the platform.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from echelon.model import Job


class Submitted(NamedTuple):
    """A job has been submitted to the root. It waits there until all its predecessors have ended.

    Attributes
    ----------
    never : tuple of int
        Clusters that it may not go to. If no other can hold it, it is rejected.
    """

    position: int
    never: tuple[int, ...] = ()


class Canceled(NamedTuple):
    """A job is not wanted any more."""

    position: int


class Joined(NamedTuple):
    """A job has been submitted to a cluster directly; no controller has chosen it."""

    position: int
    site: int


class Started(NamedTuple):
    """A job has started or resumed at a cluster.

    Attributes
    ----------
    switch : float
        Seconds that it pays before it progresses.
    at : float, optional
        When, in seconds, not after the step; default: now.
    """

    position: int
    site: int
    switch: float = 0.0
    at: float | None = None


class Suspended(NamedTuple):
    """A running job waits again at its cluster, and keeps what it has done."""

    position: int
    site: int


class Requeued(NamedTuple):
    """A running job waits again at its cluster, and has lost what it has done."""

    position: int
    site: int


class Ended(NamedTuple):
    """A job has ended at its cluster, for any reason; perhaps it never ran."""

    position: int
    site: int


class Refused(NamedTuple):
    """A cluster does not take a job that was to be submitted there."""

    position: int
    site: int
    why: str = "refused"


class Reserved(NamedTuple):
    """A cluster publishes its reservations: the positions and the reserved starts of jobs, in its order."""

    site: int
    starts: tuple[tuple[int, float], ...]


class Resized(NamedTuple):
    """A cluster has so many processors now."""

    site: int
    processors: int


class Closed(NamedTuple):
    """A cluster takes no further jobs: it is drained, or it does not answer."""

    site: int


class Opened(NamedTuple):
    """A cluster takes jobs again."""

    site: int


Observation: TypeAlias = (
    Submitted
    | Canceled
    | Joined
    | Started
    | Suspended
    | Requeued
    | Ended
    | Refused
    | Reserved
    | Resized
    | Closed
    | Opened
)


class Submit(NamedTuple):
    """Submit a job to a cluster."""

    job: Job
    site: int


class Recall(NamedTuple):
    """Remove a job, which waits there, from a cluster."""

    job: Job
    site: int


class Stop(NamedTuple):
    """End a job that runs at a cluster."""

    job: Job
    site: int


class Reject(NamedTuple):
    """Refuse a job, which will not run, with the reason."""

    job: Job
    why: str


Effect: TypeAlias = Submit | Recall | Stop | Reject
