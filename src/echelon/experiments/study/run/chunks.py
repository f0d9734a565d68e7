"""Chunks: how many cases go to a worker at a time, and which next."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from echelon.experiments.study.run.case_workload import workload_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.experiments.study.executors.contract import Chunk
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome

TARGET = 0.5
"""Seconds that a chunk should take: sending one takes a thousandth of that."""

GROWTH = 4
"""A chunk is at most so many times as long as the one before."""


class Chunks:
    """Cases parted into chunks, workload by workload, as long as is good by the pace so far.

    A chunk should take `TARGET` seconds, and at the end leave work for all workers: none takes more than a
    fourth of a worker's share of what is left. The first chunks are one case each.

    Parameters
    ----------
    cases : sequence of Case
        In any order.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self._left = deque(by_workload(cases))
        self._size = 1
        self._pace: float | None = None

    def __bool__(self) -> bool:
        """Return whether cases are left."""
        return bool(self._left)

    def take(self, workers: int) -> Chunk:
        """Return the next chunk; at least one case is left."""
        size = max(1, min(self._size, len(self._left) // (4 * workers)))
        return tuple(self._left.popleft() for _ in range(min(size, len(self._left))))

    def learn(self, outcomes: Iterable[Outcome]) -> None:
        """Learn the pace from a chunk that has finished."""
        seconds = [outcome.seconds for outcome in outcomes]
        if not seconds:
            return
        pace = sum(seconds) / len(seconds)
        self._pace = pace if self._pace is None else (self._pace + pace) / 2
        self._size = max(1, min(GROWTH * self._size, int(TARGET / max(self._pace, 1e-6))))


def by_workload(cases: Sequence[Case]) -> list[Case]:
    """Return the cases with those of one workload together, which a worker then reads once.

    Workloads come in the order of their first cases, and so do the cases of each.
    """
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(workload_key(case.settings), []).append(case)
    return [case for group in groups.values() for case in group]
