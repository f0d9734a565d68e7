"""Decisions: what the controllers choose, carried out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.service.core.controllers.choices import Assign, Recall, Reject, Stop
from echelon.service.core.job_table import AT_CLUSTER
from echelon.service.core.notes import Departure
from echelon.service.core.part import Part
from echelon.service.records import JobState

if TYPE_CHECKING:
    from echelon.service.core.controllers.choices import Choice
    from echelon.service.core.wishes import Wishes
    from echelon.service.records import JobRecord


class Decisions(Part):
    """Asks the controllers, and does what they choose."""

    def act(self, wishes: Wishes) -> None:
        """Decide by what was observed, until nothing more follows; `wishes` cancels what a rule ends."""
        for _ in range(len(self._table.jobs) + 1):
            for choice in (choices := self._reports.decide()):
                self._carry_out(choice, wishes)
            if not choices:
                return

    def _carry_out(self, choice: Choice, wishes: Wishes) -> None:
        if (job := self._table.jobs.get(choice.job)) is None:
            return
        match choice:
            case Assign():
                self._assign(job, choice)
            case Recall(_, cluster):
                self._recall(job, cluster)
            case Stop():
                wishes.cancel(job, "A rule of the service ends it.")
            case Reject(_, why):
                self._reject(job, why)

    def _assign(self, job: JobRecord, choice: Assign) -> None:
        notes = self._table.notes[job.id]
        if self._revocations.is_recalled(job) and notes.departure is not None:
            notes.departure.to, notes.departure.why = choice.cluster, choice.decision.why
        elif job.state is JobState.QUEUED:
            job = self._transitions.assign(job, choice.cluster, choice.decision.why)
        else:
            # It is at a cluster that it could not be recalled from.
            return
        number = job.version
        self._table.append(replace(choice.decision, number=number))
        forecast = replace(choice.forecast, number=number)
        self._table.append(forecast)
        self._table.notes[job.id].forecast = forecast

    def _recall(self, job: JobRecord, cluster: str) -> None:
        pending = self._table.notes[job.id].departure
        if pending is not None and self._revocations.is_recalled(job) and pending.to == cluster:
            # It was to go there as soon as it has left its cluster.
            pending.to, pending.why = "", f"The service has recalled it from {cluster}."
            return
        if job.cluster != cluster or self._revocations.is_recalled(job):
            return
        departure = Departure("recalled", f"The service has recalled it from {cluster}.")
        is_over = (
            job.state is JobState.RUNNING
            or job.wanted != "run"
            or self._table.notes[job.id].departure is not None
        )
        if is_over or not self._revocations.leave(job, departure):
            self._reports.news().stayed(job.id, cluster)
            if job.state is JobState.RUNNING:
                self._reports.started(job)

    def _reject(self, job: JobRecord, why: str) -> None:
        """Reject a job, once it is certain that it cannot start any more."""
        departure = self._table.notes[job.id].departure
        if departure is not None and departure.kind == "recalled":
            departure.kind, departure.why = "rejected", why
        elif job.state not in AT_CLUSTER:
            self._transitions.reject(job, why)
        elif (
            job.state is JobState.RUNNING
            or job.wanted == "cancel"
            or not self._revocations.leave(job, Departure("rejected", why))
        ):
            self._reports.news().stayed(job.id, job.cluster)
