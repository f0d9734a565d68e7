"""JobTable: the open jobs and their attempts, and what a step changes in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.service.core.notes import Notes
from echelon.service.messages import Step
from echelon.service.records import AttemptRecord, AttemptState, Event, JobState

if TYPE_CHECKING:
    from echelon.service.messages import Action
    from echelon.service.records import (
        ClusterRecord,
        DecisionRecord,
        ForecastRecord,
        JobRecord,
        OpenRecords,
        Record,
    )

AT_CLUSTER = frozenset((JobState.SUBMITTING, JobState.WAITING, JobState.RUNNING))
"""States in which a job may be at its cluster."""
UNSETTLED = frozenset((AttemptState.INTENDED, AttemptState.UNCLEAR, AttemptState.ACCEPTED))
"""States of attempts of which a cluster takes a limited number."""
_EVENTS = frozenset(
    (
        AttemptState.UNCLEAR,
        AttemptState.REFUSED,
        AttemptState.ABSENT,
        AttemptState.UNSTARTED,
        AttemptState.REVOKED,
    )
)
"""States of attempts that are events by themselves; all others show as states of the job."""


class JobTable:
    """What is known of open jobs, and what changes until `take`.

    Parameters
    ----------
    open_records : OpenRecords
        As the store has them.

    Attributes
    ----------
    now : float
        Time of the present step, Unix time in seconds.
    jobs : dict of str to JobRecord
        Open jobs by id.
    at : dict of str to dict
        By cluster, the ids of jobs that may be there.
    assigned : dict of str to dict
        By cluster, the ids of jobs that are to be submitted there.
    unsettled : dict of str to int
        By cluster, how many attempts it has not settled yet.
    notes : dict of str to Notes
        Of the present run of each open job, by id.
    """

    def __init__(self, open_records: OpenRecords, now: float) -> None:
        self.now = now
        self.jobs: dict[str, JobRecord] = {}
        self.at: dict[str, dict[str, None]] = {}
        self.assigned: dict[str, dict[str, None]] = {}
        self.unsettled: dict[str, int] = {}
        self.notes: dict[str, Notes] = {}
        self._attempts: dict[str, dict[int, AttemptRecord]] = {}
        self._changed: dict[tuple[str, ...], JobRecord | AttemptRecord | ClusterRecord] = {}
        self._added: list[DecisionRecord | ForecastRecord] = []
        self._events: list[Event] = []
        self._actions: list[Action] = []
        for job in open_records.jobs:
            self.add(job)
        for attempt in open_records.attempts:
            if attempt.job in self.jobs:
                self._keep(attempt)

    def add(self, job: JobRecord) -> None:
        """Take in a job that the store has."""
        self.jobs[job.id] = job
        self._attempts[job.id] = {}
        self.notes[job.id] = Notes()
        self._place(job)

    def attempt(self, job: JobRecord) -> AttemptRecord | None:
        """Return the last attempt of the present run of a job, None if there is none."""
        last = self._attempts[job.id].get(job.attempt)
        return last if last is not None and last.run == job.run else None

    def attempts(self, job: JobRecord) -> list[AttemptRecord]:
        """Return all attempts of a job, by number."""
        return list(self._attempts[job.id].values())

    def find_attempt(self, job: str, number: int) -> AttemptRecord | None:
        """Return an attempt of an open job, None if there is none."""
        return self._attempts.get(job, {}).get(number)

    def change(self, job: JobRecord, **fields: object) -> JobRecord:
        """Change a job, and return it; a new state or a new reason is an event."""
        new: JobRecord = replace(job, **fields)  # type: ignore[arg-type]
        if new == job:
            return job
        if (key := ("job", job.id)) not in self._changed:
            new = replace(new, version=job.version + 1)
        self._changed[key] = new
        if (new.state, new.reason) != (job.state, job.reason):
            self.tell(Event(self.now, "job", job.id, new.state, new.reason))
        self._unplace(job)
        if new.state.is_final:
            self._forget(job.id)
        else:
            self.jobs[job.id] = new
            if new.run != job.run:
                self.notes[job.id] = Notes()
            self._place(new)
        return new

    def keep(self, attempt: AttemptRecord, **fields: object) -> AttemptRecord:
        """Add an attempt, or change it; return it."""
        new: AttemptRecord = replace(attempt, **fields)  # type: ignore[arg-type]
        old = self.find_attempt(attempt.job, attempt.number)
        if new == old:
            return new
        self._changed["attempt", attempt.job, str(attempt.number)] = new
        if new.state in _EVENTS and (old is None or old.state != new.state):
            self.tell(Event(self.now, "attempt", attempt.job, new.state, new.reason))
        self._keep(new)
        return new

    def keep_cluster(self, cluster: ClusterRecord) -> None:
        """Note that a cluster has changed."""
        self._changed["cluster", cluster.name] = cluster

    def append(self, record: DecisionRecord | ForecastRecord) -> None:
        """Add a record that never changes."""
        self._added.append(record)

    def tell(self, event: Event) -> None:
        """Add an event."""
        self._events.append(event)

    def act(self, action: Action) -> None:
        """Have something done once all changes are committed."""
        self._actions.append(action)

    def take(self) -> Step:
        """Return what has changed and what is to be done since the last call."""
        changes: tuple[Record, ...] = (*self._changed.values(), *self._added, *self._events)
        step = Step(changes, tuple(self._actions))
        self._changed, self._added, self._events, self._actions = {}, [], [], []
        return step

    def _keep(self, attempt: AttemptRecord) -> None:
        old = self._attempts[attempt.job].get(attempt.number)
        self._attempts[attempt.job][attempt.number] = attempt
        is_open, was_open = attempt.state in UNSETTLED, old is not None and old.state in UNSETTLED
        self._count(attempt.cluster, is_open - was_open)

    def _count(self, cluster: str, more: int) -> None:
        self.unsettled[cluster] = self.unsettled.get(cluster, 0) + more

    def _forget(self, job: str) -> None:
        del self.jobs[job], self.notes[job]
        for attempt in self._attempts.pop(job).values():
            self._count(attempt.cluster, -(attempt.state in UNSETTLED))

    def _place(self, job: JobRecord) -> None:
        if job.state in AT_CLUSTER:
            self.at.setdefault(job.cluster, {})[job.id] = None
        elif job.state is JobState.ASSIGNED:
            self.assigned.setdefault(job.cluster, {})[job.id] = None

    def _unplace(self, job: JobRecord) -> None:
        if job.state in AT_CLUSTER:
            self.at[job.cluster].pop(job.id, None)
        elif job.state is JobState.ASSIGNED:
            self.assigned[job.cluster].pop(job.id, None)
