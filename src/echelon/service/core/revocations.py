"""Revocations: jobs leave a cluster only when they can never start there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.service.core.notes import Departure
from echelon.service.core.sentences import sentence
from echelon.service.messages import CancelJob, LookAgain, RevokeClaims
from echelon.service.records import AttemptState, JobState

if TYPE_CHECKING:
    from echelon.service.core.clusters import Clusters
    from echelon.service.core.job_table import JobTable
    from echelon.service.core.reports import Reports
    from echelon.service.core.transitions import Transitions
    from echelon.service.messages import Revoked
    from echelon.service.records import JobRecord

_RECALLED = ("recalled", "rejected")
"""Why jobs leave that the controllers do not count as at their clusters any more."""


class Revocations:
    """Takes claims of jobs that are to leave their clusters.

    A job of which a copy may be at its cluster, now or later, leaves it only once its claim is the service's.
    A spent claim is never used again: the next run of the job has another tag. Where there are no
    claims, a job that may be at its cluster stays there.
    """

    def __init__(
        self, table: JobTable, reports: Reports, clusters: Clusters, transitions: Transitions
    ) -> None:
        self._table, self._reports, self._clusters = table, reports, clusters
        self._transitions = transitions
        self._asked: dict[str, dict[str, str]] = {}
        self._new: dict[str, dict[str, None]] = {}

    def is_leaving(self, job: JobRecord) -> bool:
        """Return whether a job must not be submitted, since it is to leave its cluster."""
        return self._table.notes[job.id].departure is not None or job.wanted != "run"

    def is_recalled(self, job: JobRecord) -> bool:
        """Return whether the controllers count a job as not at its cluster any more."""
        departure = self._table.notes[job.id].departure
        return departure is not None and departure.kind in _RECALLED

    def may_start(self, job: JobRecord) -> bool:
        """Return whether a copy of the present run of a job may be at its cluster, or yet arrive there."""
        return any(one.run == job.run and one.state.may_start for one in self._table.attempts(job))

    def leave(self, job: JobRecord, departure: Departure) -> bool:
        """Let a job leave its cluster; return False if it must stay, since there are no claims."""
        notes = self._table.notes[job.id]
        if not self.may_start(job):
            # Its claim may be the service's by now although no copy is left.
            is_asked = self._asked.get(job.cluster, {}).get(job.id) == job.tag
            departure, notes.departure = notes.departure or departure, None
            self._depart(job, departure, run=job.run + is_asked)
            return True
        if not self._clusters.has_claims(job.cluster):
            return False
        notes.departure = notes.departure or departure
        self.ask(job)
        return True

    def ask(self, job: JobRecord) -> None:
        """Have the claim of a job taken, unless that was asked for and not answered yet."""
        asked = self._asked.setdefault(job.cluster, {})
        if asked.get(job.id) != job.tag:
            asked[job.id] = job.tag
            self._new.setdefault(job.cluster, {})[job.tag] = None

    def ask_again(self, cluster: str) -> None:
        """Have the claims taken that were asked for, and for which no answer has come."""
        for job in self._prune_asked(cluster):
            self._new.setdefault(cluster, {})[job.tag] = None

    def _prune_asked(self, cluster: str) -> list[JobRecord]:
        """Return the jobs whose claims are asked for, without those that have left the cluster otherwise."""
        asked, jobs = self._asked.get(cluster, {}), self._table.jobs
        for one, tag in [*asked.items()]:
            if (job := jobs.get(one)) is None or job.tag != tag or job.cluster != cluster:
                del asked[one]
        return [jobs[one] for one in asked]

    def act(self) -> None:
        """Have done what was asked for in this step."""
        for cluster, tags in self._new.items():
            self._table.act(RevokeClaims(cluster, tuple(tags)))
        self._new = {}

    def take(self, cluster: str, answer: Revoked) -> None:
        """Take in whose claims these are."""
        claims = dict(answer.claims)
        for job in self._prune_asked(cluster):
            if job.tag in claims:
                del self._asked[cluster][job.id]
                (self._let_go if claims[job.tag] else self._stays)(job)

    def _let_go(self, job: JobRecord) -> None:
        """Let a job go whose claim is the service's."""
        departure = self._table.notes[job.id].departure or Departure("moved", f"It has left {job.cluster}.")
        attempt = self._table.attempt(job)
        if attempt is not None:
            # What its cluster has failed before it started is counted.
            if attempt.state is not AttemptState.UNSTARTED or job.wanted == "cancel":
                self._table.keep(
                    attempt,
                    state=AttemptState.REVOKED,
                    ended_at=self._table.now,
                    reason=f"The service has taken its claim: it will not start at {job.cluster}.",
                )
            if attempt.native_id:
                # What is left of it is only in the way of others.
                self._table.act(CancelJob(job.cluster, job.tag, attempt.native_id))
        is_reachable = self._clusters[job.cluster].record.reachable
        if job.wanted == "cancel" and job.state is not JobState.ASSIGNED and is_reachable:
            # What is left of it there is removed before its owner hears that it has ended.
            self._table.act(LookAgain(job.cluster))
            return
        self._depart(job, departure, run=job.run + 1)

    def _depart(self, job: JobRecord, departure: Departure, *, run: int) -> None:
        if job.wanted == "cancel":
            self._transitions.cancel(job, "Its owner has canceled it.")
            return
        if departure.kind == "moved":
            self._transitions.send_back(job, departure.why, run=run)
            return
        if departure.kind == "rejected":
            self._transitions.reject(job, departure.why)
            return
        if departure.kind == "failed" and departure.end is not None:
            self._transitions.fail(job, departure.end, departure.why)
            return
        cluster = job.cluster
        is_refused = departure.kind == "refused"
        reason = sentence(f"{cluster} has refused it: {departure.why}" if is_refused else departure.why)
        job = self._transitions.back(job, reason, run=run)
        if job.state is JobState.HELD:
            return
        if is_refused:
            self._reports.news().refused(job.id, cluster, departure.why)
        elif departure.to:
            self._transitions.assign(job, departure.to, departure.why)

    def _stays(self, job: JobRecord) -> None:
        """Keep a job that has claimed itself: it runs, or has run."""
        notes = self._table.notes[job.id]
        departure, notes.departure = notes.departure, None
        if job.wanted == "hold":
            reason = "It had started before it could be held."
            job = self._table.change(job, wanted="run", reason=reason)
        if job.state is JobState.ASSIGNED and (attempt := self._table.attempt(job)) is not None:
            self._table.keep(
                attempt,
                state=AttemptState.UNCLEAR,
                answered_at=self._table.now,
                absences=0,
                reason="It has claimed itself although its cluster did not have it.",
            )
            job = self._table.change(
                job, state=JobState.SUBMITTING, reason=f"It has started at {job.cluster} after all."
            )
        if departure is not None and departure.kind in _RECALLED:
            self._reports.news().stayed(job.id, job.cluster)
            if job.state is JobState.RUNNING:
                self._reports.started(job)
        self._table.act(LookAgain(job.cluster))
