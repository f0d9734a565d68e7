"""Entry: a job as the controllers know it, with its place in the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job


class Place(Enum):
    """Where a job is."""

    APART = auto()
    """Not in the engine yet: it waits for others to end."""
    ROOT = auto()
    """At the controllers, for a decision."""
    WAITING = auto()
    """In the queue of its cluster."""
    RUNNING = auto()
    GONE = auto()
    """It has ended, or left."""


@dataclass(slots=True, eq=False)
class Entry:
    """One stay of a job in the engine: if it comes back after it has left, that is another entry.

    Attributes
    ----------
    job : Job
        Its properties; its position there is not used.
    id : str
        The service's id; of a job of others, the cluster and its number there.
    is_own : bool, default True
        Whether it is a job of the service.
    position : int
        In the engine's instance; another one after compaction.
    place : Place
        Where it is.
    site : int
        Its cluster, -1 if there is none.
    since : float
        When it came, in the engine's seconds: the order of queues.
    started_at : float, optional
        When it started, in the engine's seconds.
    never : frozenset of int
        Clusters that may not run it.
    refusals : dict of int to str
        Clusters that have refused it, with their reasons.
    lesson : Job, optional
        What an estimator was asked about.
    decisions : int
        How often a cluster has been chosen for it.
    """

    job: Job
    id: str
    is_own: bool = True
    position: int = -1
    place: Place = Place.APART
    site: int = -1
    since: float = 0.0
    started_at: float | None = None
    never: frozenset[int] = frozenset()
    refusals: dict[int, str] = field(default_factory=dict)
    lesson: Job | None = None
    decisions: int = 0

    def renew(self) -> Entry:
        """Return an entry of the same job, which comes back: what has refused it is not forgotten."""
        entry = Entry(self.job, self.id, self.is_own, never=self.never, refusals=self.refusals)
        entry.lesson, entry.decisions = self.lesson, self.decisions
        return entry

    @property
    def is_at_cluster(self) -> bool:
        """Whether it waits or runs at a cluster."""
        return self.place in (Place.WAITING, Place.RUNNING)
