"""Dispatch: cases in chunks to the workers of a pool and outcomes back, whatever becomes of a worker."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.experiments.study.run.case_workload import workload_key
from echelon.experiments.study.run.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.experiments.study.executors.contract import Chunk, Finished, Pool
    from echelon.experiments.study.run.case import Case

AHEAD = 2
"""Chunks a worker has: one at work, one that it takes up without waiting for us."""

MOST_DEATHS = 2
"""A case that took so many workers with it, each alone with it, is given up."""

DEATH = (
    "its worker process was killed {} times while it ran alone: the machine probably has too little memory "
    "for it, see the kernel's log"
)


def outcomes_of(pool: Pool, cases: Sequence[Case]) -> Iterator[Outcome]:
    """Run cases in a pool and yield what became of each, in the order in which they end.

    Parameters
    ----------
    pool : Pool
        Its workers write the runs.
    cases : sequence of Case
        In any order.

    Notes
    -----
    Chunks that were at work when a worker was lost are all suspected. They are run again one at a time, with
    nothing beside them, and part into single cases if one is lost again: so that a case that kills its
    workers is found and given up, and no other is lost.
    """
    chunks = Chunks(cases)
    suspects: deque[Chunk] = deque()
    deaths: Counter[int] = Counter()
    at_work = 0
    while chunks or suspects or at_work:
        if suspects and not at_work:
            pool.start(suspects.popleft())
            at_work, alone = 1, True
        else:
            alone = False
            while chunks and not suspects and at_work < AHEAD * pool.workers:
                pool.start(chunks.take(pool.workers))
                at_work += 1
        for finished in pool.wait():
            at_work -= 1
            if finished.outcomes is not None:
                chunks.learn(finished.outcomes)
                # Those of another process are of copies of the cases.
                for case, outcome in zip(finished.chunk, finished.outcomes, strict=False):
                    yield replace(outcome, case=case)
            else:
                yield from _suspect(finished, suspects, deaths, alone=alone)


def _suspect(
    finished: Finished, suspects: deque[Chunk], deaths: Counter[int], *, alone: bool
) -> Iterator[Outcome]:
    """Have a lost chunk run again, in single cases if it was alone; yield the outcome of a hopeless one."""
    chunk = finished.chunk
    if not alone:
        suspects.append(chunk)
    elif len(chunk) > 1:
        suspects.extendleft((case,) for case in reversed(chunk))
    else:
        deaths[id(chunk[0])] += 1
        if deaths[id(chunk[0])] < MOST_DEATHS:
            suspects.appendleft(chunk)
        else:
            yield Outcome(chunk[0], "", "failed", {}, DEATH.format(MOST_DEATHS))


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
