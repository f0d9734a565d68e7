"""BrokeredSites: sites under brokers, who choose the leaf of each job when it is released."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from echelon.engine.observer import Place
from echelon.engine.system import LATEST, System
from echelon.errors import DeadlockError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.brokerage import Brokerage
    from echelon.engine.tree.leaves import Leaves
    from echelon.model import Job, Schedule


class BrokeredSites(System):
    """A tree of sites: brokers at its inner sites, and leaves, by actual and perhaps also by planned times.

    For a broker whose information is planned (``belief="allocation"``) a second schedule is kept, the
    allocation-level schedule, in which every job runs for its planned time. All metrics are of the actual
    schedule. A job that waits for others to end is released by the actual schedule, and joins both.

    Parameters
    ----------
    states : sequence of Leaves
        The leaves by actual times, then perhaps by planned times.
    brokerages : sequence of Brokerage
        The inner sites, the root first, outer before inner.
    records : sequence of callable (Schedule) -> Schedule
        What adds to the schedule what happened at some leaves.

    Notes
    -----
    Cost: O(log sites) per event, in addition to that of the brokers and the policies.
    """

    def __init__(
        self,
        states: Sequence[Leaves],
        brokerages: Sequence[Brokerage],
        records: Sequence[Callable[[Schedule], Schedule]] = (),
        *,
        latest: float = math.inf,
    ) -> None:
        self._actual, self._planned = states[0], states[1:]
        self._states = states
        self._brokerages = brokerages
        self._records = records
        self.ledger = self._actual.ledger
        self.latest = latest

    def next_event(self, release: float) -> float:
        """See `System.next_event`."""
        time = min(release, *(brokerage.next_time() for brokerage in self._brokerages))
        for state in self._states:
            time = state.next_event(time)
        return time

    def begin(self, now: float) -> None:
        """See `System.begin`."""
        for state in self._states:
            state.begin(now)

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`."""
        return self._actual.take_ends()

    def end(self, job: Job) -> None:
        """See `System.end`."""
        self._actual.end(job)

    def runs(self, job: Job) -> bool:
        """See `System.runs`."""
        return self._actual.runs(job)

    def correct(self) -> bool:
        """See `System.correct`; jobs of the planned schedule end first."""
        late = self._actual.correct()
        for state in self._planned:
            for job in state.take_ends():
                state.end(job)
            state.correct()
        return late

    def join(self, job: Job) -> None:
        """See `System.join`."""
        self._brokerages[0].join(job)

    def decide(self) -> None:
        """See `System.decide`: brokers, outer before inner, then the leaves."""
        for brokerage in self._brokerages:
            if (waiting := brokerage.decide()) is not None:
                self._note_decisions(waiting)
        for state in self._states:
            state.decide()

    def _note_decisions(self, waiting: int) -> None:
        self.ledger.passes += 1
        if self.ledger.observers:
            free = sum(leaf.free for leaf in self._actual.leaves)
            for observer in self.ledger.observers:
                observer.decided(self.ledger.now, waiting, free, Place())

    def settle(self) -> None:
        """See `System.settle`."""
        for state in self._states:
            state.settle()

    def check_done(self) -> None:
        """See `System.check_done`."""
        for leaf in self._actual.leaves:
            leaf.check_done()
        if self.ledger.ended < len(self.ledger.jobs):
            self.raise_endless()

    def raise_endless(self) -> NoReturn:
        """See `System.raise_endless`."""
        dispatches, starts = self.ledger.dispatches, self.ledger.dispatches.starts()
        left = [job for job in self.ledger.jobs
                if dispatches.serial[job.position] or np.isnan(starts[job.position])]  # fmt: skip
        shown = ", ".join(str(job.job_id) for job in left[:5])
        raise DeadlockError(
            f"jobs {shown}{' ...' if len(left) > 5 else ''} have not ended at t = {LATEST:.3g} s, and later "
            "times cannot resolve one second: check the speeds of machines, how long decisions and jobs "
            "take, and what jobs wait for"
        )

    def schedule(self) -> Schedule:
        """See `System.schedule`."""
        schedule = self.ledger.schedule(np.array(self._actual.site_of, dtype=np.int64))
        for record in self._records:
            schedule = record(schedule)
        return schedule
