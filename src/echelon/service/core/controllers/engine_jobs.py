"""EngineJobs: one engine over jobs that come and go, each with its entry."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.engine.live import Core, Joined, Started, Submitted
from echelon.service.core.controllers.entry import Place
from echelon.service.core.controllers.job_table import JobTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.live import Effect, Observation
    from echelon.model import Job
    from echelon.service.core.controllers.entry import Entry

MOST_ENDED = 2000
"""With so many jobs that have ended, and more than half of all, a new engine begins with the others."""


class EngineJobs:
    """Jobs and their positions in an engine, which forgets ended ones now and then.

    An engine keeps its numbers for every job that it has ever seen. When more than `MOST_ENDED` jobs, and
    more than half, have ended, a new one begins with those that are left, in the order in which they came.
    What it does not know then: sums over past jobs (of brokers such as `mwt` with ``jobs=assigned``), the
    schedule in which jobs run for their planned times (``grid-state=planned``: it begins with what is there),
    how long jobs at the root have been decided on, random numbers by position, whose turn it is in a round,
    and the submission times of jobs for orders whose keys change with time.

    Parameters
    ----------
    scenario : Scenario
        The clusters and what decides; its jobs do not count.
    before_submit : callable (Job, int) -> None
        See `Core.call_before_submit`.
    most_ended : int, default MOST_ENDED
        See above.

    Attributes
    ----------
    core : Core
        The engine.
    now : float
        Time of its last step, in seconds.
    """

    def __init__(
        self,
        scenario: Scenario,
        before_submit: Callable[[Job, int], None],
        most_ended: int = MOST_ENDED,
    ) -> None:
        self._scenario, self._before_submit, self._most_ended = scenario, before_submit, most_ended
        self.now = -math.inf
        self._begin()

    def _begin(self) -> None:
        self._table, self._count = JobTable(self._scenario.instance.sites), 0
        self._entries: list[Entry] = []
        self.core = Core(replace(self._scenario, instance=self._table.instance()))
        self.core.call_before_submit(self._before_submit)
        self._left = 0

    @property
    def next_position(self) -> int:
        """The position that the next job gets."""
        return len(self._table)

    def entry(self, position: int) -> Entry:
        """Return the job at a position."""
        return self._entries[position]

    def __iter__(self) -> Iterator[Entry]:
        """Yield the jobs that have not gone, in the order in which they came."""
        return (entry for entry in self._entries if entry.place is not Place.GONE)

    def add(self, entry: Entry, now: float) -> None:
        """Give a job its position; it came `now`, in seconds."""
        entry.since = now
        self._append(entry)

    def _append(self, entry: Entry) -> None:
        entry.position = self._table.add(entry.job._replace(submit_time=entry.since))
        self._entries.append(entry)

    def gone(self, entry: Entry) -> None:
        """Note that a job has left."""
        entry.place, entry.site = Place.GONE, -1
        self._left += 1

    def step(self, now: float, observations: Sequence[Observation]) -> list[Effect]:
        """See `Core.step`; jobs that were added are taken in first."""
        if len(self._table) > self._count:
            self._count = len(self._table)
            self.core.grow(replace(self._scenario, instance=self._table.instance()))
        self.now = now
        return self.core.step(now, observations)

    def choice(self, entry: Entry) -> int | None:
        """See `Core.choice`; the job is not here."""
        alone = JobTable(self._scenario.instance.sites)
        alone.add(entry.job)
        scenario = replace(self._scenario, instance=alone.instance())
        return self.core.choice(scenario, entry.job, entry.never)

    def compact(self, now: float) -> list[Observation]:
        """Begin a new engine if most jobs have ended; return the observations for its first step.

        Nothing happens at the time of the last step, which may not be over.
        """
        many = self._left > self._most_ended and 2 * self._left > len(self._entries)
        if not many or now <= self.now:
            return []
        left = sorted(self, key=lambda entry: (entry.since, entry.position))
        self._begin()
        first_observations: list[Observation] = []
        for entry in left:
            self._append(entry)
            first_observations += reports_of(entry)
        return first_observations


def reports_of(entry: Entry) -> list[Observation]:
    """Return the reports that put a job where its entry says that it is."""
    match entry.place:
        case Place.ROOT:
            return [Submitted(entry.position, tuple(sorted({*entry.never, *entry.refusals})))]
        case Place.WAITING:
            return [Joined(entry.position, entry.site)]
        case Place.RUNNING:
            return [
                Joined(entry.position, entry.site),
                Started(entry.position, entry.site, 0.0, entry.started_at),
            ]
    return []
