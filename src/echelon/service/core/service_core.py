"""ServiceCore: what a service does as a function of what it observes, without a clock and without I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.service.core.clusters import Clusters
from echelon.service.core.decisions import Decisions
from echelon.service.core.findings import Findings
from echelon.service.core.job_table import AT_CLUSTER, JobTable
from echelon.service.core.looks import Looks
from echelon.service.core.reports import Reports
from echelon.service.core.revocations import Revocations
from echelon.service.core.submissions import Submissions
from echelon.service.core.transitions import Transitions
from echelon.service.core.wishes import Wishes
from echelon.service.messages import Answered, Arrived, Found, Looked, Moded, Revoked, Wished
from echelon.service.records import AttemptState, JobState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.backends.contract import Description
    from echelon.service.core.controllers.controllers import Controllers
    from echelon.service.messages import Observation, Step
    from echelon.service.records import AttemptRecord, JobRecord, OpenRecords
    from echelon.service.rules import Rules


class ServiceCore:
    """Jobs, clusters and controllers of a service, step by step.

    What is observed goes in; what is to be committed, and then done, comes out. Nothing here reads a clock, a
    file or a socket, so equal observations give equal steps.

    Parameters
    ----------
    rules : Rules
        By which it decides, and which clusters there are.
    open_records : OpenRecords
        What the store has, after a start or a restart.
    descriptions : mapping of str to Description
        What the back ends say of their clusters, by name.
    now : float
        Unix time in seconds.
    controllers : callable, optional
        Makes the controllers of rules, sizes of clusters by name, and the time; default: `Controllers`.

    Attributes
    ----------
    controllers : Controllers
        What decides; they may be asked, and taught, between steps.

    Notes
    -----
    **Guarantees.** With claims, no run of a job is executed twice, and a job without retries has at
    most one run that is executed, whatever is killed when, as long as the store keeps what it commits. No job
    is given up: what is not clear stays open until its cluster has shown what became of it. Without claims a
    copy of a submission that arrives later than `Description.patience` may be executed, too.

    **Intent.** An attempt is committed before it is made, so a restart knows which answers it does not have.
    A job that follows others waits until they have ended, in any state, as in a simulation.

    **Cost** of a step: as what is observed, and for a look as the jobs that its cluster has.
    """

    def __init__(
        self,
        rules: Rules,
        open_records: OpenRecords,
        descriptions: Mapping[str, Description],
        now: float,
        *,
        controllers: Callable[[Rules, Mapping[str, int], float], Controllers] | None = None,
    ) -> None:
        self._table = JobTable(open_records, now)
        sizes = {one.name: descriptions[one.name].processors for one in rules.clusters}
        self.controllers = (controllers or _controllers)(rules, sizes, now)
        records = {one.name: one for one in open_records.clusters}
        self._clusters = Clusters(rules, descriptions, records, self._table)
        self._reports = Reports(self.controllers, self._table)
        self._transitions = Transitions(self._table, self._reports)
        below = self._table, self._reports, self._clusters, self._transitions
        self._revocations = Revocations(*below)
        shared = *below, self._revocations
        self._wishes, self._looks = Wishes(*shared, rules=rules), Looks(*shared, rules=rules)
        self._findings = Findings(*shared, rules=rules)
        self._submissions = Submissions(*shared, rules=rules)
        self._decisions = Decisions(*shared, rules=rules)
        self._restore(open_records.ended)

    def _restore(self, ended: frozenset[str]) -> None:
        """Continue where the last service was stopped, at any point."""
        table = self._table
        for job in [*table.jobs.values()]:
            if job.state is JobState.ASSIGNED and job.cluster not in self._clusters:
                self._transitions.back(job, f"{job.cluster} is not there any more.", run=job.run + 1)
        jobs = list(table.jobs.values())
        for job in sorted(jobs, key=lambda job: (job.assigned_at or 0.0, job.number)):
            self._transitions.line_up(job)
        queued = [self._reports.reduce(job) for job in jobs if job.state is JobState.QUEUED]
        placed = [
            (self._reports.reduce(job), job.cluster, job.started_at)
            for job in jobs
            if (job.state in AT_CLUSTER or job.state is JobState.ASSIGNED) and job.cluster in self._clusters
        ]
        self.controllers.restore(table.now, queued, placed, ended)
        self._clusters.report(self._reports)
        for job in jobs:
            attempt = self._limit_times(table.attempt(job)) if job.state in AT_CLUSTER else None
            if attempt is not None and attempt.state is AttemptState.INTENDED:
                # The worker that was to submit it is gone, but may have done it until now.
                reason = "The service was restarted before the answer was kept."
                table.keep(attempt, state=AttemptState.UNCLEAR, answered_at=table.now, reason=reason)
            if job.wanted != "run" and job.cluster in self._clusters and self._revocations.may_start(job):
                self._wishes.pursue(job)

    def _limit_times(self, attempt: AttemptRecord | None) -> AttemptRecord | None:
        """Return an attempt without times ahead: a clock that was set back since has written them."""
        if attempt is None:
            return None
        times = ("answered_at", "seen_at", "settled_at")
        stamps = {name: time for name in times if (time := getattr(attempt, name)) is not None}
        late = {name: self._table.now for name, time in stamps.items() if time > self._table.now}
        return self._table.keep(attempt, **late) if late else attempt

    def step(self, now: float, observations: Sequence[Observation]) -> Step:
        """Take in what is observed, decide, and return what follows.

        Parameters
        ----------
        now : float
            Unix time in seconds; a time before that of the last step counts as that.
        observations : sequence of Observation
            In the order in which they came.

        Returns
        -------
        Step
            Changes to be committed together, and actions to be carried out after that, in order.
        """
        table = self._table
        table.now = max(table.now, now)
        for one in observations:
            self._take(one)
        self._clusters.report(self._reports)
        self._decisions.act(self._wishes)
        self._submissions.act()
        self._revocations.act()
        return table.take()

    def _take(self, one: Observation) -> None:
        match one:
            case Arrived():
                self._arrive(one)
            case Wished():
                self._wishes.take(one)
            case Answered():
                self._submissions.take(one)
            case Looked():
                self._look(one)
            case Found():
                self._findings.take(one)
            case Revoked():
                self._revocations.take(one.cluster, one)
            case Moded():
                self._wishes.take_mode(one)

    def _arrive(self, arrived: Arrived) -> None:
        new = [job for job in arrived.jobs if job.id not in self._table.jobs]
        for job in new:
            self._table.add(job)
        self._reports.arrived([job for job in new if job.state is JobState.QUEUED])

    def _look(self, looked: Looked) -> None:
        cluster, snapshot = looked
        # What is older than what is known already says nothing new.
        if cluster not in self._clusters or snapshot.began_at < self._clusters[cluster].began_at:
            return
        self._revocations.ask_again(cluster)
        if not snapshot.is_complete:
            self._clusters.failed(cluster, snapshot)
            self._wishes.take_lost(cluster)
            return
        self._clusters.looked(cluster, snapshot)
        self._looks.take(cluster, snapshot)
        self._reports.looked(cluster, snapshot, self._reservations_of(looked))

    def _reservations_of(self, looked: Looked) -> list[tuple[str, float]]:
        """Return the reserved starts of a look by the ids of the jobs."""
        at = self._table.at.get(looked.cluster, {})
        ids = {self._table.jobs[one].tag: one for one in at} if looked.snapshot.reserved else {}
        return [(ids[tag], start) for tag, start in looked.snapshot.reserved if tag in ids]

    def next_time(self) -> float:
        """Return when a step is due although nothing is observed, in Unix seconds: infinity if never."""
        return min(self.controllers.next_time(), self._clusters.next_time(self._table.now))

    def open_jobs(self) -> dict[str, JobRecord]:
        """Return the jobs that have not ended, by id."""
        return {name: job for name, job in self._table.jobs.items() if not job.state.is_final}


def _controllers(rules: Rules, sizes: Mapping[str, int], now: float) -> Controllers:
    from echelon.service.core.controllers.controllers import Controllers

    return Controllers(rules, sizes, now)
