"""Submissions: when assigned jobs go to their clusters, and what follows from the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.backends.contract import Accepted, Refused, Submission, Unclear
from echelon.service.core.notes import Departure
from echelon.service.core.part import Part
from echelon.service.core.sentences import sentence
from echelon.service.messages import CancelJob, LookAgain, SubmitJob
from echelon.service.records import AttemptRecord, AttemptState, JobState

if TYPE_CHECKING:
    from echelon.service.messages import Answered
    from echelon.service.records import JobRecord


def submission_of(job: JobRecord, time_limit: float) -> Submission:
    """Return a job as its cluster gets it; `time_limit` in seconds is for those that ask for none."""
    spec = job.spec
    return Submission(
        tag=job.tag,
        command=spec.command,
        script=spec.script,
        processors=spec.processors,
        time_limit=spec.time_limit if spec.time_limit is not None else time_limit,
        directory=spec.directory,
        environment=spec.environment,
        output=spec.output,
        error=spec.error,
        memory=spec.memory,
        options=spec.options,
    )


class Submissions(Part):
    """Submits jobs, each by an attempt whose intent is committed before.

    A cluster gets no more jobs than `unsettled` that it may still forget, in the order in which they were
    assigned to it, and none while it does not answer or puts submissions off.
    """

    def act(self) -> None:
        """Submit what can be submitted now."""
        for cluster in self._clusters:
            one = self._clusters[cluster]
            if not one.answers(self._table.now) or one.lost_at <= one.paused_at:
                continue
            while self._table.unsettled.get(cluster, 0) < one.rules.unsettled:
                if (job := self._transitions.next_in_line(cluster)) is None:
                    break
                # One that is to leave its cluster does not come back into this line.
                if not self._revocations.is_leaving(job):
                    self._submit(job)

    def _submit(self, job: JobRecord) -> None:
        table = self._table
        numbers = [one.number for one in table.attempts(job)]
        attempt = AttemptRecord(
            job.id,
            max(numbers, default=0) + 1,
            job.run,
            job.cluster,
            AttemptState.INTENDED,
            intended_at=table.now,
        )
        table.keep(attempt)
        job = table.change(
            job,
            state=JobState.SUBMITTING,
            attempt=attempt.number,
            reason=f"It is being submitted to {job.cluster}.",
        )
        submission = submission_of(job, self._rules.default_time_limit)
        table.act(SubmitJob(job.cluster, job.id, attempt.number, submission))

    def take(self, answered: Answered) -> None:
        """Take in what a cluster has answered."""
        job = self._table.jobs.get(answered.job)
        attempt = self._table.find_attempt(answered.job, answered.attempt)
        if job is None or attempt is None:
            return
        if isinstance(answered.answer, Accepted):
            self._accept(job, attempt, answered.answer.native_id)
        elif attempt.state is AttemptState.INTENDED and attempt == self._table.attempt(job):
            if isinstance(answered.answer, Unclear):
                self._leave_open(job, attempt, answered.answer)
            else:
                self._refuse(job, attempt, answered.answer)

    def _accept(self, job: JobRecord, attempt: AttemptRecord, native_id: str) -> None:
        self._clusters.accepted(attempt.cluster)
        if not attempt.state.is_open:
            # It has been left meanwhile.
            tag = replace(job, run=attempt.run).tag
            self._table.act(CancelJob(attempt.cluster, tag, native_id))
            return
        if attempt.state not in (AttemptState.INTENDED, AttemptState.UNCLEAR):
            return
        now = self._table.now
        reason = f"{job.cluster} has it as job {native_id}; it waits."
        self._table.keep(attempt, state=AttemptState.ACCEPTED, native_id=native_id, answered_at=now)
        self._table.change(job, state=JobState.WAITING, reason=reason)
        if job.wanted == "cancel":
            self._table.act(CancelJob(job.cluster, job.tag, native_id))

    def _leave_open(self, job: JobRecord, attempt: AttemptRecord, answer: Unclear) -> None:
        self._table.keep(
            attempt, state=AttemptState.UNCLEAR, answered_at=self._table.now, reason=answer.reason
        )
        reason = sentence(f"Whether {job.cluster} has got it is not clear yet: {answer.reason}")
        self._table.change(job, reason=reason)
        self._table.act(LookAgain(job.cluster))

    def _refuse(self, job: JobRecord, attempt: AttemptRecord, answer: Refused) -> None:
        reason = sentence(f"{job.cluster} has refused it: {answer.reason}")
        self._table.keep(
            attempt, state=AttemptState.REFUSED, answered_at=self._table.now, reason=answer.reason
        )
        if answer.is_permanent:
            self._clusters.refused(job.cluster, answer.reason)
        else:
            self._clusters.put_off(job.cluster)
        may_start = self._revocations.may_start(job)
        if job.wanted == "cancel" and not (may_start and self._clusters.has_claims(job.cluster)):
            self._transitions.cancel(job, "Its owner has canceled it.")
            return
        if may_start or (job.wanted == "run" and not answer.is_permanent):
            job = self._transitions.submit_again(job, reason)
        if answer.is_permanent and not self._revocations.leave(job, Departure("refused", answer.reason)):
            self._transitions.send_back(job, reason)
        elif not answer.is_permanent and job.wanted == "hold":
            self._revocations.leave(job, Departure("moved", reason))
