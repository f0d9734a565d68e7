"""Record: the cores that every task held in a run, and the resulting schedule."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model import Holdings, Schedule, Sleeps
from echelon.model.jobs.columns import read_only

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.nodes.progress.running_group import RunningGroup
    from echelon.model import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Numbers(NamedTuple):
    """The first node, processor and core of a machine among all those of a run."""

    node: int = 0
    processor: int = 0
    core: int = 0


ALONE = Numbers()
"""The numbers of the only machine of a run."""


class Kept(NamedTuple):
    """A group whose cores have been released, and the numbers of its machine."""

    group: RunningGroup
    numbers: Numbers

    @property
    def cores(self) -> list[int]:
        """Its cores, as numbered through the run, ascending."""
        first = self.numbers.core
        return [first + core for core in self.group.cores] if first else self.group.cores


class Record:
    """Groups that have ended, and the end of each job, on one machine or on several sites with nodes.

    Parameters
    ----------
    jobs : int
        The jobs of the instance.
    """

    def __init__(self, jobs: int) -> None:
        self._groups: list[Kept] = []
        self._sleeps: list[tuple[int, float, float]] = []
        self._may_sleep = False
        self._ends = np.full(jobs, np.nan)
        self._cut = np.zeros(jobs, dtype=np.bool_)
        self._ran: dict[int, float] = {}

    def keep(self, group: RunningGroup, numbers: Numbers) -> None:
        """Keep a group whose cores have been released, on the machine of these `numbers`."""
        self._groups.append(Kept(group, numbers))

    def note_end(self, position: int, now: float, *, cut: bool) -> None:
        """Note that a job has ended now, cut at its request or not."""
        self._ends[position] = now
        self._cut[position] = cut

    def note_run_time(self, position: int, run_time: float) -> None:
        """Note how long a job ran, in seconds, in all its attempts together and without switches."""
        self._ran[position] = run_time

    def note_sleeps(self, log: Iterable[tuple[int, float, float]]) -> None:
        """Note when nodes of a machine were off, as `Sleeping.log` says."""
        self._may_sleep = True
        self._sleeps += log

    def schedule(self, plain: Schedule) -> Schedule:
        """Return the schedule with its outcome: actual run times, sizes, ends, holdings and sleeps."""
        end = read_only(np.where(np.isnan(self._ends), plain.end_time, self._ends))
        happened = self._record_outcome(plain, end)
        recorded = plain.recorded and plain.recorded.with_killed(happened.killed)
        return replace(
            plain,
            instance=happened,
            end=end,
            recorded=recorded,
            holdings=self.holdings(),
            sleeps=self._sort_sleeps(),
        )

    def _sort_sleeps(self) -> Sleeps | None:
        """Return when nodes were off, in order of time; None if none can be switched off."""
        if not self._may_sleep:
            return None
        rows = sorted(self._sleeps, key=lambda row: (row[1], row[0]))
        nodes, starts, wakes = zip(*rows, strict=True) if rows else ((), (), ())
        return Sleeps(np.array(nodes, dtype=np.int64), np.array(starts), np.array(wakes))

    def holdings(self) -> Holdings:
        """Return the holdings of all tasks, by job, then start, then lowest core."""
        rows = sorted(
            self._groups, key=lambda kept: (kept.group.position, kept.group.held_from, kept.cores[0])
        )
        groups = [kept.group for kept in rows]
        first = np.concatenate(([0], np.cumsum([len(group.cores) for group in groups])))
        return Holdings(
            job=_whole(group.position for group in groups),
            group=_whole(group.group_index for group in groups),
            processor=_whole(kept.numbers.processor + kept.group.processor for kept in rows),
            tasks=_whole(group.tasks for group in groups),
            first_core=first.astype(np.int64),
            cores=_whole(core for kept in rows for core in kept.cores),
            start=_real(group.held_from for group in groups),
            # A job cut before its nodes were ready never began.
            begin=_real(min(group.begin, group.ended) for group in groups),
            end=_real(group.ended for group in groups),
            release=_real(group.released for group in groups),
            level=_whole(group.level for group in groups),
            speed=_real(group.speed for group in groups),
            bandwidth=_real(group.bandwidth for group in groups),
        )

    def _record_outcome(self, plain: Schedule, end: FloatColumn) -> Instance:
        fixed = plain.instance.run_time
        # Fixed run times return to the last bit; end minus start may not.
        keeps = np.isnan(self._ends) | (plain.start_time + fixed == end)
        run = np.where(keeps, fixed, end - plain.start_time)
        for position, run_time in self._ran.items():
            run[position] = run_time
        killed = plain.instance.killed | self._cut
        size = self._count_cores(plain.instance.size)
        run, killed, size = map(read_only, (run, killed, size))
        return replace(plain.instance, run_time=run, killed=killed, size=size)

    def _count_cores(self, asked: IntColumn) -> IntColumn:
        """Return the number of cores of each job: the number requested, or fewer if its tasks took turns."""
        if all(kept.group.tasks == len(kept.group.cores) for kept in self._groups):
            return asked
        held: dict[tuple[int, float], set[int]] = defaultdict(set)
        for kept in self._groups:
            held[kept.group.position, kept.group.held_from].update(kept.cores)
        cores = np.zeros(len(asked), dtype=np.int64)
        for (position, _), numbers in held.items():
            cores[position] = max(cores[position], len(numbers))
        return np.where(np.isnan(self._ends), asked, cores)


def _whole(values: Iterable[int]) -> IntColumn:
    return np.fromiter(values, dtype=np.int64)


def _real(values: Iterable[float]) -> FloatColumn:
    return np.fromiter(values, dtype=np.float64)
