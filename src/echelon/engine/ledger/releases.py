"""Releases: when jobs join the queue, by the log or by the ends of those they wait for."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.model import Dependencies, Instance


class Releases:
    """The arrivals of one run, by time, as far as they are known.

    A job without predecessors is released when the log submits it. Any other is released at the latest of
    end + delay over its predecessors and, unless it follows, of its own submit time: that is known when the
    last of them ends, and never before that moment.

    Parameters
    ----------
    instance : Instance
        The jobs.

    Notes
    -----
    **Ties**: jobs released at one instant are by position. **Cost**: O(n log n) to make; O(log n) a release.
    """

    def __init__(self, instance: Instance) -> None:
        submit, dependencies = instance.submit_time, instance.dependencies
        free = np.arange(len(instance))
        if dependencies is not None:
            free = np.flatnonzero(np.diff(dependencies.first) == 0)
        # Stable: jobs of one instant arrive in the workload's order.
        free = free[np.argsort(submit[free], kind="stable")]
        self._arrivals: list[int] = free.tolist()
        self._submit_times: list[float] = submit[free].tolist()
        self._next = 0
        self._released: list[tuple[float, int]] = []
        self._held = None if dependencies is None else _Held(instance, dependencies)
        self.next_time = self._next_time()

    def _next_time(self) -> float:
        submission = self._submit_times[self._next] if self._next < len(self._arrivals) else math.inf
        return min(submission, self._released[0][0]) if self._released else submission

    def take(self, now: float) -> list[int]:
        """Return the positions of the jobs released now, in order, each once."""
        first = self._next
        while self._next < len(self._arrivals) and self._submit_times[self._next] == now:
            self._next += 1
        arriving = self._arrivals[first : self._next]
        if self._released and self._released[0][0] == now:
            while self._released and self._released[0][0] == now:
                arriving.append(heappop(self._released)[1])
            arriving.sort()
        self.next_time = self._next_time()
        return arriving

    def note_end(self, position: int, now: float) -> None:
        """Note that the job at `position` has ended now, for any reason."""
        if self._held is not None:
            for successor, time in self._held.release_after(position, now):
                heappush(self._released, (time, successor))
            self.next_time = self._next_time()


class _Held:
    """The jobs that wait for others to end, each with its release as far as it is known."""

    def __init__(self, instance: Instance, dependencies: Dependencies) -> None:
        after = np.argsort(dependencies.predecessor, kind="stable")
        self._successors: list[int] = dependencies.successor[after].tolist()
        self._delays: list[float] = dependencies.delay[after].tolist()
        bounds = np.searchsorted(dependencies.predecessor[after], np.arange(len(instance) + 1))
        self._bounds: list[int] = bounds.tolist()
        self._waiting_for: list[int] = np.diff(dependencies.first).tolist()
        # The latest of its predecessors' ends + delays so far, and of its own submit time if that counts.
        self._release: list[float] = np.where(dependencies.follows, -np.inf, instance.submit_time).tolist()

    def release_after(self, position: int, now: float) -> list[tuple[int, float]]:
        """Note that a job has ended; return the jobs that no longer wait for others, with their releases."""
        ready = []
        for edge in range(self._bounds[position], self._bounds[position + 1]):
            job = self._successors[edge]
            self._release[job] = max(self._release[job], now + self._delays[edge])
            self._waiting_for[job] -= 1
            if not self._waiting_for[job]:
                ready.append((job, self._release[job]))
        return ready
