"""Course: what becomes of jobs that lose nodes, are canceled or miss deadlines, and when."""

from __future__ import annotations

import math
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.model import JobStatus
from echelon.model.schedules.left_jobs import why_held
from echelon.model.schedules.status import REASONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.engine.resources.capacity import Capacity
    from echelon.engine.resources.closure_events import ClosureEvents
    from echelon.model import Job


class Course:
    """The requeues, cancellations and deadlines of a run by time, and the status of each job.

    Parameters
    ----------
    scenario : Scenario
        The run.
    capacity : Capacity
        The outages of the run.
    closures : ClosureEvents
        When nodes are closed to some jobs.

    Attributes
    ----------
    status : dict of int to JobStatus
        Of the jobs that did not complete, by position.
    delayed : dict of int to bool
        Jobs that lost a node and wait until their delay is over, by position: whether they left their site.
    last : float
        The last instant so far, in seconds.
    shrinking : set of int
        Positions of the jobs that may be planned with less than their planned times to meet their deadlines.
    """

    def __init__(self, scenario: Scenario, capacity: Capacity, closures: ClosureEvents) -> None:
        self.capacity, self.closures, self.status = capacity, closures, dict[int, JobStatus]()
        self._rule = scenario.changes.requeueing.effective
        self._requeued: dict[int, int] = {}
        self._again: list[tuple[float, int]] = []
        self.delayed: dict[int, bool] = {}
        self.last = -math.inf
        self.shrinking: set[int] = set()
        self._ended = np.zeros(len(scenario.instance), dtype=np.bool_)
        self._cancels: list[tuple[float, int]] = []
        self._deadlines: list[tuple[float, int]] = []
        self._expiries: list[tuple[float, int]] = []
        self._instance, self._reservations = scenario.instance, scenario.changes.reservations
        self._limits = limits = scenario.instance.limits
        if limits is not None:
            positions = np.flatnonzero(np.isfinite(limits.cancel))
            self._cancels = list(zip(limits.cancel[positions].tolist(), positions.tolist(), strict=True))
            heapify(self._cancels)

    @property
    def next_time(self) -> float:
        """When the next of all this happens, in seconds; infinity if nothing more does."""
        return min(self.next_planned, self.capacity.next_late)

    @property
    def next_planned(self) -> float:
        """When the next of all this happens but renewals of estimates, in seconds, or infinity."""
        heaps = (self._again, self._cancels, self._deadlines, self._expiries)
        planned = min(self.capacity.next_change, self.closures.next_time)
        return min(planned, *(heap[0][0] for heap in heaps if heap), math.inf)

    @property
    def only_moves(self) -> bool:
        """Whether nothing of all this happens but that reservations slide, and repairs take longer."""
        capacity, heaps = self.capacity, (self._again, self._cancels, self._deadlines, self._expiries)
        if any(heaps) or not (capacity.next_time == math.inf or capacity.only_expects):
            return False
        return self.closures.only_slide

    def waits_in_vain(self, dispatches: Dispatches) -> bool:
        """Return whether nothing is left but hope: no job runs, and what is down never returns.

        Cost: O(n), but O(1) while anything else is to happen.
        """
        if not self.capacity.only_expects or self._again or self._cancels or self._deadlines:
            return False
        return self.closures.next_time == math.inf and not any(dispatches.serial)

    def has_ended(self, position: int) -> bool:
        """Return whether a job has ended, for any reason."""
        return bool(self._ended[position])

    def note_end(self, position: int) -> None:
        """Note that a job has ended as it should, or was cut at its requested time."""
        self.shrinking.discard(position)
        self._ended[position] = True

    def ends(self, position: int, status: JobStatus) -> None:
        """Note that a job will not run again."""
        self.note_end(position)
        self.status[position] = status

    def may_run_again(self, position: int) -> bool:
        """Count a failure that has hit a job; return whether the job is requeued."""
        times = self._requeued.get(position, 0)
        if self._rule.on_failure == "kill" or (self._rule.most is not None and times >= self._rule.most):
            return False
        self._requeued[position] = times + 1
        return True

    @property
    def delay(self) -> float:
        """Seconds until a requeued job joins again."""
        return self._rule.delay

    @property
    def submits_again(self) -> bool:
        """Whether a requeued job counts as submitted when it joins again."""
        return self._rule.order == "back"

    def requeue(self, position: int, now: float, *, is_away: bool) -> None:
        """Let a job join again when its delay is over; `is_away`: it has left its site."""
        self.delayed[position] = is_away
        heappush(self._again, (now + self.delay, position))

    def take_again(self, now: float) -> list[int]:
        """Return the jobs that join again now, by position, once."""
        return [one for one in sorted(_take_due(self._again, now)) if one in self.delayed]

    def note_deadline(self, job: Job, now: float) -> bool:
        """Note the deadline of `job`, which joins now; return False if it can no longer meet it."""
        if self._limits is None or not (deadline := self._limits.deadline[job.position]) < math.inf:
            return True
        latest = self.latest_start(job)
        if now > latest:
            return False
        if self.shortest(job) < job.planned_time:
            self.shrinking.add(job.position)
        heappush(self._expiries, (latest, job.position))
        heappush(self._deadlines, (float(deadline), job.position))
        return True

    def latest_start(self, job: Job) -> float:
        """Return when `job` can start at the latest, in seconds; infinity if it has no deadline."""
        return (
            math.inf
            if self._limits is None
            else float(self._limits.deadline[job.position]) - self.shortest(job)
        )

    def shortest(self, job: Job) -> float:
        """Return the shortest limit with which `job` may start, in seconds."""
        if self._limits is None or math.isnan(shortest := float(self._limits.minimum[job.position])):
            return job.planned_time
        return min(shortest, job.planned_time)

    def planned_by_deadline(self, job: Job, now: float) -> float:
        """Return the planned time of waiting `job` if it starts now: until its deadline at most."""
        if self._limits is None or not (deadline := self._limits.deadline[job.position]) < math.inf:
            return job.planned_time
        return max(min(job.planned_time, float(deadline) - now), self.shortest(job))

    def take_cancels(self, now: float) -> list[int]:
        """Return the jobs that are canceled by now and have not ended, by position."""
        return [one for one in sorted(_take_due(self._cancels, now)) if not self._ended[one]]

    def take_deadlines(self, now: float) -> list[int]:
        """Return the jobs whose deadline is now and that have not ended, by position."""
        return [one for one in sorted(set(_take_due(self._deadlines, now))) if not self._ended[one]]

    def take_expiries(self, now: float) -> list[int]:
        """Return the jobs that cannot meet their deadlines if they start later than now, by position."""
        return [one for one in sorted(set(_take_due(self._expiries, now))) if not self._ended[one]]

    @property
    def all_ended(self) -> bool:
        """Whether every job ended before the run did."""
        return JobStatus.UNFINISHED not in self.status.values()

    def unfinished_jobs(self) -> list[int]:
        """Return the jobs that have not ended, by position."""
        return np.flatnonzero(~self._ended).tolist()

    def statuses(self, killed: NDArray[np.bool_]) -> NDArray[np.int8]:
        """Return the status of each job; `killed`: which were cut at their requested times."""
        statuses = np.where(killed, JobStatus.KILLED, JobStatus.COMPLETED).astype(np.int8)
        for position, status in self.status.items():
            statuses[position] = status
        return statuses

    def unstarted_jobs(self, start: NDArray[Any]) -> dict[str, list[int]]:
        """Return the positions of jobs that ended without a start, by reason; `start` is nan of these."""
        reasons: dict[str, list[int]] = {}
        for position, status in sorted(self.status.items()):
            if np.isnan(start[position]):
                reason = REASONS.get(status, REASONS[JobStatus.CANCELED_WAITING])
                reasons.setdefault(reason, []).append(position)
        return why_held(reasons, self._instance, self._reservations)


def _take_due(heap: list[tuple[float, int]], now: float) -> list[int]:
    """Take what is due by now from a heap of times and positions."""
    due = []
    while heap and heap[0][0] <= now:
        due.append(heappop(heap)[1])
    return due
