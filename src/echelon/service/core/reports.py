"""Reports: the observations of jobs and clusters for the controllers, each once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.backends.contract import OtherJob, Snapshot
    from echelon.service.core.books import Books
    from echelon.service.core.controllers.choices import Choice, PlannedJob
    from echelon.service.core.controllers.lessons import Lesson
    from echelon.service.records import Candidate, ForecastRecord, JobRecord, JobSpec


class Deciding(Protocol):
    """What decides where jobs go, see `echelon.service.core.controllers.controllers.Controllers`."""

    def restore(
        self,
        now: float,
        queued: Sequence[JobRecord],
        placed: Sequence[tuple[JobRecord, str, float | None]],
        ended: frozenset[str],
    ) -> None:
        """Take in the jobs that wait at the root, and those at clusters with the times of their starts."""

    def arrive(self, now: float, jobs: Sequence[JobRecord]) -> None:
        """Take in jobs."""

    def hold(self, job: str) -> None:
        """Forget a job that has not ended, and may arrive again."""

    def cancel(self, job: str) -> None:
        """Forget a job, which counts as ended."""

    def started(self, job: str, cluster: str, at: float) -> None:
        """Note a start."""

    def requeued(self, job: str, cluster: str) -> None:
        """Note that a job which ran waits again at its cluster."""

    def ended(self, job: str, cluster: str, run_time: float | None) -> None:
        """Note an end, with the seconds that the job ran; None: it never did."""

    def refused(self, job: str, cluster: str, why: str) -> None:
        """Note that a cluster will never take a job."""

    def returned(self, job: str, cluster: str) -> None:
        """Note that a job is back at the root, and may go anywhere."""

    def stayed(self, job: str, cluster: str) -> None:
        """Note that a job could not be recalled from a cluster."""

    def closed(self, cluster: str, why: str) -> None:
        """Note that a cluster takes no jobs, and why."""

    def opened(self, cluster: str) -> None:
        """Note that a cluster takes jobs again."""

    def resized(self, cluster: str, processors: int) -> None:
        """Note how many processors a cluster has in service."""

    def reserved(self, cluster: str, starts: Sequence[tuple[str, float]]) -> None:
        """Note the starts that a cluster has reserved."""

    def others(self, cluster: str, jobs: Sequence[OtherJob]) -> None:
        """Note the jobs of others at a cluster."""

    def decide(self, now: float) -> Sequence[Choice]:
        """Decide by all that was noted."""

    def next_time(self) -> float:
        """Return when to decide although nothing is noted."""

    @property
    def waits(self) -> bool:
        """Whether it waits for what clusters decide at this instant."""

    def teach(self, lessons: Iterable[Lesson]) -> int:
        """Learn from jobs that ended before; return how many there were."""

    def note_actual(self, forecast: ForecastRecord, wait: float) -> None:
        """Note how long a job has waited since its decision, in seconds."""

    def looked(self, cluster: str, at: float) -> None:
        """Note when the last complete look at a cluster began."""

    def choice(self, now: float, spec: JobSpec, owner: str = "") -> str:
        """Return the cluster that a job would go to now; empty: that cannot be known before."""

    def forecast(self, now: float, spec: JobSpec, owner: str = "") -> tuple[Candidate, ...]:
        """Return what each cluster would be for a job."""

    def outlook(self, now: float) -> Mapping[str, Sequence[PlannedJob]]:
        """Return what is planned, by cluster."""


class Reports:
    """Passes on what has happened, and knows whether there is anything to decide.

    Parameters
    ----------
    controllers : Deciding
        What receives them.
    books : Books
        Which jobs are open.
    """

    def __init__(self, controllers: Deciding, books: Books) -> None:
        self.controllers = controllers
        self._books = books
        self._has_news = True
        self._looked = False
        self._last: dict[tuple[str, str], object] = {}

    def decide(self) -> Sequence[Choice]:
        """Return what is to be done, if there is anything to decide."""
        now, controllers = self._books.now, self.controllers
        is_due = self._has_news or (self._looked and controllers.waits) or now >= controllers.next_time()
        self._has_news = self._looked = False
        return controllers.decide(now) if is_due else ()

    def arrived(self, jobs: Sequence[JobRecord]) -> None:
        """Report jobs that wait at the service."""
        if jobs:
            self._has_news = True
            self.controllers.arrive(self._books.now, [self.reduced(job) for job in jobs])

    def reduced(self, job: JobRecord) -> JobRecord:
        """Return a job that follows only such jobs as have not ended."""
        after = tuple(one for one in job.spec.after if one in self._books.jobs)
        return job if after == job.spec.after else replace(job, spec=replace(job.spec, after=after))

    def held(self, job: str) -> None:
        """Report a job that is held."""
        self._has_news = True
        self.controllers.hold(job)

    def canceled(self, job: str) -> None:
        """Report a job that is at no cluster and not wanted any more."""
        self._has_news = True
        self.controllers.cancel(job)

    def started(self, job: JobRecord) -> None:
        """Report the start of a job, and how long it has waited since its decision."""
        self._has_news = True
        at = job.started_at if job.started_at is not None else self._books.now
        self.controllers.started(job.id, job.cluster, at)
        notes = self._books.notes[job.id]
        if notes.forecast is not None:
            self.controllers.note_actual(notes.forecast, max(at - notes.forecast.at, 0.0))
            notes.forecast = None

    def requeued(self, job: str, cluster: str) -> None:
        """Report a job that waits again where it ran."""
        self._has_news = True
        self.controllers.requeued(job, cluster)

    def ended(self, job: str, cluster: str, run_time: float | None) -> None:
        """Report an end."""
        self._has_news = True
        self.controllers.ended(job, cluster, run_time)

    def refused(self, job: str, cluster: str, why: str) -> None:
        """Report a refusal for good."""
        self._has_news = True
        self.controllers.refused(job, cluster, why)

    def returned(self, job: str, cluster: str) -> None:
        """Report a job that has come back from a cluster."""
        self._has_news = True
        self.controllers.returned(job, cluster)

    def stayed(self, job: str, cluster: str) -> None:
        """Report a job that could not be recalled."""
        self._has_news = True
        self.controllers.stayed(job, cluster)

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
