"""Twin: a service over simulated clusters, in no time."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from echelon.backends.simulated import Driven, SimulatedBackend
from echelon.service.core import ServiceCore
from echelon.service.core.controllers.followers import Followers
from echelon.service.messages import (
    Answered,
    Arrived,
    CancelJob,
    FindEvidence,
    Found,
    LookAgain,
    Looked,
    RevokeClaims,
    Revoked,
    SubmitJob,
)
from echelon.service.records import DecisionRecord, ForecastRecord, JobRecord, OpenRecords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.backends import Backend, Description
    from echelon.backends.simulated import KnownJobs, Simulation
    from echelon.service.messages import Action, Observation
    from echelon.service.records import Record
    from echelon.service.rules import Rules

_NEVER = 1e12
"""An interval that no day of a twin has, in seconds."""
_MANY = 10**9


@dataclass(frozen=True, slots=True)
class TwinDay:
    """What became of the jobs of a twin.

    Attributes
    ----------
    jobs : mapping of str to JobRecord
        As they were last, by id.
    decisions : tuple of DecisionRecord
        In order.
    forecasts : tuple of ForecastRecord
        In order.
    steps : int
        Of the core.
    """

    jobs: Mapping[str, JobRecord]
    decisions: tuple[DecisionRecord, ...]
    forecasts: tuple[ForecastRecord, ...]
    steps: int


class Twin:
    """The core of a service over simulated clusters, with a step at every event.

    The core is that of the service, and every message of its protocol is exchanged: intents, answers, looks,
    evidence, claims. All of them arrive at the instant at which they are sent. What has ended is found in the
    step that sees it, so no rule decides before it is known.

    Parameters
    ----------
    rules : Rules
        By which it decides. Whatever they say of patience (how long jobs take to settle, how many may be
        unsettled, how old news may be) is of no effect here.
    simulation : Simulation
        The clusters, in the order of the rules.
    roster : KnownJobs
        Its jobs.
    jobs : sequence of JobRecord
        To be submitted, each at its time.
    open_records : OpenRecords, optional
        Jobs that the service has at the beginning; those at clusters are there in the simulation.
    now : float, default 0
        When it begins, in seconds, not after the first submission.
    record : callable, optional
        Is given what changes at each step, as a store is.
    """

    def __init__(
        self,
        rules: Rules,
        simulation: Simulation,
        roster: KnownJobs,
        jobs: Sequence[JobRecord],
        *,
        open_records: OpenRecords | None = None,
        now: float = 0.0,
        record: Callable[[Sequence[Record]], object] = list,
    ) -> None:
        self._rules, self._simulation, self._roster = _without_patience(rules), simulation, roster
        clock = Driven()
        self._backends: dict[str, Backend] = {
            one.name: SimulatedBackend(simulation, site, clock, policy=one.policy)
            for site, one in enumerate(rules.clusters)
        }
        descriptions: dict[str, Description] = {
            name: backend.describe() for name, backend in self._backends.items()
        }
        open_records = open_records or OpenRecords()
        self._record = record
        self._core = ServiceCore(self._rules, open_records, descriptions, now)
        self._start = now
        self._arriving = sorted(jobs, key=lambda job: job.submitted_at)
        self._next = 0
        self._jobs: dict[str, JobRecord] = {job.id: job for job in open_records.jobs}
        self._kept: dict[type, list[Record]] = {DecisionRecord: [], ForecastRecord: []}
        self._followers = Followers()
        self._answers: list[Observation] = []
        self._revoked: list[Observation] = []
        self._look_again: set[str] = set()
        self._steps = 0

    def run(self) -> TwinDay:
        """Run until nothing happens any more; return what became of the jobs."""
        self._simulation.begin(self._start)
        self._step([self._look(name) for name in self._backends])
        self._finish_instant()
        while (now := self._next_time()) < _NEVER:
            self._simulation.begin(max(now, self._simulation.now))
            self._step([*self._look_at_changes(), *self._arrivals()])
            self._finish_instant()
        return TwinDay(
            self._jobs,
            tuple(one for one in self._kept[DecisionRecord] if isinstance(one, DecisionRecord)),
            tuple(one for one in self._kept[ForecastRecord] if isinstance(one, ForecastRecord)),
            self._steps,
        )

    def _next_time(self) -> float:
        arrives = self._arriving[self._next].submitted_at if self._next < len(self._arriving) else math.inf
        return min(arrives, self._core.next_time(), self._simulation.next_time())

    def _finish_instant(self) -> None:
        """Let clusters and core decide in turn until nothing is left to decide at this instant."""
        while True:
            while self._revoked:
                # Whose claim is taken leaves before the clusters decide.
                revoked, self._revoked = self._revoked, []
                self._step(revoked)
            self._simulation.decide()
            observed = [*self._take_answers(), *self._look_at_changes()]
            if not observed and not self._core.controllers.waits:
                break
            self._step(observed or [self._look(next(iter(self._backends)))])
        self._simulation.settle()

    def _step(self, observed: Iterable[Observation]) -> None:
        """Let the core take in what is observed; keep what changes, and do what it wants done."""
        step = self._core.step(self._simulation.now, [*observed])
        self._steps += 1
        self._record(step.changes)
        for change in step.changes:
            self._keep(change)
        for action in step.actions:
            self._carry_out(action)

    def _keep(self, change: Record) -> None:
        if isinstance(change, JobRecord):
            self._jobs[change.id] = change
            if change.state.is_final:
                for follower in self._followers.ended(change.id):
                    self._come(follower)
        elif type(change) in self._kept:
            self._kept[type(change)].append(change)

    def _come(self, job: str) -> None:
        """Note that a job comes to the controllers now, later than it was submitted."""
        self._roster.came(self._jobs[job].tag, self._simulation.now)

    def _arrivals(self) -> list[Observation]:
        """Return the jobs that are submitted now, as the store would have them."""
        first = self._next
        while (
            self._next < len(self._arriving)
            and self._arriving[self._next].submitted_at <= self._simulation.now
        ):
            self._next += 1
        if not (arrived := self._arriving[first : self._next]):
            return []
        for job in arrived:
            self._jobs[job.id] = job
            self._followers.add(job.id, (one for one in job.spec.after if not self._has_ended(one)))
        return [Arrived(tuple(arrived))]

    def _has_ended(self, job: str) -> bool:
        return job not in self._jobs or self._jobs[job].state.is_final

    def _look_at_changes(self) -> list[Observation]:
        """Return looks at the clusters where something has changed, with evidence of what has ended."""
        names = [*self._backends]
        changed = {names[site]: site for site in self._simulation.take_changed()}
        changed |= {name: names.index(name) for name in self._look_again}
        self._look_again = set()
        observed: list[Observation] = []
        for name, site in sorted(changed.items(), key=lambda one: one[1]):
            observed.append(self._look(name))
            if ended := self._simulation.just_ended(site):
                observed.append(self._find(name, ended))
        return observed

    def _look(self, cluster: str) -> Observation:
        return Looked(cluster, self._backends[cluster].look())

    def _find(self, cluster: str, tags: tuple[str, ...]) -> Observation:
        return Found(cluster, tags, self._backends[cluster].evidence(tags))

    def _take_answers(self) -> list[Observation]:
        answers, self._answers = self._answers, []
        return answers

    def _carry_out(self, action: Action) -> None:
        """Do what the core wants done; what comes of it is observed next."""
        backend = self._backends[action.cluster]
        match action:
            case SubmitJob(_, job, attempt, submission):
                self._answers += [Answered(job, attempt, one) for one in backend.submit([submission])]
            case CancelJob(_, tag, native_id):
                backend.cancel([(tag, native_id)])
            case FindEvidence(cluster, tags):
                self._answers.append(self._find(cluster, tags))
            case RevokeClaims(cluster, tags):
                self._revoked.append(Revoked(cluster, tags, tuple(backend.revoke(tags).items())))
            case LookAgain(cluster):
                self._look_again.add(cluster)


def _without_patience(rules: Rules) -> Rules:
    """Return rules for clusters that answer at once and forget nothing."""
    clusters = tuple(replace(one, look_every=_NEVER, unsettled=_MANY) for one in rules.clusters)
    return replace(rules, clusters=clusters, settle=0.0, grace=0.0)
