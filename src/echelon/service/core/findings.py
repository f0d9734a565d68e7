"""Findings: what follows for jobs from the records and claims that were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import EndRecord, Outcome
from echelon.service.core.endings import NEVER_CLAIMED, failed_before_start, state_of, verdict
from echelon.service.core.notes import Departure
from echelon.service.core.part import Part
from echelon.service.messages import CancelJob
from echelon.service.records import AttemptState, job_of

if TYPE_CHECKING:
    from echelon.backends.contract import Evidence
    from echelon.service.core.notes import Doubt
    from echelon.service.messages import Found
    from echelon.service.records import AttemptRecord, JobRecord


class Findings(Part):
    """Ends jobs, or has them submitted again, by evidence."""

    def take(self, finding: Found) -> None:
        """Take in evidence of some tags."""
        for tag in finding.tags:
            if (named := job_of(tag)) is None or (job := self._table.jobs.get(named[0])) is None:
                continue
            attempt = self._table.attempt(job)
            is_present = named[1] == job.run and job.cluster == finding.cluster
            if not is_present or attempt is None or job.id not in self._table.at.get(finding.cluster, ()):
                continue
            # Of one that cannot start any more there is nothing to find.
            if attempt.state is not AttemptState.REVOKED:
                self._take_one(job, attempt, finding.evidence)

    def _take_one(self, job: JobRecord, attempt: AttemptRecord, evidence: Evidence) -> None:
        notes = self._table.notes[job.id]
        is_new = job.tag in evidence.claimed and notes.claimed_at is None
        if is_new:
            notes.claimed_at = evidence.began_at
        has_claims = self._clusters.has_claims(job.cluster)
        if (doubt := notes.doubt) is None:
            self._take_record(job, evidence, has_claims=has_claims)
            return
        judgment = verdict(job, doubt, notes, evidence, has_claims=has_claims, grace=self._rules.grace)
        if judgment is True:
            self._is_gone(job, attempt, doubt, has_claims=has_claims)
        elif judgment and judgment.source == NEVER_CLAIMED and judgment.outcome is Outcome.FAILED:
            self._did_not_start(job, attempt, judgment)
        elif judgment:
            self._end(job, judgment)
        elif is_new and doubt.listed is None and attempt.state is not AttemptState.RUNNING:
            # It may have started since it was first missed: only looks from now on say that it is not there.
            notes.doubt = None
            self._table.keep(attempt, absences=0)

    def _take_record(self, job: JobRecord, evidence: Evidence, *, has_claims: bool) -> None:
        """End a job that its cluster lists, by a record of a copy of it that has run."""
        record = evidence.records.get(job.tag)
        if record is None or not has_claims or job.tag not in evidence.claimed:
            return
        if record.outcome in (Outcome.COMPLETED, Outcome.FAILED, Outcome.TIMED_OUT):
            # What else there is of it would only find the claim taken.
            self._table.act(CancelJob(job.cluster, job.tag, ""))
            self._end(job, record)

    def _end(self, job: JobRecord, record: EndRecord) -> None:
        started = job.started_at is not None or record.started_at is not None
        if record.outcome is Outcome.CANCELED and job.wanted == "hold" and not started:
            self._stop_following(job, AttemptState.ENDED, f"It was canceled at {job.cluster}, to be held.")
            self._transitions.back(job, "", run=job.run + 1)
            return
        self._transitions.end(job, record)

    def _did_not_start(self, job: JobRecord, attempt: AttemptRecord, record: EndRecord) -> None:
        """Let a job go on that its cluster has failed before its program started, unless that was too often.

        Whatever follows, the claim is taken first: a copy that starts after all must be the only one.
        """
        table, (_, reason) = self._table, state_of(job, record)
        ended = record.ended_at if record.ended_at is not None else table.now
        table.keep(attempt, state=AttemptState.UNSTARTED, ended_at=ended, reason=reason)
        failed = [one.cluster for one in table.attempts(job) if one.state is AttemptState.UNSTARTED]
        if len(failed) > self._rules.launch_retries:
            departure = Departure("failed", failed_before_start(record, failed), end=record)
        else:
            again = f"It is submitted again, time {len(failed)} of at most {self._rules.launch_retries}."
            departure = Departure("moved", f"{reason} {again}")
        self._revocations.leave(job, departure)

    def _is_gone(self, job: JobRecord, attempt: AttemptRecord, doubt: Doubt, *, has_claims: bool) -> None:
        """Let a job go on that its cluster does not have, and that has not run there."""
        if attempt.state is AttemptState.UNSTARTED:
            # The service was restarted, and the record of the failure has gone meanwhile.
            self._did_not_start(job, attempt, EndRecord(Outcome.FAILED, source=NEVER_CLAIMED))
            return
        lost_before = any(
            one.run == job.run and one.state is AttemptState.ABSENT for one in self._table.attempts(job)
        )
        if has_claims and (lost_before or doubt.is_unclaimed or job.wanted != "run"):
            # Its claim may be spent already, or the cluster loses it each time: another tag is used.
            reason = f"{job.cluster} has lost it again, before it started."
            self._revocations.leave(job, Departure("moved", reason))
            return
        self._table.notes[job.id].doubt = None
        never = attempt.seen_at is None and attempt.state is AttemptState.UNCLEAR
        reason = f"{job.cluster} {'has never got it' if never else 'has forgotten it before it started'}."
        self._stop_following(job, AttemptState.ABSENT, reason)
        if job.wanted == "cancel":
            self._transitions.cancel(job, f"It was canceled before it started at {job.cluster}.")
        elif job.wanted == "hold":
            self._transitions.back(job, reason, run=job.run + 1)
        else:
            self._transitions.submit_again(job, f"{reason} It is submitted again.")

    def _stop_following(self, job: JobRecord, state: AttemptState, reason: str) -> None:
        if (attempt := self._table.attempt(job)) is not None:
            self._table.keep(attempt, state=state, reason=reason, ended_at=self._table.now)
