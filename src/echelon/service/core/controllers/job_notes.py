"""JobNotes: what is noted of jobs by their ids, as reports to the engine by positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.live import Canceled, Ended, Refused, Requeued, Started, Suspended
from echelon.service.core.controllers.engine_jobs import reports_of
from echelon.service.core.controllers.entry import Entry, Place
from echelon.service.core.controllers.followers import Followers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.live import Observation
    from echelon.model import Job
    from echelon.service.core.controllers.cluster_note import ClusterNote
    from echelon.service.core.controllers.decision_maker import DecisionMaker
    from echelon.service.core.controllers.engine_jobs import EngineJobs
    from echelon.service.core.controllers.predictor import Predictor
    from echelon.service.records import JobRecord, JobSpec


_MOST_RECALLED = 10_000
"""Jobs that are remembered after they were to leave their clusters: only the newest may still be there."""


class JobNotes:
    """The jobs by id, and the observations of them for the engine's next step.

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

    Attributes
    ----------
    now : float
        The time of the step, in the engine's seconds.
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
        self._observations: list[Observation] = []
        self._rejected: list[tuple[str, str]] = []
        self._recalled: dict[str, Entry] = {}
        self.now = 0.0

    def begin(self, now: float) -> list[Observation]:
        """Begin a step `now`, in the engine's seconds; return the list that all that is noted is added to."""
        self.now = now
        moved = self._jobs.compact(now)
        self._observations = moved
        if moved:
            states = [one for note in self._notes for one in note.state()]
            self._observations = [
                *states,
                *moved,
                *(one for note in self._notes for one in note.reservations()),
            ]
        return self._observations

    def take_rejected(self) -> list[tuple[str, str]]:
        """Return the jobs that no cluster will ever run, with reasons, since this was last asked."""
        rejected, self._rejected = self._rejected, []
        return rejected

    def tell(self, *reports: Observation) -> None:
        """Tell the engine this at the next step."""
        self._observations += reports

    # Coming and going ------------------------------------------------------------------------------------

    def never(self, spec: JobSpec) -> frozenset[int]:
        """Return the clusters that may not run a job."""
        if not spec.clusters:
            return frozenset()
        return frozenset(note.site for note in self._notes if note.name not in spec.clusters)

    def as_if(self, record: JobRecord, now: float) -> Job:
        """Return a job that is not here, as the engine would plan it."""
        asked = self._predictor.job(record, now)._replace(position=-1)
        return self._plan_job(asked)._replace(position=self._jobs.next_position)

    def _plan_job(self, asked: Job) -> Job:
        clusters = self._jobs.core.clusters if self._predictor.watches else ()
        waiting = sum(len(cluster.waiting) for cluster in clusters)
        return self._predictor.plan(asked, waiting, sum(cluster.waiting_work for cluster in clusters))

    def _new(self, record: JobRecord, now: float) -> Entry:
        asked = self._predictor.job(record, now)
        entry = Entry(self._plan_job(asked), record.id)
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
            reasons = "; ".join(f"{name}: {one}" for name, one in zip(names, why, strict=True))
            self._rejected.append((record.id, f"no cluster will ever run it ({reasons})"))
            self._free_all(record.id)
            return
        self._entries[record.id] = entry
        self._jobs.add(entry, self.now)
        if not self._followers.add(record.id, (one for one in record.spec.after if one not in ended)):
            self._come(entry)

    def _come(self, entry: Entry) -> None:
        """Let a job come to the root."""
        entry.place, entry.since = Place.ROOT, self.now
        self.tell(*reports_of(entry))

    def placed(self, record: JobRecord, site: int, now: float, started: float | None) -> None:
        """Let a job be at a cluster, where it was when the service stopped."""
        if record.id in self._entries:
            return
        entry = self._entries[record.id] = self._new(record, now)
        self.put(entry, site, started)

    def put(self, entry: Entry, site: int, started: float | None) -> None:
        """Let a new entry be at a cluster."""
        self._jobs.add(entry, self.now)
        entry.place, entry.site = Place.WAITING if started is None else Place.RUNNING, site
        entry.started_at = None if started is None else min(started, self.now)
        self.tell(*reports_of(entry))

    def released(self, job: str) -> None:
        """Let a job come that waits for no other any more."""
        if (entry := self._entries.get(job)) is not None and entry.place is Place.APART:
            self._come(entry)

    def free(self, job: str) -> list[str]:
        """Return the jobs that wait for nothing more now that `job` has ended."""
        return self._followers.ended(job)

    def _free_all(self, job: str) -> None:
        for follower in self.free(job):
            self.released(follower)

    def leave(self, entry: Entry) -> None:
        """Note that a job has left the engine."""
        self._jobs.gone(entry)
        if entry.is_own:
            del self._entries[entry.id]
            self._followers.forget(entry.id)

    def canceled(self, job: str) -> None:
        """See `Controllers.cancel`."""
        # A held job is not known here, but others may follow it.
        if self.withdraw(job) or job not in self._entries:
            self._free_all(job)

    def withdraw(self, job: str) -> bool:
        """See `Controllers.hold`: let a job go unless it runs; return whether it has left."""
        if (entry := self._entries.get(job)) is None:
            return False
        if entry.place is not Place.APART:
            self.tell(Canceled(entry.position))
        if entry.place is Place.RUNNING:
            return False
        self.leave(entry)
        return True

    def recalled(self, entry: Entry) -> None:
        """Note that a job is to leave its cluster, which it perhaps will not."""
        self._recalled[entry.id] = entry
        if len(self._recalled) > _MOST_RECALLED:
            del self._recalled[next(iter(self._recalled))]

    def stayed(self, job: str, site: int) -> None:
        """See `Controllers.stayed`."""
        if self.at(job, site) is not None:
            return
        entry = self._entries.get(job)
        if entry is not None and not self.withdraw(job):
            return
        if (entry := entry or self._recalled.pop(job, None)) is not None:
            again = self._entries[job] = entry.renew()
            self.put(again, site, None)

    def rejected(self, entry: Entry) -> None:
        """Note that the engine has rejected a job."""
        if entry.place is not Place.GONE:
            self.leave(entry)

    # At clusters -----------------------------------------------------------------------------------------

    def at(self, job: str, site: int) -> Entry | None:
        """Return a job that is at this cluster."""
        entry = self._entries.get(job)
        return entry if entry is not None and entry.is_at_cluster and entry.site == site else None

    def started(self, job: str, site: int, at: float, switch: float) -> None:
        """See `Controllers.started`."""
        entry = self.at(job, site)
        if entry is not None and entry.place is Place.WAITING:
            entry.place, entry.started_at = Place.RUNNING, min(at, self.now)
            self.tell(Started(entry.position, site, switch, entry.started_at))

    def suspended(self, job: str, site: int) -> None:
        """See `Controllers.suspended`."""
        self.stop(self.at(job, site), Suspended)

    def requeued(self, job: str, site: int) -> None:
        """See `Controllers.requeued`."""
        self.stop(self.at(job, site), Requeued)

    def stop(self, entry: Entry | None, how: type[Suspended | Requeued]) -> None:
        """Let a job wait again at its cluster if it runs."""
        if entry is not None and entry.place is Place.RUNNING:
            entry.place, entry.started_at = Place.WAITING, None
            self.tell(how(entry.position, entry.site))

    def ended(self, job: str, site: int, run_time: float | None) -> None:
        """See `Controllers.ended`."""
        if (entry := self.at(job, site)) is None:
            return
        self.tell(Ended(entry.position, site))
        if run_time is not None and entry.lesson is not None:
            self._predictor.learn(entry.lesson, run_time, self.now)
        self.leave(entry)
        self._free_all(job)

    def refused(self, job: str, site: int, why: str) -> None:
        """See `Controllers.refused`."""
        entry = self.at(job, site)
        if entry is not None and entry.place is Place.WAITING:
            entry.refusals[site] = why
            entry.place, entry.site = Place.ROOT, -1
            self.tell(Refused(entry.position, site, why))

    def returned(self, job: str, site: int) -> None:
        """See `Controllers.returned`."""
        if (entry := self.at(job, site)) is None:
            return
        self.tell(Ended(entry.position, site))
        self._jobs.gone(entry)
        again = self._entries[job] = entry.renew()
        self._jobs.add(again, self.now)
        self._come(again)
