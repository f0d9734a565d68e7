"""LocalLoad: the local load of nodes during a run, and how much jobs slow the owners down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model import OwnerDelays
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from echelon.engine.multicluster.shared_rates import SharedRates
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.execution.time_shared import TimeShared
    from echelon.model import LocalChange


class LocalLoad:
    """Applies the changes of the local load, and sums the slowdown of the owners' system calls.

    While m tasks that want the processor for shares u_1 ... u_m of their time run beside an owner at work on
    a node of n processors, a system call of the owner finds (u_1 + ... + u_m) / n others before it on
    average, so it takes 1 + that many times as long; at most 1 / (1 - c) if the contract leaves tasks no more
    than the share c < 1 of the processors then. If the memory demand exceeds the node's memory, that times
    the slowdown by paging.

    Parameters
    ----------
    nodes : SharedNodes
        The nodes of the owners.
    changes : iterator of LocalChange
        Changes by time, perhaps without end.
    pace : SharedRates
        The pace of the jobs.
    execution : TimeShared
        The model of speed.

    Raises
    ------
    InputError
        If a change is out of order, names a node that does not exist, or is out of range.

    Notes
    -----
    **Source**: the M-CISNE thesis measures system calls (equation 4.3); that they queue fairly is our
    assumption.
    """

    def __init__(
        self, nodes: SharedNodes, changes: Iterator[LocalChange], pace: SharedRates, execution: TimeShared
    ) -> None:
        self._nodes, self._changes, self._pace, self._execution = nodes, changes, pace, execution
        self._last = -math.inf
        self._next = self._read()
        self._active = np.zeros(len(nodes))
        self._delayed = np.zeros(len(nodes))
        self._since = np.full(len(nodes), -math.inf)
        self._slowdown = np.ones(len(nodes))
        self.begun = False

    def next_time(self) -> float:
        """Return the time of the next change of an owner, in seconds; infinity if there is none."""
        return math.inf if self._next is None else self._next.time

    def take_changes(self, now: float) -> set[int]:
        """Apply the changes up to now; return the nodes concerned."""
        concerned = set()
        while self._next is not None and self._next.time <= now:
            _, site, place, use = self._next
            node = self._nodes.first[site] + place
            self._count(node, now)
            self._nodes.use_by_owner(node, use)
            concerned.add(node)
            self._next = self._read()
        return concerned

    def _read(self) -> LocalChange | None:
        """Return the next change; errors of a user's own model are reported as its errors."""
        call, field = "changes(platform, seed)", "local users"
        with Guard(lambda failure: InputError(f"{call} fail with {failure}", field=field)):
            change = next(self._changes, None)
            problem = None if change is None else self._problem(change)
        if problem is not None:
            raise InputError(problem, field=field)
        if change is not None:
            self._last = change.time
        return change

    def _problem(self, change: LocalChange) -> str | None:
        """Return what is wrong with a change, or None."""
        time, site, place, use = change
        if not (math.isfinite(time) and time >= self._last):
            return f"changes must come by finite time, got one at {time!r} s after one at {self._last:g} s"
        if not (0 <= site < len(self._nodes.clusters) and 0 <= place < len(self._nodes.clusters[site])):
            return f"change node {place!r} of site {site!r}, which is not there"
        if not (0 <= use.cpu <= 1 and 0 <= use.memory <= 1 and 0 <= use.network < math.inf):
            return f"take shares of processors and memory from 0 to 1 and finite traffic >= 0, got {use!r}"
        return None

    def begin(self, now: float) -> None:
        """Begin to measure: the first job is submitted now."""
        self.begun = True
        self._since[:] = now

    def note(self, nodes: Iterable[int], now: float) -> None:
        """Take note of what runs beside the owners of these nodes from now on."""
        for node in nodes:
            self._count(node, now)
            self._slowdown[node] = self._of(node)

    def delays(self, now: float) -> OwnerDelays:
        """Return the sums up to now."""
        for node in range(len(self._nodes)):
            self._count(node, now)
        site = np.array(self._nodes.site_of, dtype=np.int64)
        place = np.arange(len(self._nodes)) - np.array(self._nodes.first)[site]
        return OwnerDelays(site, place, self._active, self._delayed)

    def _count(self, node: int, now: float) -> None:
        if not self.begun:
            return
        if self._nodes.use[node].is_active:
            time = now - self._since[node]
            self._active[node] += time
            self._delayed[node] += time * self._slowdown[node]
        self._since[node] = now

    def _of(self, node: int) -> float:
        running = self._pace.running
        ahead = sum(running[position].computing for position in self._nodes.jobs[node])
        slowdown = 1.0 + ahead / float(self._nodes.all_processors[node])
        share = float(self._nodes.cpu_ceiling[node] / self._nodes.all_processors[node])
        if share < 1.0:
            slowdown = min(slowdown, 1.0 / (1.0 - share))
        return slowdown * self._execution.memory_slowdown(self._nodes.overfull(node))
