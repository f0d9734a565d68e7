"""ClusterNote: what the controllers keep of a cluster, and how the engine hears of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.engine.live import Closed, Ended, Opened, Requeued, Reserved, Resized, Started
from echelon.model import Job
from echelon.service.core.controllers.entry import Entry, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import OtherJob
    from echelon.engine.live import Observation
    from echelon.service.core.controllers.job_notes import JobNotes


@dataclass(slots=True, eq=False)
class ClusterNote:
    """One cluster: what is noted beside what the engine knows, and told to it by the notes of jobs.

    Attributes
    ----------
    name : str
        Its name.
    site : int
        Its place in the platform.
    processors : int
        That it has, in service or not.
    default_time_limit : float
        Planned seconds of jobs of others without a time limit.
    predictable : bool
        Whether its queue can be simulated under its policy.
    reserves : bool
        Whether its policy keeps reservations, so that those that it publishes count.
    why_closed : str
        Why it takes no jobs at present; empty: it does.
    in_service : int
        Processors that it has at present.
    looked_at : float, optional
        When its last complete look began, as Unix time.
    reserved : list of (Entry, float)
        The starts that it has reserved, in the engine's seconds.
    others : dict of str to Entry
        The jobs of others there, by their native ids.
    """

    name: str
    site: int
    processors: int
    default_time_limit: float
    predictable: bool
    reserves: bool
    why_closed: str = ""
    in_service: int = field(init=False)
    looked_at: float | None = None
    reserved: list[tuple[Entry, float]] = field(default_factory=list)
    others: dict[str, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.in_service = self.processors

    def state(self) -> list[Observation]:
        """Return the observations of it that a new engine needs before those of its jobs."""
        observations: list[Observation] = [Closed(self.site)] if self.why_closed else []
        if self.in_service != self.processors:
            observations.append(Resized(self.site, self.in_service))
        return observations

    def reservations(self) -> list[Observation]:
        """Return the observations of the reservations of the jobs that still wait there."""
        starts = tuple(
            (entry.position, time)
            for entry, time in self.reserved
            if entry.is_at_cluster and entry.site == self.site and entry.started_at is None
        )
        return [Reserved(self.site, starts)] if starts else []

    def close(self, jobs: JobNotes, why: str) -> None:
        """See `Controllers.closed`."""
        self.why_closed = why
        jobs.tell(Closed(self.site))

    def open(self, jobs: JobNotes) -> None:
        """See `Controllers.opened`."""
        if self.why_closed:
            self.why_closed = ""
            jobs.tell(Opened(self.site))

    def resize(self, jobs: JobNotes, processors: int) -> None:
        """See `Controllers.resized`."""
        if self.in_service != processors:
            self.in_service = processors
            jobs.tell(Resized(self.site, processors))

    def reserve(self, jobs: JobNotes, starts: Sequence[tuple[str, float]]) -> None:
        """See `Controllers.reserved`."""
        if not self.reserves:
            return
        entries = [(jobs.at(job, self.site), max(time, jobs.now)) for job, time in starts]
        reservations = [(entry, time) for entry, time in entries
                 if entry is not None and entry.place is Place.WAITING]  # fmt: skip
        if reservations or self.reserved:
            self.reserved = reservations
            jobs.tell(Reserved(self.site, tuple((entry.position, time) for entry, time in reservations)))

    def list_others(self, jobs: JobNotes, others: Sequence[OtherJob], epoch: float) -> None:
        """See `Controllers.others`."""
        listed = {one.native_id: one for one in others}
        for native_id, entry in [*self.others.items()]:
            one = listed.get(native_id)
            if one is None or self._demand(one) != (entry.job.processors, entry.job.planned_time):
                jobs.tell(Ended(entry.position, self.site))
                jobs.leave(self.others.pop(native_id))
        for one in listed.values():
            started = None
            if one.state == "running":
                started = jobs.now if one.started_at is None else min(one.started_at - epoch, jobs.now)
            self._list_other(jobs, one, started)

    def _list_other(self, jobs: JobNotes, one: OtherJob, started: float | None) -> None:
        native_id = one.native_id
        entry = self.others.get(native_id)
        if entry is None:
            processors, planned = self._demand(one)
            number = int(native_id) if native_id.isdecimal() and len(native_id) < 19 else -1
            job = Job(0, number, jobs.now, processors, planned, planned)
            entry = self.others[native_id] = Entry(job, f"{self.name}/{native_id}", is_own=False)
            jobs.put(entry, self.site, started)
        elif started is not None and entry.place is Place.WAITING:
            entry.place, entry.started_at = Place.RUNNING, started
            jobs.tell(Started(entry.position, self.site, 0.0, started))
        elif started is None:
            jobs.stop(entry, Requeued)

    def _demand(self, one: OtherJob) -> tuple[int, float]:
        """Return the processors and the planned time of a job of others, as the engine takes it."""
        limit = one.time_limit if one.time_limit and one.time_limit > 0 else self.default_time_limit
        return min(max(one.processors, 1), self.processors), limit
