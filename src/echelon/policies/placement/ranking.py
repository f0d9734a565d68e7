"""Ranking: the cores of a machine in a resource order, kept as runs of cores that stay together."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.placement.contract import Room


@dataclass(frozen=True, slots=True)
class Runs:
    """Neighboring cores in one node that a resource order distinguishes only by their numbers.

    Parameters
    ----------
    node : IntColumn, shape (n_runs,)
        Node of each run.
    first, stop : IntColumn, shape (n_runs,)
        Its first core, and the one after its last.
    whole : bool
        Whether every node is one run.
    """

    node: IntColumn
    first: IntColumn
    stop: IntColumn
    whole: bool

    @classmethod
    def of(cls, hardware: Hardware, columns: Sequence[NDArray[np.generic]]) -> Runs:
        """Return the runs of cores of one node that are equal in all `columns`, each of shape (n_cores,)."""
        node = hardware.node_of_core
        differs = np.zeros(hardware.cores, dtype=np.bool_)
        differs[0] = True
        for column in (node, *columns):
            differs[1:] |= column[1:] != column[:-1]
        first = np.flatnonzero(differs)
        stop = np.append(first[1:], hardware.cores)
        return cls(node[first], first, stop, len(first) == len(hardware.nodes))

    def rank(self, keys: FloatColumn) -> Ranking:
        """Return these runs by their keys, lowest first, ties by core number. Cost: O(runs log runs)."""
        order = np.argsort(keys, kind="stable")
        return Ranking(self.node[order], self.first[order], self.stop[order], self.whole)


@dataclass(frozen=True, slots=True)
class Ranking(Runs):
    """Runs in a resource order: all cores of one come before those of the next, ascending in each.

    Notes
    -----
    Where every node is one run nothing here looks at a core before its node is chosen.
    """

    @classmethod
    def of_cores(cls, hardware: Hardware, cores: IntColumn, keys: FloatColumn) -> Ranking:
        """Return only these cores by their keys, each as a separate run; `cores` ascend."""
        order = cores[np.argsort(keys, kind="stable")]
        return cls(hardware.node_of_core[order], order, order + 1, whole=False)

    def nodes(self, usable: NDArray[np.bool_], room: Room) -> Iterator[int]:
        """Yield the `usable` nodes that have an idle core, by the first of them in this order."""
        runs = np.flatnonzero(usable[self.node])
        if self.whole:
            yield from map(int, self.node[runs])
            return
        seen: set[int] = set()
        for run in runs.tolist():
            node = int(self.node[run])
            if node not in seen and self._idle(run, room.idle(node)):
                seen.add(node)
                yield node

    def cores(self, node: int, room: Room) -> Sequence[int]:
        """Return the idle cores of `node` in this order."""
        idle = room.idle(node)
        if self.whole:
            return idle
        return [core for run in np.flatnonzero(self.node == node).tolist() for core in self._idle(run, idle)]

    def idle_cores(self, usable: NDArray[np.bool_], room: Room) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield each run of the `usable` nodes, as its node and its idle cores, in this order."""
        for run in np.flatnonzero(usable[self.node]).tolist():
            node = int(self.node[run])
            yield node, room.idle(node) if self.whole else self._idle(run, room.idle(node))

    def _idle(self, run: int, idle: Sequence[int]) -> Sequence[int]:
        return idle[bisect_left(idle, self.first[run]) : bisect_left(idle, self.stop[run])]


def idle_cores(room: Room, nodes: NDArray[np.bool_]) -> IntColumn:
    """Return the cores that a room names as idle of these nodes, ascending. Cost: O(nodes + idle cores)."""
    named = [room.idle(node) for node in np.flatnonzero(nodes).tolist()]
    return np.fromiter(chain.from_iterable(named), np.int64, sum(map(len, named)))
