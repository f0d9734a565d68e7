"""JobNotes: what is noted of jobs and clusters by their names, as reports to the engine by positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.live import (
    Canceled,
    Closed,
    Ended,
    Joined,
    Opened,
    Refused,
    Requeued,
    Reserved,
    Resized,
    Started,
    Submitted,
    Suspended,
)
from echelon.model import Job
from echelon.service.core.engine_jobs import placed
from echelon.service.core.entry import Entry, Place
from echelon.service.core.followers import Followers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import OtherJob
    from echelon.engine.live import Observation
    from echelon.service.core.cluster_note import ClusterNote
    from echelon.service.core.decision_maker import DecisionMaker
    from echelon.service.core.engine_jobs import EngineJobs
    from echelon.service.core.predictor import Predictor
    from echelon.service.records import JobRecord, JobSpec


class JobNotes:
    """The jobs by id, and what the engine is to be told of them at the next step.

    Parameters
    ----------
    jobs : EngineJobs
        Their positions.
    notes : sequence of ClusterNote
        The clusters.
    predictor : Predictor
        Plans jobs and learns.
    maker : DecisionMaker
        Says why no cluster will ever run a job.
    """

    def __init__(
        self,
        jobs: EngineJobs,
        notes: Sequence[ClusterNote],
        predictor: Predictor,
        maker: DecisionMaker,
    ) -> None:
        self._jobs, self._notes, self._predictor, self._maker = jobs, notes, predictor, maker
        self._entries: dict[str, Entry] = {}
        self._followers = Followers()
        self._told: list[Observation] = []
        self._rejected: list[tuple[str, str]] = []
        self._now = 0.0

    def begin(self, now: float) -> list[Observation]:
        """Begin a step `now`, in the engine's seconds; return the list that all that is noted is added to."""
        self._now = now
        moved = self._jobs.compact(now)
        self._told = moved
        if moved:
            states = [one for note in self._notes for one in note.state()]
            self._told = [*states, *moved, *(one for note in self._notes for one in note.reservations())]
        return self._told

    def take_rejected(self) -> list[tuple[str, str]]:
        """Return the jobs that no cluster will ever run, with reasons, since this was last asked."""
        rejected, self._rejected = self._rejected, []
        return rejected

    def _tell(self, *reports: Observation) -> None:
        self._told += reports

    def _alive(self, job: str) -> Entry | None:
        return self._entries.get(job)

    # Coming and going ------------------------------------------------------------------------------------

    def never(self, spec: JobSpec) -> frozenset[int]:
        """Return the clusters that may not run a job."""
        if not spec.clusters:
            return frozenset()
        return frozenset(note.site for note in self._notes if note.name not in spec.clusters)

    def as_if(self, record: JobRecord, now: float) -> Job:
        """Return a job that is not here, as the engine would plan it."""
        asked = self._predictor.job(record, now)._replace(position=-1)
        return self._planned(asked)._replace(position=self._jobs.next_position)

    def _planned(self, asked: Job) -> Job:
        waiting = [job for cluster in self._jobs.clusters for job in cluster.waiting]
        return self._predictor.planned(asked, len(waiting), sum(job.area for job in waiting))

    def _new(self, record: JobRecord, now: float) -> Entry:
        asked = self._predictor.job(record, now)
        entry = Entry(self._planned(asked), record.id)
        entry.lesson, entry.never = asked, self.never(record.spec)
        entry.decisions = record.attempt
        return entry

    def arrived(self, record: JobRecord, now: float, ended: frozenset[str]) -> None:
        """See `Controllers.arrive`."""
        if record.id in self._entries:
            return
        entry = self._new(record, now)
        why = [self._maker.why_never(entry, entry.job, note) for note in self._notes]
        if all(why):
            names = (note.name for note in self._notes)
            said = "; ".join(f"{name}: {one}" for name, one in zip(names, why, strict=True))
            self._rejected.append((record.id, f"no cluster will ever run it ({said})"))
            self._free_all(record.id)
            return
        self._entries[record.id] = entry
        self._jobs.add(entry, self._now)
        if not self._followers.add(record.id, (one for one in record.spec.after if one not in ended)):
            self._come(entry)

    def _come(self, entry: Entry) -> None:
        """Let a job come to the root."""
        entry.place, entry.since = Place.ROOT, self._now
        self._tell(*placed(entry))

    def placed(self, record: JobRecord, site: int, now: float, started: float | None) -> None:
        """Let a job be at a cluster, where it was when the service stopped."""
        if record.id in self._entries:
            return
        entry = self._entries[record.id] = self._new(record, now)
        self._put(entry, site, started)

    def _put(self, entry: Entry, site: int, started: float | None) -> None:
        """Let a new entry be at a cluster."""
        self._jobs.add(entry, self._now)
        entry.place, entry.site = Place.WAITING if started is None else Place.RUNNING, site
        entry.started_at = None if started is None else min(started, self._now)
        self._tell(*placed(entry))

    def released(self, job: str) -> None:
        """Let a job come that waits for no other any more."""
        if (entry := self._alive(job)) is not None and entry.place is Place.APART:
            self._come(entry)

    def free(self, job: str) -> list[str]:
        """Return the jobs that wait for nothing more now that `job` has ended."""
        return self._followers.ended(job)

    def _free_all(self, job: str) -> None:
        for follower in self.free(job):
            self.released(follower)

    def _leave(self, entry: Entry) -> None:
        self._jobs.gone(entry)
        if entry.is_own:
            del self._entries[entry.id]
            self._followers.forget(entry.id)

    def canceled(self, job: str) -> None:
        """See `Controllers.cancel`."""
        if self._withdrawn(job):
            self._free_all(job)

    def held(self, job: str) -> None:
        """See `Controllers.hold`."""
        self._withdrawn(job)

    def _withdrawn(self, job: str) -> bool:
        """Let a job go unless it runs; return whether it has left."""
        if (entry := self._alive(job)) is None:
            return False
        if entry.place is not Place.APART:
            self._tell(Canceled(entry.position))
        if entry.place is Place.RUNNING:
            return False
        self._leave(entry)
        return True

    def submitted(self, entry: Entry, site: int) -> None:
        """Note that the engine has sent a job to a cluster."""
        entry.place, entry.site = Place.WAITING, site

    def rejected(self, entry: Entry) -> None:
        """Note that the engine has rejected a job."""
        if entry.place is not Place.GONE:
            self._leave(entry)

    # At clusters -----------------------------------------------------------------------------------------

    def _at(self, job: str, site: int) -> Entry | None:
        """Return a job that is at this cluster."""
        entry = self._alive(job)
        return entry if entry is not None and entry.is_at_cluster and entry.site == site else None

    def started(self, job: str, site: int, at: float, switch: float) -> None:
        """See `Controllers.started`."""
        entry = self._at(job, site)
        if entry is not None and entry.place is Place.WAITING:
            entry.place, entry.started_at = Place.RUNNING, min(at, self._now)
            self._tell(Started(entry.position, site, switch, entry.started_at))

    def suspended(self, job: str, site: int) -> None:
        """See `Controllers.suspended`."""
        self._stopped(self._at(job, site), Suspended)

    def requeued(self, job: str, site: int) -> None:
        """See `Controllers.requeued`."""
        self._stopped(self._at(job, site), Requeued)

    def _stopped(self, entry: Entry | None, how: type[Suspended | Requeued]) -> None:
        if entry is not None and entry.place is Place.RUNNING:
            entry.place, entry.started_at = Place.WAITING, None
            self._tell(how(entry.position, entry.site))

    def ended(self, job: str, site: int, run_time: float | None) -> None:
        """See `Controllers.ended`."""
        if (entry := self._at(job, site)) is None:
            return
        self._tell(Ended(entry.position, site))
        if run_time is not None and entry.lesson is not None:
            self._predictor.learn(entry.lesson, run_time, self._now)
        self._leave(entry)
        self._free_all(job)

    def refused(self, job: str, site: int, why: str) -> None:
        """See `Controllers.refused`."""
        entry = self._at(job, site)
        if entry is not None and entry.place is Place.WAITING:
            entry.refusals[site] = why
            entry.place, entry.site = Place.ROOT, -1
            self._tell(Refused(entry.position, site, why))

    def returned(self, job: str, site: int) -> None:
        """See `Controllers.returned`."""
        if (entry := self._at(job, site)) is None:
            return
        self._tell(Ended(entry.position, site))
        self._jobs.gone(entry)
        again = self._entries[job] = Entry(entry.job, job)
        again.never, again.refusals, again.lesson = entry.never, entry.refusals, entry.lesson
        again.decisions = entry.decisions
        self._jobs.add(again, self._now)
        self._come(again)

    # Clusters --------------------------------------------------------------------------------------------

    def closed(self, site: int, why: str) -> None:
        """See `Controllers.closed`."""
        self._notes[site].why_closed = why
        self._tell(Closed(site))

    def opened(self, site: int) -> None:
        """See `Controllers.opened`."""
        if self._notes[site].why_closed:
            self._notes[site].why_closed = ""
            self._tell(Opened(site))

    def resized(self, site: int, processors: int) -> None:
        """See `Controllers.resized`."""
        if self._notes[site].in_service != processors:
            self._notes[site].in_service = processors
            self._tell(Resized(site, processors))

    def reserved(self, site: int, starts: Sequence[tuple[str, float]]) -> None:
        """See `Controllers.reserved`."""
        found = [(self._at(job, site), max(time, self._now)) for job, time in starts]
        known = [(entry, time) for entry, time in found
                 if entry is not None and entry.place is Place.WAITING]  # fmt: skip
        if known or self._notes[site].reserved:
            self._notes[site].reserved = known
            self._tell(Reserved(site, tuple((entry.position, time) for entry, time in known)))

    def others(self, site: int, jobs: Sequence[OtherJob], epoch: float) -> None:
        """See `Controllers.others`."""
        note = self._notes[site]
        listed = {one.native_id: one for one in jobs}
        for native_id, entry in [*note.others.items()]:
            one = listed.get(native_id)
            if one is None or _asked(one, note) != (entry.job.processors, entry.job.planned_time):
                self._tell(Ended(entry.position, site))
                self._leave(note.others.pop(native_id))
        for native_id, one in listed.items():
            started = None
            if one.state == "running":
                started = self._now if one.started_at is None else min(one.started_at - epoch, self._now)
            self._other(note, native_id, one, started)

    def _other(self, note: ClusterNote, native_id: str, one: OtherJob, started: float | None) -> None:
        entry = note.others.get(native_id)
        if entry is None:
            processors, planned = _asked(one, note)
            number = int(native_id) if native_id.isdecimal() and len(native_id) < 19 else -1
            job = Job(0, number, self._now, processors, planned, planned)
            entry = note.others[native_id] = Entry(job, f"{note.name}/{native_id}", is_own=False)
            self._put(entry, note.site, started)
        elif started is not None and entry.place is Place.WAITING:
            entry.place, entry.started_at = Place.RUNNING, started
            self._tell(Started(entry.position, note.site, 0.0, started))
        elif started is None:
            self._stopped(entry, Requeued)


def _asked(one: OtherJob, note: ClusterNote) -> tuple[int, float]:
    """Return the processors and the planned time of a job of others: no more than the cluster is known to have."""
    limit = one.time_limit if one.time_limit and one.time_limit > 0 else note.default_time_limit
    return min(max(one.processors, 1), note.processors), limit
