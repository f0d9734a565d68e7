"""In which order the thesis' program takes jobs that arrive together, and which cores they get by it.

Source: a branch of the public repository irmasim/IRMaSim, which holds an early state of the thesis' program
and of its traces. Sequential jobs and single MPI tasks wait in a binary heap by arrival, so equal arrivals
leave it in the order that sifting makes of them; then they are sorted by requested time, 10 s of sequential
jobs and 15 s of MPI tasks.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce.irmasim.setups import StudyJob


class _Unit:
    """A sequential job, or one task of an MPI job; all arrive together, so none is less than another."""

    def __init__(self, job: int, cores: int, *, sequential: bool) -> None:
        self.job, self.cores, self.sequential = job, cores, sequential

    def __lt__(self, other: _Unit) -> bool:
        return False


def queue_order(jobs: Sequence[StudyJob]) -> list[int]:
    """Return the number of the job of each unit that waits, from 1, in the order in which units are taken.

    Examples
    --------
    >>> from echelon.reproduce.irmasim.setups import mpi, sequential
    >>> queue_order([sequential(4), mpi(4), mpi(2)])
    [1, 3, 2, 3, 2, 2, 2]
    """
    return [unit.job for unit in _take_units(jobs)]


def job_order(jobs: Sequence[StudyJob]) -> list[int]:
    """Return the jobs in the order in which the first unit of each is taken."""
    return list(dict.fromkeys(queue_order(jobs)))


def cores_in_order(jobs: Sequence[StudyJob]) -> dict[int, tuple[int, ...]]:
    """Return the cores of each job if cores are handed out by number, of jobs that all fit at once."""
    cores: dict[int, tuple[int, ...]] = {}
    first = 0
    for unit in _take_units(jobs):
        cores[unit.job] = (*cores.get(unit.job, ()), *range(first, first + unit.cores))
        first += unit.cores
    return dict(sorted(cores.items()))


def _take_units(jobs: Sequence[StudyJob]) -> list[_Unit]:
    heap = [unit for number, job in enumerate(jobs, 1) for unit in _units(number, job)]
    heapq.heapify(heap)
    popped = [heapq.heappop(heap) for _ in range(len(heap))]
    return sorted(popped, key=lambda unit: not unit.sequential)


def _units(number: int, job: StudyJob) -> list[_Unit]:
    tasks = job.demand.tasks
    if job.demand.sequential:
        return [_Unit(number, tasks, sequential=True)]
    return [_Unit(number, 1, sequential=False) for _ in range(tasks)]
