"""Agenda: when each site of a run next has an event."""

from __future__ import annotations

import math
from heapq import heappop, heappush


class Agenda:
    """The time of each site's next event; only sites whose time changes cost anything.

    Parameters
    ----------
    sites : int
        Number of sites, none of which has an event yet.
    """

    def __init__(self, sites: int) -> None:
        self._times = [math.inf] * sites
        self._heap: list[tuple[float, int]] = []

    def plan(self, site: int, time: float) -> None:
        """Note that the next event of `site` is at `time`, in seconds; infinity if it has none."""
        if time != self._times[site]:
            self._times[site] = time
            if time < math.inf:
                heappush(self._heap, (time, site))

    def first(self) -> float:
        """Return the time of the earliest event, in seconds; infinity if there is none.

        Cost: O(log sites), amortized.
        """
        heap, times = self._heap, self._times
        while heap and times[heap[0][1]] != heap[0][0]:
            heappop(heap)
        return heap[0][0] if heap else math.inf

    def near(self, by: float) -> list[int]:
        """Return the sites with an event by `by`, in seconds, without removing it."""
        heap, sites, at = self._heap, set(), [0]
        while at:
            place = at.pop()
            if place < len(heap) and heap[place][0] <= by:
                time, site = heap[place]
                if self._times[site] == time:
                    sites.add(site)
                at += (2 * place + 1, 2 * place + 2)
        return sorted(sites)

    def time(self, site: int) -> float:
        """Return the time of the next event of `site`, in seconds; infinity if it has none."""
        return self._times[site]

    def take(self, site: int) -> None:
        """Remove the event of `site`."""
        self._times[site] = math.inf
