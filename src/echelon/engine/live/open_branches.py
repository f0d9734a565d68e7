"""OpenBranches: which clusters take jobs at present, and so which branches of inner sites jobs may go to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class OpenClusters:
    """Which clusters take which jobs at present.

    Attributes
    ----------
    closed : set of int
        Clusters that take no jobs.
    refused : dict of int to set of int
        Clusters that have refused a job, by its position.
    """

    def __init__(self) -> None:
        self.closed: set[int] = set()
        self.refused: dict[int, set[int]] = {}

    def takes(self, position: int, cluster: int) -> bool:
        """Return whether a cluster takes a job."""
        return cluster not in self.closed and cluster not in self.refused.get(position, ())


class OpenBranches(list[Sequence[int]]):
    """The branches of one inner site that each job may go to, without those that take it nowhere at present.

    Parameters
    ----------
    allowed : sequence of sequence of int
        Those that it may go to whatever is open, by position.
    clusters : OpenClusters
        What is open.
    below : sequence of int or OpenBranches
        What each branch is: a cluster, or the branches of another inner site.
    """

    def __init__(
        self,
        allowed: Sequence[Sequence[int]],
        clusters: OpenClusters,
        below: Sequence[int | OpenBranches],
    ) -> None:
        super().__init__(allowed)
        self._clusters, self._below = clusters, below

    def __getitem__(self, position: Any) -> Any:  # noqa: ANN401  (as of a list)
        """Return the open branches of the job at `position`."""
        places = super().__getitem__(position)
        if not (self._clusters.closed or position in self._clusters.refused):
            return places
        return [place for place in places if self._is_open(position, place)]

    def _is_open(self, position: int, place: int) -> bool:
        branch = self._below[place]
        if isinstance(branch, OpenBranches):
            return len(branch[position]) > 0
        return self._clusters.takes(position, branch)

    def any_left(self, position: int) -> bool:
        """Return whether some cluster, open or closed, has not refused a job."""
        refused, places = self._clusters.refused.get(position, ()), super().__getitem__(position)
        return any(
            branch.any_left(position) if isinstance(branch, OpenBranches) else branch not in refused
            for branch in (self._below[place] for place in places)
        )
