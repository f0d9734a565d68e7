"""Queries: what the service, its users and its pages read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select, union_all

from echelon.errors import UnknownNameError
from echelon.service.records import (
    FINAL,
    AttemptRecord,
    ClusterRecord,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobRecord,
    JobState,
    OpenBooks,
)
from echelon.service.store.rows import attempt_of, decision_of, job_of, plain, record_of
from echelon.service.store.schema import attempts, clusters, decisions, events, forecasts, jobs, numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlalchemy import ColumnElement, Connection

OPEN = tuple(state for state in JobState if not state.is_final)
"""States of jobs that have not ended."""

_AT_ONCE = 1000
"""Names in one question to the database, which has a limit."""


class Finished(NamedTuple):
    """A job that has ended, with the last forecast for it."""

    job: JobRecord
    forecast: ForecastRecord | None


def open_books(connection: Connection) -> OpenBooks:
    """Return what a service needs to go on.

    Notes
    -----
    **Cost**: O(open jobs): 10,000 take 0.3 s.
    """
    is_open = jobs.c.state.in_(OPEN)
    chosen = select(jobs).where(is_open).order_by(jobs.c.number)
    open_jobs = [job_of(row) for row in connection.execute(chosen).mappings()]
    tried = (
        select(attempts)
        .join(jobs, attempts.c.job == jobs.c.id)
        .where(is_open)
        .order_by(jobs.c.number, attempts.c.number)
    )
    return OpenBooks(
        tuple(open_jobs),
        tuple(attempt_of(row) for row in connection.execute(tried).mappings()),
        frozenset(ended(connection, (name for job in open_jobs for name in job.spec.after))),
        tuple(cluster_records(connection)),
    )


def ended(connection: Connection, names: Iterable[str]) -> set[str]:
    """Return which of these ids are of jobs that have ended."""
    ids: set[str] = set()
    wanted = sorted({plain(name) for name in names})
    for begin in range(0, len(wanted), _AT_ONCE):
        chosen = jobs.c.id.in_(wanted[begin : begin + _AT_ONCE]) & jobs.c.state.in_(FINAL)
        ids.update(connection.execute(select(jobs.c.id).where(chosen)).scalars())
    return ids


def job(connection: Connection, name: str | int) -> JobRecord:
    """Return the job of this id or number.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    row = connection.execute(select(jobs).where(_named(name))).mappings().first()
    if row is None:
        last = last_number(connection, "jobs")
        raise UnknownNameError("job", str(name), [f"1 to {last}"] if last else [])
    return job_of(row)


def _named(name: str | int) -> ColumnElement[bool]:
    # An id of 32 digits is not a number, and databases refuse to compare with numbers out of their range.
    text = str(name)
    if text.isascii() and text.isdecimal() and len(text) <= 18:
        return jobs.c.number == int(text)
    return jobs.c.id == plain(text)


def listed(
    connection: Connection,
    *,
    states: Collection[JobState] | None,
    owner: str | None,
    cluster: str | None,
    after_number: int,
    limit: int,
    newest_first: bool,
) -> list[JobRecord]:
    """Return jobs by number, from the one after `after_number` on.

    Notes
    -----
    **Cost**: O(limit x states): for each state the index gives the next ones, in order.
    """
    number = jobs.c.number
    order = number.desc() if newest_first else number.asc()
    beyond = number < after_number if newest_first and after_number else number > after_number
    filters = [beyond]
    if owner is not None:
        filters.append(jobs.c.owner == owner)
    if cluster is not None:
        filters.append(jobs.c.cluster == cluster)
    chosen = select(jobs).where(*filters).order_by(order).limit(limit)
    if states is not None or len(filters) > 1:
        parts = [
            select(number).where(*filters, jobs.c.state == state).order_by(order).limit(limit).subquery()
            for state in (JobState if states is None else sorted(set(states)))
        ]
        if not parts:
            return []
        several = union_all(*(select(part.c.number) for part in parts))
        chosen = select(jobs).where(number.in_(several)).order_by(order).limit(limit)
    return [job_of(row) for row in connection.execute(chosen).mappings()]


def counts(
    connection: Connection, *, owner: str | None, states: Collection[JobState] | None
) -> dict[JobState, int]:
    """Return how many jobs are in each of these states; states without jobs are left out.

    Notes
    -----
    **Cost**: O(jobs in these states), of the owner if there is one.
    """
    asked = select(jobs.c.state, func.count()).group_by(jobs.c.state)
    if owner is not None:
        asked = asked.where(jobs.c.owner == owner)
    if states is not None:
        asked = asked.where(jobs.c.state.in_(states))
    return {JobState(state): count for state, count in connection.execute(asked)}


def attempts_of(connection: Connection, id_: str) -> list[AttemptRecord]:
    """Return the attempts of a job, in order."""
    asked = select(attempts).where(attempts.c.job == id_).order_by(attempts.c.number)
    return [attempt_of(row) for row in connection.execute(asked).mappings()]


def decisions_of(connection: Connection, id_: str) -> list[DecisionRecord]:
    """Return the decisions about a job, in order."""
    asked = select(decisions).where(decisions.c.job == id_).order_by(decisions.c.number)
    return [decision_of(row) for row in connection.execute(asked).mappings()]


def forecasts_of(connection: Connection, id_: str) -> list[ForecastRecord]:
    """Return the forecasts for a job, in order."""
    asked = select(forecasts).where(forecasts.c.job == id_).order_by(forecasts.c.number)
    return [record_of(ForecastRecord, row) for row in connection.execute(asked).mappings()]


def finished(connection: Connection, since: float) -> list[Finished]:
    """Return the jobs that ended at `since` or later, as they ended; at one time by number."""
    # States are looked at here: a database would follow them, through all jobs that have ever ended.
    asked = select(jobs).where(jobs.c.ended_at >= since).order_by(jobs.c.ended_at, jobs.c.number)
    rows = connection.execute(asked).mappings()
    final_jobs = [job_of(row) for row in rows if JobState(row["state"]).is_final]
    last = last_forecasts(connection, (one.id for one in final_jobs))
    return [Finished(one, last.get(one.id)) for one in final_jobs]


def last_forecasts(connection: Connection, names: Iterable[str]) -> dict[str, ForecastRecord]:
    """Return the last forecast for each job of these ids that has one."""
    records: dict[str, ForecastRecord] = {}
    wanted = sorted({plain(name) for name in names})
    for begin in range(0, len(wanted), _AT_ONCE):
        chosen = forecasts.c.job.in_(wanted[begin : begin + _AT_ONCE])
        asked = select(forecasts).where(chosen).order_by(forecasts.c.job, forecasts.c.number)
        rows = connection.execute(asked).mappings()
        records |= {row["job"]: record_of(ForecastRecord, row) for row in rows}
    return records


def cluster_records(connection: Connection) -> list[ClusterRecord]:
    """Return the clusters, by name."""
    rows = connection.execute(select(clusters).order_by(clusters.c.name)).mappings()
    return [record_of(ClusterRecord, row) for row in rows]


def events_after(connection: Connection, after: int, *, limit: int, subject: str | None) -> list[Event]:
    """Return the events with numbers above `after`, in order, of one subject or of all."""
    asked = select(events).where(events.c.number > after).order_by(events.c.number).limit(limit)
    if subject is not None:
        asked = asked.where(events.c.subject == subject)
    return [record_of(Event, row) for row in connection.execute(asked).mappings()]


def last_number(connection: Connection, kind: str) -> int:
    """Return the last number of a kind; 0: none yet."""
    return int(connection.execute(select(numbers.c.last).where(numbers.c.name == kind)).scalar_one())
