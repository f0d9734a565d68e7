"""WaitingQueue: the queue, kept in its total order (key, submit time, position)."""

from __future__ import annotations

from bisect import bisect_left
from copy import copy
from typing import TYPE_CHECKING, Any

from echelon.engine.queue.ranking import KeysAtSubmission, check_key, check_lengths
from echelon.model import Job

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.policies import Order, SystemView


class WaitingQueue:
    """Waiting jobs in queue order.

    If the order does not change with time, every job has one rank and joins at its place: O(log queue)
    comparisons. With an estimator that learns, or dependencies, the rank is the job's key when it is
    submitted, by its planned time and its release. If the order changes with time, `refresh` sorts before
    every cycle.

    Parameters
    ----------
    scenario : Scenario
        Its instance and seed.
    order : Order
        Of the queue.
    ranks : list of int, or None
        Each job's rank, if the order does not change with time.
    """

    def __init__(self, scenario: Scenario, order: Order, ranks: list[int] | None) -> None:
        self._order = order
        self._ranks: list[int] | dict[int, Any] | None
        if scenario.ranks_late:
            self._at_submission, self._ranks = KeysAtSubmission(scenario, order), {}
        else:
            self._ranks = ranks
        self._keys: list[Any] = []
        self._held: dict[int, Job] = {}
        self.jobs: list[Job] = []

    def grow(self, scenario: Scenario) -> None:
        """Take in jobs that were not known before: places are known when jobs are submitted."""
        self._at_submission.grow(scenario)

    def copy(self) -> WaitingQueue:
        """Return an independent queue of the same jobs."""
        twin = copy(self)
        twin.__dict__.update(_keys=list(self._keys), _held=dict(self._held), jobs=list(self.jobs))
        return twin

    def __len__(self) -> int:
        return len(self.jobs)

    def holds(self, job: object) -> bool:
        """Return whether `job` waits exactly as it was submitted: a policy might have altered it."""
        return isinstance(job, Job) and self._held.get(job.position) == job

    def has(self, job: Job) -> bool:
        """Return whether the job at this position waits."""
        return job.position in self._held

    def add(self, job: Job) -> None:
        """Insert `job` at its place, or at the end if `refresh` will sort."""
        if isinstance(self._ranks, dict):
            self._rank_at_submission(self._ranks, job)
        key = len(self.jobs) if self._ranks is None else self._ranks[job.position]
        place = len(self.jobs) if self._ranks is None else bisect_left(self._keys, key)
        self._keys.insert(place, key)
        self.jobs.insert(place, job)
        self._held[job.position] = job

    def _rank_at_submission(self, ranks: dict[int, Any], job: Job) -> None:
        key = self._at_submission.key(job)
        if key is None:
            self._ranks = None
        else:
            ranks[job.position] = key

    def remove(self, job: Job) -> None:
        """Remove `job`."""
        if self._ranks is None:
            place = next(i for i, other in enumerate(self.jobs) if other.position == job.position)
        else:
            place = bisect_left(self._keys, self._ranks[job.position])
        del self._keys[place], self.jobs[place]
        del self._held[job.position]

    def refresh(self, view: SystemView) -> None:
        """Sort the queue by present keys if the order changes with time."""
        if self._ranks is None:
            keys = {job.position: check_key(self._order, job, view) for job in self.jobs}
            check_lengths(self._order, keys.values(), view.now)
            self.jobs.sort(key=lambda job: (keys[job.position], job.submit_time, job.position))
