"""Reports: the observations of jobs and clusters for the controllers, each once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import Snapshot
    from echelon.service.core.controllers.choices import Choice
    from echelon.service.core.controllers.controllers import Controllers
    from echelon.service.core.job_table import JobTable
    from echelon.service.records import JobRecord


class Reports:
    """Passes on what has happened, and knows whether there is anything to decide.

    Parameters
    ----------
    controllers : Controllers
        What receives them.
    table : JobTable
        Which jobs are open.
    """

    def __init__(self, controllers: Controllers, table: JobTable) -> None:
        self.controllers = controllers
        self._table = table
        self._has_news = True
        self._looked = False
        self._last: dict[tuple[str, str], object] = {}

    def news(self) -> Controllers:
        """Return the controllers for a report on a job: then there is something to decide."""
        self._has_news = True
        return self.controllers

    def decide(self) -> Sequence[Choice]:
        """Return what is to be done, if there is anything to decide."""
        now, controllers = self._table.now, self.controllers
        is_due = self._has_news or (self._looked and controllers.waits) or now >= controllers.next_time()
        self._has_news = self._looked = False
        return controllers.decide(now) if is_due else ()

    def arrived(self, jobs: Sequence[JobRecord]) -> None:
        """Report jobs that wait at the service."""
        if jobs:
            self.news().arrive(self._table.now, [self.reduce(job) for job in jobs])

    def reduce(self, job: JobRecord) -> JobRecord:
        """Return a job that follows only such jobs as have not ended."""
        after = tuple(one for one in job.spec.after if one in self._table.jobs)
        return job if after == job.spec.after else replace(job, spec=replace(job.spec, after=after))

    def started(self, job: JobRecord) -> None:
        """Report the start of a job, and how long it has waited since its decision."""
        at = job.started_at if job.started_at is not None else self._table.now
        self.news().started(job.id, job.cluster, at)
        notes = self._table.notes[job.id]
        if notes.forecast is not None:
            self.controllers.note_actual(notes.forecast, max(at - notes.forecast.at, 0.0))
            notes.forecast = None

    def opened(self, cluster: str, why_not: str) -> None:
        """Report whether a cluster takes jobs, and why not."""
        if not self._is_new("open", cluster, why_not):
            return
        if why_not:
            self.controllers.closed(cluster, why_not)
        else:
            self.controllers.opened(cluster)

    def looked(self, cluster: str, snapshot: Snapshot, reserved: Sequence[tuple[str, float]]) -> None:
        """Report what a complete look has shown of a cluster, with its reserved starts by the ids of jobs."""
        self._looked = True
        self.controllers.looked(cluster, snapshot.began_at)
        if snapshot.processors > 0 and self._is_new("processors", cluster, snapshot.processors):
            self.controllers.resized(cluster, snapshot.processors)
        if self._is_new("others", cluster, snapshot.others):
            self.controllers.others(cluster, snapshot.others)
        # Reserved starts are reported again with whatever moved, as they hold from then on.
        if self._is_new("reserved", cluster, tuple(reserved)) or (reserved and self._has_news):
            self.controllers.reserved(cluster, reserved)

    def _is_new(self, kind: str, cluster: str, value: object) -> bool:
        # What was never reported is empty.
        if self._last.get((kind, cluster), ()) == value:
            return False
        self._last[kind, cluster] = value
        self._has_news = True
        return True
