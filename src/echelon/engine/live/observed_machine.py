"""ObservedMachine: a cluster that decides elsewhere, as its reports describe it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.machine import Machine
from echelon.engine.progress.progress_model import ProgressModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.engine.ledger.ledger import Ledger
    from echelon.model import Job


class ObservedEnds(ProgressModel):
    """Jobs end when their cluster says so.

    Parameters
    ----------
    dispatches : Dispatches
        The dispatches of the run.

    Attributes
    ----------
    ending : list of int
        Positions of the jobs that end at this instant.
    """

    def __init__(self, dispatches: Dispatches) -> None:
        self._dispatches = dispatches
        self.ending: list[int] = []

    def start(self, job: Job, end: float, switch: float) -> None:
        """See `ProgressModel.start`: nobody knows when it will end."""

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`: nothing is expected."""
        return other

    def due(self, now: float) -> list[int]:
        """See `ProgressModel.due`."""
        ending, self.ending = self.ending, []
        return ending

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`: unknown."""
        return math.inf

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`."""
        return position in self.ending

    def end(self, job: Job, now: float) -> float:
        """See `ProgressModel.end`."""
        return self._dispatches.progressed(job.position, now)

    def suspend(self, job: Job, now: float) -> tuple[Job | None, float | None]:
        """See `ProgressModel.suspend`: the dispatches know what it has left."""
        return None, None


class ObservedMachine(Machine):
    """`Machine` whose scheduler runs elsewhere: it decides nothing, and follows what is reported.

    What it forecasts is a simulation of what it knows under the policy that the cluster is said to have.

    Parameters
    ----------
    ledger : Ledger
        Of the controllers.
    processors : int
        The processors of the cluster.
    name : str
        Its path.
    site : int
        Its index in the platform.
    """

    progress: ObservedEnds

    def __init__(self, ledger: Ledger, processors: int, name: str, *, site: int) -> None:
        ends = ObservedEnds(ledger.dispatches)
        super().__init__(ledger, processors, name, site=site, progress=ends)

    def next_event(self, release: float) -> float:
        """See `System.next_event`: nothing happens here unless it is reported."""
        return release

    def decide(self) -> None:
        """See `System.decide`: the cluster has decided."""
        self.ledger.passes += 1
        self.cluster.ended_early = False
        for observer in self._observers:
            observer.decided(self.cluster.now, len(self.cluster.waiting), self.cluster.free, self._site)

    def watch(self, *, event: bool) -> None:
        """See `System.watch`: the cluster sees to that."""

    def note_end(self, position: int) -> None:
        """Note that a running job ends at this instant."""
        self.progress.ending.append(position)

    def note_start(self, job: Job, switch: float) -> None:
        """Note that `job` starts or resumes now; what is promised from now on is reported again."""
        self.cluster.withdraw_all()
        self._start(job, switch, None)

    def note_suspension(self, job: Job) -> None:
        """Note that running `job` waits again from now on."""
        self._preempt(job)

    def note_promises(self, starts: Sequence[tuple[Job, float]]) -> None:
        """Note the reservations of the cluster, in its order, in place of all earlier ones."""
        first = dict(self.cluster.first_reservations)
        self.cluster.withdraw_all()
        for job, time in starts:
            self.cluster.reserve(job, time)
        # The first promise of a job stays the first.
        waiting = {job.position for job, _ in starts}
        self.cluster.first_reservations.update(
            {position: time for position, time in first.items() if position in waiting}
        )
