"""Transitions: the ways in which a job goes from one state to another."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from echelon.service.core.endings import state_of
from echelon.service.core.sentences import sentence
from echelon.service.records import AttemptState, JobState

if TYPE_CHECKING:
    from echelon.backends.contract import EndRecord
    from echelon.service.core.job_table import JobTable
    from echelon.service.core.reports import Reports
    from echelon.service.records import JobRecord


class Transitions:
    """Changes jobs, and tells the controllers.

    Parameters
    ----------
    table : JobTable
        What is changed.
    reports : Reports
        How the controllers learn of it.

    Notes
    -----
    Jobs that are to be submitted to a cluster stand in line there, in the order in which they were assigned.
    """

    def __init__(self, table: JobTable, reports: Reports) -> None:
        self._table, self._reports = table, reports
        self._places: dict[str, int] = {}
        self._next_place = 0
        self._lines: dict[str, list[tuple[int, str]]] = {}

    def assign(self, job: JobRecord, cluster: str, reason: str) -> JobRecord:
        """Let a job be submitted to a cluster when that is possible, after those assigned before."""
        self._places[job.id] = self._next_place
        self._next_place += 1
        job = self._table.change(
            job,
            state=JobState.ASSIGNED,
            cluster=cluster,
            assigned_at=self._table.now,
            reason=sentence(reason),
        )
        self._line_up(job)
        return job

    def submit_again(self, job: JobRecord, reason: str) -> JobRecord:
        """Let a job be submitted again to its cluster, in its old place."""
        job = self._table.change(job, state=JobState.ASSIGNED, started_at=None, reason=reason)
        self._line_up(job)
        return job

    def line_up(self, job: JobRecord) -> None:
        """Give a job its place after a restart, in the line of its cluster if it is assigned."""
        self._places[job.id] = self._next_place
        self._next_place += 1
        if job.state is JobState.ASSIGNED:
            self._line_up(job)

    def next_in_line(self, cluster: str) -> JobRecord | None:
        """Take the next job from the line of a cluster and return it, None if there is none."""
        line = self._lines.get(cluster, [])
        while line:
            place, one = heappop(line)
            job = self._table.jobs.get(one)
            is_current = self._places.get(one) == place
            if job is not None and is_current and job.state is JobState.ASSIGNED and job.cluster == cluster:
                return job
        return None

    def _line_up(self, job: JobRecord) -> None:
        heappush(self._lines.setdefault(job.cluster, []), (self._places[job.id], job.id))

    def back(self, job: JobRecord, reason: str, *, run: int | None = None) -> JobRecord:
        """Bring a job back from its cluster, to wait for another decision, or to be held.

        The caller tells the controllers why it is back; a held job leaves them.
        """
        is_held = job.wanted == "hold"
        job = self._table.change(
            job,
            state=JobState.HELD if is_held else JobState.QUEUED,
            cluster="",
            run=run or job.run,
            assigned_at=None,
            started_at=None,
            reason="Its owner holds it." if is_held else reason,
        )
        if is_held:
            self._reports.news().hold(job.id)
        return job

    def send_back(self, job: JobRecord, reason: str, *, run: int | None = None) -> None:
        """Bring a job back from its cluster; it may go anywhere, later there, too."""
        cluster = job.cluster
        self._not_recalled(job)
        if self.back(job, reason, run=run).state is JobState.QUEUED:
            self._reports.news().returned(job.id, cluster)

    def cancel(self, job: JobRecord, reason: str) -> None:
        """Let a job end that is at no cluster, or will never start there."""
        self._finish(job, JobState.CANCELED, reason)
        self._reports.news().cancel(job.id)

    def reject(self, job: JobRecord, why: str) -> None:
        """Let a job end that no cluster will ever run, or run again."""
        if any(one.state is AttemptState.ENDED for one in self._table.attempts(job)):
            reason = sentence(f"It was interrupted, and no cluster will run it again: {why}")
            self._finish(job, JobState.INTERRUPTED, reason)
            return
        self._finish(job, JobState.REJECTED, sentence(f"No cluster will run it: {why}"))

    def end(self, job: JobRecord, record: EndRecord) -> None:
        """Let the run of a job end; an interrupted one runs again if its owner said so."""
        table, attempt = self._table, self._table.attempt(job)
        state, reason = state_of(job, record)
        started = record.started_at if record.started_at is not None else job.started_at
        ended = record.ended_at if record.ended_at is not None else table.now
        if attempt is not None:
            table.keep(attempt, state=AttemptState.ENDED, started_at=started, ended_at=ended, reason=reason)
        if state is JobState.INTERRUPTED and self._retries_left(job):
            self.send_back(job, f"{reason} It runs again.", run=job.run + 1)
            return
        self._not_recalled(job)
        code, number = record.exit_code, record.signal
        self._finish(job, state, reason, started_at=started, ended_at=ended, exit_code=code, signal=number)
        run_time = None if started is None else max(ended - started, 0.0)
        self._reports.news().ended(job.id, job.cluster, run_time)

    def fail(self, job: JobRecord, record: EndRecord, reason: str) -> None:
        """Let a job end that its cluster has failed too often before its program started."""
        ended = record.ended_at if record.ended_at is not None else self._table.now
        self._finish(
            job, JobState.FAILED, reason, started_at=None, ended_at=ended, exit_code=record.exit_code
        )
        self._reports.news().ended(job.id, job.cluster, None)

    def _not_recalled(self, job: JobRecord) -> None:
        """Tell the controllers of a job that they have recalled that it was at its cluster to the end."""
        departure = self._table.notes[job.id].departure
        if departure is not None and departure.kind in ("recalled", "rejected"):
            self._reports.news().stayed(job.id, job.cluster)

    def _retries_left(self, job: JobRecord) -> bool:
        """Return whether a job may run again; a run counts as soon as one of its attempts has ended."""
        runs = {one.run for one in self._table.attempts(job) if one.state is AttemptState.ENDED}
        return len(runs) <= job.spec.retries

    def _finish(self, job: JobRecord, state: JobState, reason: str, **fields: object) -> None:
        fields.setdefault("ended_at", self._table.now)
        self._places.pop(job.id, None)
        self._table.change(job, state=state, reason=reason, **fields)
