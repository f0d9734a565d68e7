"""Record: what every task held, kept while a run goes on, and the schedule it makes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Holdings, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.nodes.bundle import Bundle
    from echelon.model import Instance, Sleeps
    from echelon.model.columns import FloatColumn, IntColumn


class Record:
    """Bundles that have ended, and when each job did.

    Parameters
    ----------
    jobs : int
        Of the instance.
    """

    def __init__(self, jobs: int) -> None:
        self._bundles: list[Bundle] = []
        self._ends = np.full(jobs, np.nan)
        self._cut = np.zeros(jobs, dtype=np.bool_)

    def keep(self, bundle: Bundle) -> None:
        """Keep a bundle whose cores have been given back."""
        self._bundles.append(bundle)

    def ended(self, position: int, now: float, *, cut: bool) -> None:
        """Note that a job has ended now, cut at its request or not."""
        self._ends[position] = now
        self._cut[position] = cut

    def schedule(self, plain: Schedule, sleeps: Sleeps | None) -> Schedule:
        """Return the schedule with what happened: real run times, sizes, ends, holdings and sleeps."""
        self._ends.flags.writeable = False
        happened = self._happened(plain)
        return replace(plain, instance=happened, end=self._ends, holdings=self.holdings(), sleeps=sleeps)

    def holdings(self) -> Holdings:
        """Return what all tasks held, in order of job, then start, then lowest core."""
        rows = sorted(self._bundles, key=lambda bundle: (bundle.position, bundle.held_from, bundle.cores[0]))
        first = np.concatenate(([0], np.cumsum([len(bundle.cores) for bundle in rows])))
        return Holdings(
            job=_whole(bundle.position for bundle in rows),
            group=_whole(bundle.group for bundle in rows),
            processor=_whole(bundle.processor for bundle in rows),
            tasks=_whole(bundle.tasks for bundle in rows),
            first_core=first.astype(np.int64),
            cores=_whole(core for bundle in rows for core in bundle.cores),
            start=_real(bundle.held_from for bundle in rows),
            # One that was cut before its nodes were ready never began.
            begin=_real(min(bundle.begin, bundle.ended) for bundle in rows),
            end=_real(bundle.ended for bundle in rows),
            release=_real(bundle.released for bundle in rows),
            level=_whole(bundle.level for bundle in rows),
            speed=_real(bundle.speed for bundle in rows),
            bandwidth=_real(bundle.bandwidth for bundle in rows),
        )

    def _happened(self, plain: Schedule) -> Instance:
        run = self._ends - plain.start_time
        fixed = plain.instance.run_time
        # Run times that were given come back to the last bit, which end minus start need not.
        run = np.where(plain.start_time + fixed == self._ends, fixed, run)
        killed = plain.instance.killed | self._cut
        size = self._held(plain.instance.size)
        for column in (run, killed, size):
            column.flags.writeable = False
        return replace(plain.instance, run_time=run, killed=killed, size=size)

    def _held(self, asked: IntColumn) -> IntColumn:
        """Return how many cores each job held: what it asked for, or fewer if its tasks took turns."""
        if all(bundle.tasks == len(bundle.cores) for bundle in self._bundles):
            return asked
        held = {(bundle.position, core) for bundle in self._bundles for core in bundle.cores}
        return np.bincount([position for position, _ in held], minlength=len(asked))


def _whole(values: Iterable[int]) -> IntColumn:
    return np.fromiter(values, dtype=np.int64)


def _real(values: Iterable[float]) -> FloatColumn:
    return np.fromiter(values, dtype=np.float64)
