"""Controllers: brokers and global queues of the engine over real clusters, with jobs by their ids."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.live import messages as engine
from echelon.policies import capabilities
from echelon.service.core.controllers.choices import Assign, Choice, PlannedJob, Recall, Reject, Stop
from echelon.service.core.controllers.cluster_note import ClusterNote
from echelon.service.core.controllers.decision_maker import DecisionMaker
from echelon.service.core.controllers.engine_jobs import MOST_ENDED, EngineJobs
from echelon.service.core.controllers.engine_scenario import (
    engine_scenario,
    uses_forecasts,
    why_not_predictable,
)
from echelon.service.core.controllers.entry import Entry, Place
from echelon.service.core.controllers.job_notes import JobNotes
from echelon.service.core.controllers.predictor import Predictor
from echelon.service.records import JobRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.backends.contract import OtherJob
    from echelon.model import Job
    from echelon.service.core.controllers.lessons import Lesson
    from echelon.service.records import Candidate, ForecastRecord, JobSpec
    from echelon.service.rules import Rules


class Controllers:
    """What decides for the jobs of a service, as a function of what is noted: no I/O, and no clock.

    Everything that is noted takes effect at the next `decide`, in the order in which it was noted. All times
    are Unix times in seconds; within, those of the engine count from `epoch`, so that they stay exact. What
    is noted of jobs that are not known, or of clusters where they are not, changes nothing.

    Parameters
    ----------
    rules : Rules
        What decides, and over which clusters.
    sizes : mapping of str to int
        Processors of each cluster, in service or not.
    now : float
        The time.
    epoch : float, optional
        The second 0 of the engine; default: `now`, rounded down.
    most_ended : int, default 2000
        See `EngineJobs`.

    Raises
    ------
    InputError, UnknownNameError
        If the rules cannot be served; see `echelon.service.accepted_rules.why_not_served`.
    """

    def __init__(
        self,
        rules: Rules,
        sizes: Mapping[str, int],
        now: float,
        *,
        epoch: float | None = None,
        most_ended: int = MOST_ENDED,
    ) -> None:
        from echelon.service.accepted_rules import check_served

        check_served(rules, sizes)
        self._epoch = math.floor(now) if epoch is None else epoch
        scenario = engine_scenario(rules, sizes)
        self._notes = [
            ClusterNote(
                one.name, site, int(sizes[one.name]),
                default_time_limit=one.default_time_limit or rules.default_time_limit,
                predictable=why_not_predictable(scenario, one.name) is None,
                reserves=capabilities(scenario.policy.at(one.name).scheduler).plans,
            )
            for site, one in enumerate(rules.clusters)
        ]  # fmt: skip
        self._site = {note.name: note.site for note in self._notes}
        self._maker = DecisionMaker(rules, self._notes, uses_forecasts=uses_forecasts(scenario))
        self._predictor = Predictor(rules.estimator, rules.default_time_limit)
        self._jobs = EngineJobs(scenario, self._before_submit, most_ended)
        self._job_notes = JobNotes(self._jobs, self._notes, self._predictor, self._maker)
        self._now = now
        # What is noted, each to be called in order at the next decision.
        self._noted: list[Callable[[], object]] = []

    def _note(self, call: Callable[..., object], *values: object) -> None:
        self._noted.append(lambda: call(*values))

    def _note_cluster(self, cluster: str, call: Callable[..., None], *values: object) -> None:
        self._note(call, self._notes[self._site[cluster]], self._job_notes, *values)

    def _time(self, at: float) -> float:
        """Return a Unix time in the engine's seconds."""
        return at - self._epoch

    # Jobs ------------------------------------------------------------------------------------------------

    def restore(
        self,
        now: float,
        queued: Sequence[JobRecord],
        placed: Sequence[tuple[JobRecord, str, float | None]],
        ended: frozenset[str] = frozenset(),
    ) -> None:
        """Take in the jobs of a service that starts again.

        Parameters
        ----------
        now : float
            The time.
        queued : sequence of JobRecord
            At the service, in the order in which they are to be decided.
        placed : sequence of (JobRecord, str, float or None)
            At clusters, in the order of their queues, with when they started.
        ended : frozenset of str
            Jobs that have ended and that some of these follow.
        """
        for record, cluster, since in placed:
            started = None if since is None else self._time(since)
            self._note(self._job_notes.placed, record, self._site[cluster], self._time(now), started)
        self.arrive(now, queued, ended)

    def arrive(self, now: float, jobs: Iterable[JobRecord], ended: frozenset[str] = frozenset()) -> None:
        """Let jobs come, which were not here or had left; they wait for those of ``spec.after``.

        Parameters
        ----------
        now : float
            The time.
        jobs : iterable of JobRecord
            In the order of their coming.
        ended : frozenset of str, default empty
            Jobs that have ended, of those that these follow. All others are waited for until `ended`,
            `cancel` or a `Reject` says that they have; also those that are held and not known here.
        """
        for record in jobs:
            self._note(self._job_notes.arrived, record, self._time(now), ended)

    def cancel(self, job: str) -> None:
        """Let a job go that is not wanted any more.

        One that waits at a cluster gives a `Recall`, one that runs a `Stop`, and stays until it has `ended`.
        Jobs that follow it count it as ended.
        """
        self._note(self._job_notes.canceled, job)

    def hold(self, job: str) -> None:
        """Let a job go that comes back by `arrive`: jobs that follow it go on waiting for it."""
        self._note(self._job_notes.withdraw, job)

    def started(self, job: str, cluster: str, at: float, switch: float = 0.0) -> None:
        """Note that a job has started or resumed, perhaps some time ago; it pays a `switch`, in seconds."""
        self._note(self._job_notes.started, job, self._site[cluster], self._time(at), switch)

    def suspended(self, job: str, cluster: str) -> None:
        """Note that a running job waits again at its cluster, and keeps what it has done."""
        self._note(self._job_notes.suspended, job, self._site[cluster])

    def requeued(self, job: str, cluster: str) -> None:
        """Note that a running job waits again at its cluster, and has lost what it has done."""
        self._note(self._job_notes.requeued, job, self._site[cluster])

    def ended(self, job: str, cluster: str, run_time: float | None) -> None:
        """Note that a job has ended for good; estimators learn its `run_time`, in seconds, if it has one."""
        self._note(self._job_notes.ended, job, self._site[cluster], run_time)

    def refused(self, job: str, cluster: str, why: str) -> None:
        """Note that a cluster does not take a job that was to be submitted there, and never will."""
        self._note(self._job_notes.refused, job, self._site[cluster], why)

    def returned(self, job: str, cluster: str) -> None:
        """Let a job that waits or runs at this cluster come back for a decision; it may go there again."""
        self._note(self._job_notes.returned, job, self._site[cluster])

    def stayed(self, job: str, cluster: str) -> None:
        """Note that a job is still at a cluster that it was recalled from, and cannot be removed there."""
        self._note(self._job_notes.stayed, job, self._site[cluster])

    # Clusters --------------------------------------------------------------------------------------------

    def closed(self, cluster: str, why: str = "closed") -> None:
        """Note that a cluster takes no jobs at present: ``"drained"``, ``"unreachable"`` ..."""
        self._note_cluster(cluster, ClusterNote.close, why)

    def opened(self, cluster: str) -> None:
        """Note that a cluster takes jobs again."""
        self._note_cluster(cluster, ClusterNote.open)

    def resized(self, cluster: str, processors: int) -> None:
        """Note that a cluster has so many processors in service."""
        self._note_cluster(cluster, ClusterNote.resize, processors)

    def reserved(self, cluster: str, starts: Sequence[tuple[str, float]]) -> None:
        """Note the starts that a cluster has reserved, in its order, in place of all earlier ones.

        They count where its policy is said to keep reservations, as ``conservative`` does, and only where
        there is room for them as far as is known.
        """
        times = [(job, self._time(time)) for job, time in starts]
        self._note_cluster(cluster, ClusterNote.reserve, times)

    def others(self, cluster: str, jobs: Sequence[OtherJob]) -> None:
        """Note all jobs of others at a cluster: those that are missing have ended."""
        self._note_cluster(cluster, ClusterNote.list_others, jobs, self._epoch)

    def looked(self, cluster: str, at: float) -> None:
        """Note when the last complete look at a cluster began."""
        self._notes[self._site[cluster]].looked_at = at

    # Learning --------------------------------------------------------------------------------------------

    def teach(self, lessons: Iterable[Lesson]) -> int:
        """Let the estimator learn from jobs that ended before; return how many there were."""
        return self._predictor.teach(lessons)

    def note_actual(self, forecast: ForecastRecord, wait: float) -> None:
        """Note how long a job has waited since its decision, in seconds: intervals follow from it."""
        self._maker.note_actual(forecast, wait)

    # Decisions -------------------------------------------------------------------------------------------

    @property
    def waits(self) -> bool:
        """Whether clusters may decide before this instant is over: simulated ones do, others need not."""
        return self._jobs.core.waits

    def next_time(self) -> float:
        """Return when `decide` is due although nothing is noted; infinity if never."""
        if self._noted:
            return self._now
        due = self._jobs.core.next_time()
        time = due + self._epoch
        while time - self._epoch < due < math.inf:
            time = math.nextafter(time, math.inf)
        return time

    def decide(self, now: float) -> list[Choice]:
        """Take in all that has been noted since the last call, in one step of the engine, and decide.

        Raises
        ------
        PolicyError
            If a rule fails, or decides what is not allowed.
        """
        self._now = now
        time = max(self._time(now), self._jobs.now)
        observations = self._job_notes.begin(time)
        noted, self._noted = self._noted, []
        for call in noted:
            call()
        choices: list[Choice] = [Reject(*one) for one in self._job_notes.take_rejected()]
        return choices + self._choices_of(self._jobs.step(time, observations), now)

    def _choices_of(self, effects: Sequence[engine.Effect], now: float) -> list[Choice]:
        """Return the choices that the effects of a step are, in order; note where jobs are now."""
        submitted = [(self._jobs.entry(one.job.position), one.site)
                     for one in effects if isinstance(one, engine.Submit)]  # fmt: skip
        records = iter(self._maker.decisions(submitted, self._jobs.core, now))
        choices: list[Choice] = []
        for effect in effects:
            entry = self._jobs.entry(effect.job.position)
            match effect:
                case engine.Submit(_, site):
                    entry.place, entry.site = Place.WAITING, site
                    choices.append(Assign(entry.id, self._notes[site].name, *next(records)))
                case engine.Reject(_, why):
                    self._job_notes.rejected(entry)
                    for follower in self._job_notes.free(entry.id):
                        self._note(self._job_notes.released, follower)
                    choices.append(Reject(entry.id, why))
                case engine.Recall(_, site):
                    self._job_notes.recalled(entry)
                    choices.append(Recall(entry.id, self._notes[site].name))
                case engine.Stop(_, site):
                    choices.append(Stop(entry.id, self._notes[site].name))
        return choices

    def _before_submit(self, job: Job, site: int) -> None:
        self._maker.look(self._jobs.entry(job.position), job, self._jobs.core, self._now)

    def forecast(self, now: float, spec: JobSpec, owner: str = "") -> tuple[Candidate, ...]:
        """Return what every cluster would be for a job; nothing changes."""
        entry = self._as_if(now, spec, owner)
        with self._jobs.core.at(self._time(now)):
            return self._maker.candidates(entry, entry.job, self._jobs.core, now)

    def choice(self, now: float, spec: JobSpec, owner: str = "") -> str:
        """Return the cluster that would be chosen for a job if it were its turn now; nothing changes.

        Empty if there is none now, or where old news or chance decide.
        """
        entry = self._as_if(now, spec, owner)
        if all(self._maker.why_never(entry, entry.job, note) for note in self._notes):
            return ""
        with self._jobs.core.at(self._time(now)):
            site = self._jobs.choice(entry)
        return "" if site is None else self._notes[site].name

    def _as_if(self, now: float, spec: JobSpec, owner: str) -> Entry:
        """Return a job that is not here."""
        entry = Entry(self._job_notes.as_if(JobRecord("", 0, owner, spec, now), self._time(now)), "")
        entry.never = self._job_notes.never(spec)
        return entry

    def outlook(self, now: float) -> dict[str, list[PlannedJob]]:
        """Return when the jobs of each cluster are planned to run, by cluster; nothing changes.

        First the running jobs by planned end, then the waiting ones by planned start; clusters whose queues
        cannot be predicted have running jobs only.
        """
        plans: dict[str, list[PlannedJob]] = {}
        with self._jobs.core.at(self._time(now)) as clusters:
            for note, cluster in zip(self._notes, clusters, strict=True):
                plan = cluster.planned_schedule(None) if note.predictable else cluster.running_schedule()
                plans[note.name] = [self._plan_of(*one) for one in plan]
        return plans

    def _plan_of(self, job: Job, start: float, end: float) -> PlannedJob:
        entry = self._jobs.entry(job.position)
        name, runs = entry.id if entry.is_own else "", entry.place is Place.RUNNING
        return PlannedJob(name, job.processors, start + self._epoch, end + self._epoch, runs)
