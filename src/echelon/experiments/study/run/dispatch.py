"""Dispatch: cases to the workers of a pool and outcomes back, whatever becomes of a worker."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.experiments.study.run.chunks import Chunks
from echelon.experiments.study.run.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
                yield from _suspected(finished, suspects, deaths, alone=alone)


def _suspected(
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
