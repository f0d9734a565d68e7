"""Looks: what follows for jobs from what their clusters list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import Outcome
from echelon.service.core.notes import Doubt
from echelon.service.core.part import Part
from echelon.service.messages import CancelJob, FindEvidence
from echelon.service.records import AttemptState, JobState, job_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import OwnJob, Snapshot
    from echelon.service.records import AttemptRecord, JobRecord

OVERDUE = 60.0
"""Seconds beyond its time limit after which a job that seems to run may have ended: limits are rounded up."""


class Looks(Part):
    """Follows jobs by complete looks.

    A look that lists a job's tag proves that the cluster has it. A look that does not proves nothing by
    itself: it begins a doubt, which evidence decides, see `echelon.service.core.endings`.
    """

    _in_question: dict[str, None]

    def take(self, cluster: str, snapshot: Snapshot) -> None:
        """Follow the jobs of a cluster by a complete look at it."""
        self._in_question = {}
        listed: dict[str, list[OwnJob]] = {}
        for one in snapshot.own:
            listed.setdefault(one.tag, []).append(one)
        for tag, copies in listed.items():
            self._take_tag(cluster, tag, copies, snapshot.began_at)
        for job in [self._table.jobs[one] for one in self._table.at.get(cluster, ())]:
            if job.tag not in listed:
                self._miss(job, [], snapshot.began_at)
        if self._in_question:
            self._table.act(FindEvidence(cluster, tuple(self._in_question)))

    def _take_tag(self, cluster: str, tag: str, copies: list[OwnJob], began_at: float) -> None:
        if (named := job_of(tag)) is None or (job := self._table.jobs.get(named[0])) is None:
            return
        alive = [one for one in copies if one.state != "ended"]
        if named[1] != job.run or cluster != job.cluster:
            # A run that is over, or a place that it has left: it must not start there any more.
            self._cancel(cluster, tag, alive)
        elif not alive:
            if job.id in self._table.at.get(cluster, ()):
                self._miss(job, copies, began_at)
        elif (attempt := self._table.attempt(job)) is not None:
            if self._is_over(job, attempt, copies):
                self._cancel(cluster, tag, alive)
                self._miss(job, copies, began_at)
            else:
                self._see(job, attempt, alive, began_at)
                self._sort_out(job, copies, alive, began_at)

    def _is_over(self, job: JobRecord, attempt: AttemptRecord, copies: list[OwnJob]) -> bool:
        """Return whether the copy that was followed has run, so that no other one must, without claims."""
        return not self._clusters.has_claims(job.cluster) and any(
            one.state == "ended"
            and one.native_id == attempt.native_id
            and one.outcome in (Outcome.COMPLETED, Outcome.FAILED, Outcome.TIMED_OUT)
            for one in copies
        )

    def _cancel(self, cluster: str, tag: str, alive: list[OwnJob]) -> None:
        for one in alive:
            self._table.act(CancelJob(cluster, tag, one.native_id))

    def _see(self, job: JobRecord, attempt: AttemptRecord, alive: list[OwnJob], began_at: float) -> None:
        """Note a job that waits or runs at its cluster."""
        self._table.notes[job.id].doubt = None
        if job.wanted == "cancel":
            self._cancel(job.cluster, job.tag, alive)
        if attempt.state is AttemptState.REVOKED:
            return
        one = _choose_copy(alive, attempt.native_id)
        state = AttemptState.RUNNING if one.state == "running" else self._waiting_state(attempt, began_at)
        started = one.started_at if one.started_at is not None else job.started_at or self._table.now
        self._table.keep(
            attempt,
            state=state,
            native_id=one.native_id,
            absences=0,
            seen_at=attempt.seen_at if attempt.seen_at is not None else self._table.now,
            answered_at=attempt.answered_at if attempt.answered_at is not None else began_at,
            settled_at=self._settled_at(attempt, state, began_at),
            started_at=started if one.state == "running" else None,
        )
        self._move(job, one, started)
        limit = job.spec.time_limit
        if one.state == "running" and limit is not None and began_at > started + limit + OVERDUE:
            # A controller that did not hear of its end lists it forever; its record says better.
            self._in_question[job.tag] = None

    def _waiting_state(self, attempt: AttemptRecord, began_at: float) -> AttemptState:
        is_settled = attempt.seen_at is not None and began_at >= attempt.seen_at + self._rules.settle
        return AttemptState.SETTLED if is_settled else AttemptState.ACCEPTED

    @staticmethod
    def _settled_at(attempt: AttemptRecord, state: AttemptState, began_at: float) -> float | None:
        if attempt.settled_at is None and state in (AttemptState.SETTLED, AttemptState.RUNNING):
            return began_at
        return attempt.settled_at

    def _move(self, job: JobRecord, one: OwnJob, started: float) -> None:
        """Give a job the state that its cluster lists."""
        number = f"{job.cluster} has it as job {one.native_id}"
        if one.state == "running" and job.state is not JobState.RUNNING:
            reason = f"{number}; it runs."
            job = self._table.change(job, state=JobState.RUNNING, started_at=started, reason=reason)
            if not self._revocations.is_recalled(job):
                self._reports.started(job)
        elif one.state == "waiting" and job.state is not JobState.WAITING:
            was_running = job.state is JobState.RUNNING
            why = "; it runs no more, and waits again." if was_running else "; it waits."
            self._table.change(job, state=JobState.WAITING, started_at=None, reason=number + why)
            if was_running and not self._revocations.is_recalled(job):
                self._reports.news().requeued(job.id, job.cluster)

    def _sort_out(self, job: JobRecord, copies: list[OwnJob], alive: list[OwnJob], began_at: float) -> None:
        """Cancel the copies of a job that are too many.

        Where jobs claim themselves, only a copy that certainly has not the claim is canceled: one that waits
        in a look that began after the claim was found taken. All others end by themselves.
        """
        if len(copies) == 1 or job.wanted == "cancel":
            return
        attempt = self._table.attempt(job)
        spare = _younger(alive, attempt.native_id if attempt is not None else "")
        if not self._clusters.has_claims(job.cluster):
            self._cancel(job.cluster, job.tag, spare)
        elif (claimed_at := self._table.notes[job.id].claimed_at) is not None and began_at > claimed_at:
            self._cancel(job.cluster, job.tag, [one for one in spare if one.state == "waiting"])
        self._in_question[job.tag] = None

    def _miss(self, job: JobRecord, ended: list[OwnJob], began_at: float) -> None:
        """Note a job that its cluster does not list as waiting or running."""
        attempt = self._table.attempt(job)
        if attempt is None or attempt.state is AttemptState.INTENDED:
            return
        if attempt.state is AttemptState.REVOKED:
            if attempt.ended_at is not None and began_at > attempt.ended_at:
                self._transitions.cancel(job, f"It was canceled before it started at {job.cluster}.")
            return
        listed = _listed_end(ended, attempt.native_id)
        is_late = began_at > self._known_until(job, attempt)
        if not is_late and listed is None:
            return
        now, notes = self._table.now, self._table.notes[job.id]
        doubt = notes.doubt = notes.doubt or Doubt(now, began_at)
        doubt.missed_at = began_at
        doubt.is_unclaimed |= any(one.outcome is Outcome.UNCLAIMED for one in ended)
        doubt.listed = listed if listed is not None else doubt.listed
        doubt.is_same = doubt.listed is not None and doubt.listed.native_id == attempt.native_id
        if is_late and not doubt.is_same:
            attempt = self._table.keep(attempt, absences=attempt.absences + 1)
            if attempt.absences >= 2 and doubt.absent_at is None:
                doubt.absent_at = now
        self._in_question[job.tag] = None

    def _known_until(self, job: JobRecord, attempt: AttemptRecord) -> float:
        """Return before when a look cannot miss a job that is there, Unix time in seconds."""
        answered = attempt.answered_at if attempt.answered_at is not None else attempt.intended_at
        if attempt.state is AttemptState.UNCLEAR:
            return answered + self._clusters[job.cluster].description.patience
        return answered


def _choose_copy(alive: Sequence[OwnJob], native_id: str) -> OwnJob:
    """Return the copy that is followed, of those that wait or run: one that runs, else the oldest.

    Of several the one with the number `native_id`, then the first in the cluster's order.
    """
    running = [one for one in alive if one.state == "running"] or alive
    return next((one for one in running if one.native_id == native_id), running[0])


def _younger(alive: Sequence[OwnJob], native_id: str) -> list[OwnJob]:
    """Return the other copies."""
    one = _choose_copy(alive, native_id)
    return [other for other in alive if other is not one]


def _listed_end(ended: Sequence[OwnJob], native_id: str) -> OwnJob | None:
    """Return what says how the job ended, of copies that have; None if none does.

    A copy that found the claim taken says nothing of the job. An end of another number than `native_id` may
    be that of a copy which was canceled since it was one too many.
    """
    telling = [one for one in ended if one.outcome is not None and one.outcome is not Outcome.UNCLAIMED]
    same = [one for one in telling if one.native_id == native_id]
    others = [one for one in telling if one.outcome is not Outcome.CANCELED]
    return next(iter((*same, *others)), None)
