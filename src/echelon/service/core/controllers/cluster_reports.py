"""ClusterReports: what is noted of clusters and of the jobs of others there, as reports to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.live import Closed, Ended, Opened, Requeued, Reserved, Resized, Started
from echelon.model import Job
from echelon.service.core.controllers.entry import Entry, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import OtherJob
    from echelon.service.core.controllers.cluster_note import ClusterNote
    from echelon.service.core.controllers.job_notes import JobNotes


class ClusterReports:
    """The observations of clusters for the engine's next step.

    Parameters
    ----------
    jobs : JobNotes
        The jobs, and the observations of them for the engine.
    notes : sequence of ClusterNote
        The clusters.
    """

    def __init__(self, jobs: JobNotes, notes: Sequence[ClusterNote]) -> None:
        self._jobs, self._notes = jobs, notes

    def closed(self, site: int, why: str) -> None:
        """See `Controllers.closed`."""
        self._notes[site].why_closed = why
        self._jobs.tell(Closed(site))

    def opened(self, site: int) -> None:
        """See `Controllers.opened`."""
        if self._notes[site].why_closed:
            self._notes[site].why_closed = ""
            self._jobs.tell(Opened(site))

    def resized(self, site: int, processors: int) -> None:
        """See `Controllers.resized`."""
        if self._notes[site].in_service != processors:
            self._notes[site].in_service = processors
            self._jobs.tell(Resized(site, processors))

    def reserved(self, site: int, starts: Sequence[tuple[str, float]]) -> None:
        """See `Controllers.reserved`."""
        if not self._notes[site].reserves:
            return
        entries = [(self._jobs.at(job, site), max(time, self._jobs.now)) for job, time in starts]
        reservations = [(entry, time) for entry, time in entries
                 if entry is not None and entry.place is Place.WAITING]  # fmt: skip
        if reservations or self._notes[site].reserved:
            self._notes[site].reserved = reservations
            self._jobs.tell(Reserved(site, tuple((entry.position, time) for entry, time in reservations)))

    def others(self, site: int, jobs: Sequence[OtherJob], epoch: float) -> None:
        """See `Controllers.others`."""
        note = self._notes[site]
        listed = {one.native_id: one for one in jobs}
        for native_id, entry in [*note.others.items()]:
            one = listed.get(native_id)
            if one is None or _asked(one, note) != (entry.job.processors, entry.job.planned_time):
                self._jobs.tell(Ended(entry.position, site))
                self._jobs.leave(note.others.pop(native_id))
        for native_id, one in listed.items():
            started = None
            if one.state == "running":
                started = (
                    self._jobs.now if one.started_at is None else min(one.started_at - epoch, self._jobs.now)
                )
            self._other(note, native_id, one, started)

    def _other(self, note: ClusterNote, native_id: str, one: OtherJob, started: float | None) -> None:
        entry = note.others.get(native_id)
        if entry is None:
            processors, planned = _asked(one, note)
            number = int(native_id) if native_id.isdecimal() and len(native_id) < 19 else -1
            job = Job(0, number, self._jobs.now, processors, planned, planned)
            entry = note.others[native_id] = Entry(job, f"{note.name}/{native_id}", is_own=False)
            self._jobs.put(entry, note.site, started)
        elif started is not None and entry.place is Place.WAITING:
            entry.place, entry.started_at = Place.RUNNING, started
            self._jobs.tell(Started(entry.position, note.site, 0.0, started))
        elif started is None:
            self._jobs.stop(entry, Requeued)


def _asked(one: OtherJob, note: ClusterNote) -> tuple[int, float]:
    """Return the processors and the planned time of a job of others, as the engine takes it."""
    limit = one.time_limit if one.time_limit and one.time_limit > 0 else note.default_time_limit
    return min(max(one.processors, 1), note.processors), limit
