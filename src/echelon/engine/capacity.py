"""Outage: processors or nodes that are down for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.model import Job
from echelon.policies import Running

if TYPE_CHECKING:
    from collections.abc import Sequence


class Outage(NamedTuple):
    """A part of a resource is down in [start, end); its scheduler knows from the start when it comes back.

    To everything that looks ahead it is a holder like a running job, one that is planned to end.

    Attributes
    ----------
    start, end : float
        In seconds.
    nodes : sequence of int
        Numbers of the nodes, where jobs hold cores of nodes.
    processors : int
        How many are down, where they are only counted.
    site : int
        The leaf, by its index in the platform.
    number : int
        Among the outages of a run, from 0.
    """

    start: float
    end: float
    nodes: Sequence[int] = ()
    processors: int = 0
    site: int = 0
    number: int = 0

    def holding(self, size: int) -> Running:
        """Return the outage as a holder of `size` processors, at a position before those of jobs."""
        position = -1 - self.number
        return Running(self.end, position, Job(position, -1, self.start, size, self.end - self.start))
