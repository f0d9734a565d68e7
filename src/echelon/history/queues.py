"""Queues at arrival: the jobs that waited, and their places, when a job joined its cluster's queue."""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.history.stays import Stays


def queues_at_joining(stays: Stays, *, places: int) -> Iterator[tuple[int, int, int]]:
    """Yield (joining job, waiting job, its place from 1) for the first `places` of every queue joined.

    Waiting jobs are in the order in which they joined; they are those of `experiences_of`.

    Cost: O(n log n + rows) for n jobs, and moving a queue up by one when a job leaves it.
    """
    order = stays.order
    for site in np.unique(stays.site).tolist():
        here = order[stays.site[order] == site]
        here = here[stays.queued[here]]
        yield from _of_site(here.tolist(), stays.joined[here].tolist(), stays.start[here].tolist(), places)


def _of_site(
    here: list[int], joined: list[float], start: list[float], places: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the rows of one site, whose jobs `here` are in the order in which they joined."""
    waiting: list[int] = []
    leaving: list[tuple[float, int]] = []
    for rank, job in enumerate(here):
        while leaving and leaving[0][0] <= joined[rank]:
            del waiting[bisect_left(waiting, heappop(leaving)[1])]
        for place, other in enumerate(waiting[:places], 1):
            yield job, here[other], place
        waiting.append(rank)
        heappush(leaving, (start[rank], rank))
