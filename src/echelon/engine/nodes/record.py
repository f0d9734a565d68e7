"""Record: the cores that every task held in a run, and the resulting schedule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Holdings, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.nodes.running_group import RunningGroup
    from echelon.model import Instance, Sleeps
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Record:
    """Groups that have ended, and the end of each job.

    Parameters
    ----------
    jobs : int
        The jobs of the instance.
    """

    def __init__(self, jobs: int) -> None:
        self._groups: list[RunningGroup] = []
        self._ends = np.full(jobs, np.nan)
        self._cut = np.zeros(jobs, dtype=np.bool_)

    def keep(self, group: RunningGroup) -> None:
        """Keep a group whose cores have been released."""
        self._groups.append(group)

    def ended(self, position: int, now: float, *, cut: bool) -> None:
        """Note that a job has ended now, cut at its request or not."""
        self._ends[position] = now
        self._cut[position] = cut

    def schedule(self, plain: Schedule, sleeps: Sleeps | None) -> Schedule:
        """Return the schedule with its outcome: actual run times, sizes, ends, holdings and sleeps."""
        self._ends.flags.writeable = False
        happened = self._happened(plain)
        return replace(plain, instance=happened, end=self._ends, holdings=self.holdings(), sleeps=sleeps)

    def holdings(self) -> Holdings:
        """Return the holdings of all tasks, by job, then start, then lowest core."""
        rows = sorted(self._groups, key=lambda group: (group.position, group.held_from, group.cores[0]))
        first = np.concatenate(([0], np.cumsum([len(group.cores) for group in rows])))
        return Holdings(
            job=_whole(group.position for group in rows),
            group=_whole(group.group_index for group in rows),
            processor=_whole(group.processor for group in rows),
            tasks=_whole(group.tasks for group in rows),
            first_core=first.astype(np.int64),
            cores=_whole(core for group in rows for core in group.cores),
            start=_real(group.held_from for group in rows),
            # A job cut before its nodes were ready never began.
            begin=_real(min(group.begin, group.ended) for group in rows),
            end=_real(group.ended for group in rows),
            release=_real(group.released for group in rows),
            level=_whole(group.level for group in rows),
            speed=_real(group.speed for group in rows),
            bandwidth=_real(group.bandwidth for group in rows),
        )

    def _happened(self, plain: Schedule) -> Instance:
        run = self._ends - plain.start_time
        fixed = plain.instance.run_time
        # Fixed run times return to the last bit; end minus start may not.
        run = np.where(plain.start_time + fixed == self._ends, fixed, run)
        killed = plain.instance.killed | self._cut
        size = self._held(plain.instance.size)
        for column in (run, killed, size):
            column.flags.writeable = False
        return replace(plain.instance, run_time=run, killed=killed, size=size)

    def _held(self, asked: IntColumn) -> IntColumn:
        """Return the number of cores of each job: the number requested, or fewer if its tasks took turns."""
        if all(group.tasks == len(group.cores) for group in self._groups):
            return asked
        held = {(group.position, core) for group in self._groups for core in group.cores}
        return np.bincount([position for position, _ in held], minlength=len(asked))


def _whole(values: Iterable[int]) -> IntColumn:
    return np.fromiter(values, dtype=np.int64)


def _real(values: Iterable[float]) -> FloatColumn:
    return np.fromiter(values, dtype=np.float64)
