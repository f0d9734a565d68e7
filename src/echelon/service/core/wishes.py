"""Wishes: what owners of jobs and operators of clusters want, and what follows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.service.core.notes import Departure
from echelon.service.core.part import Part
from echelon.service.messages import CancelJob
from echelon.service.records import JobState

if TYPE_CHECKING:
    from echelon.service.messages import Moded, Wished
    from echelon.service.records import JobRecord


class Wishes(Part):
    """Carries out wishes, or begins to: what is at a cluster is followed until the wish has come true."""

    def take(self, wished: Wished) -> None:
        """Take in what the owner of a job wants; one that is to be canceled stays so."""
        job = self._table.jobs.get(wished.job)
        if job is None or job.wanted in (wished.wanted, "cancel"):
            return
        if wished.wanted == "cancel":
            self.cancel(job, "Its owner has canceled it.")
        elif wished.wanted == "hold":
            self._hold(job)
        else:
            self._release(job)

    def cancel(self, job: JobRecord, reason: str) -> None:
        """Let a job end as soon as that is possible, for a reason."""
        job = self._table.change(job, wanted="cancel")
        is_away = job.state in (JobState.HELD, JobState.QUEUED)
        may_start = not is_away and self._revocations.may_start(job)
        if not may_start or (job.state is JobState.ASSIGNED and not self._clusters.has_claims(job.cluster)):
            self._transitions.cancel(job, reason)
            return
        job = self._table.change(job, reason=f"{reason[:-1]}; it ends as soon as {job.cluster} has ended it.")
        self.pursue(job)

    def pursue(self, job: JobRecord) -> None:
        """Do at its cluster what its owner wants of a job, at the start of the service, too."""
        has_claims = self._clusters.has_claims(job.cluster)
        if has_claims:
            self._revocations.ask(job)
        attempt = self._table.attempt(job)
        # Where there are claims a job is held before it is canceled: else it could have started meanwhile.
        if attempt is not None and attempt.native_id and (job.wanted == "cancel" or not has_claims):
            self._table.act(CancelJob(job.cluster, job.tag, attempt.native_id))

    def _hold(self, job: JobRecord) -> None:
        if job.state is JobState.RUNNING:
            return
        job = self._table.change(job, wanted="hold")
        if job.state is JobState.HELD:
            return
        reason = "Its owner holds it."
        if job.state is JobState.QUEUED:
            self._transitions.back(job, reason)
        elif not self._revocations.may_start(job):
            # It may be on its way out: then that is over, and its claim may be spent.
            self._revocations.leave(job, Departure("moved", reason))
        elif self._clusters.has_claims(job.cluster) or job.state is not JobState.ASSIGNED:
            job = self._table.change(
                job, reason=f"{reason[:-1]}, as soon as it is certain not to start at {job.cluster}."
            )
            self.pursue(job)
        else:
            self._transitions.back(job, reason, run=job.run + 1)

    def _release(self, job: JobRecord) -> None:
        reason = "Its owner has released it."
        job = self._table.change(job, wanted="run")
        if job.state is JobState.HELD:
            job = self._table.change(job, state=JobState.QUEUED, reason=reason)
            self._reports.arrived([job])
        else:
            self._table.change(job, reason=reason)

    def take_mode(self, moded: Moded) -> None:
        """Dispatch no new jobs to a cluster, or resume that; jobs that it has stay."""
        if moded.cluster not in self._clusters:
            return
        self._clusters.moded(moded.cluster, moded.mode)
        if moded.mode == "drained":
            for one in [*self._table.assigned.get(moded.cluster, ())]:
                reason = f"{moded.cluster} takes no further jobs."
                self._revocations.leave(self._table.jobs[one], Departure("moved", reason))

    def take_lost(self, cluster: str) -> None:
        """Let the jobs of a cluster leave it that has been lost for too long; those that run stay."""
        one = self._clusters[cluster]
        lost = self._table.now - one.lost_at
        if one.record.reachable or lost < one.rules.on_lost:
            return
        waiting = [*self._table.assigned.get(cluster, ()), *self._table.at.get(cluster, ())]
        departure = Departure("moved", f"{cluster} has not answered for {lost:.0f} s.")
        for job in [self._table.jobs[each] for each in waiting]:
            if job.state is not JobState.RUNNING and job.wanted == "run":
                self._revocations.leave(job, departure)
