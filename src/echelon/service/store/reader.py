"""Reader: what the service, its users and its pages read of a store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Table, func, select, union_all

from echelon.errors import InputError, UnknownNameError
from echelon.service.records import (
    FINAL,
    AttemptRecord,
    ClusterRecord,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobRecord,
    JobState,
    OpenRecords,
)
from echelon.service.store import snapshots, tokens
from echelon.service.store.rows import (
    attempt_of,
    decision_of,
    job_of,
    portions,
    record_of,
    replace_unstorable,
)
from echelon.service.store.schema import attempts, clusters, decisions, events, forecasts, jobs, numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, RowMapping, Select

    from echelon.backends.contract import Snapshot
    from echelon.databases.connections import Connections
    from echelon.service.records import JobSpec
    from echelon.service.store.tokens import TokenRecord

OPEN = tuple(state for state in JobState if not state.is_final)
"""States of jobs that have not ended."""


class Finished(NamedTuple):
    """A job that has ended, with the last forecast for it."""

    job: JobRecord
    forecast: ForecastRecord | None


class Reader:
    """What is read of a store: each call sees what is committed at one moment.

    Parameters
    ----------
    connections : Connections
        To a database with the tables of the present version.

    Notes
    -----
    All calls may come from any thread, and raise `StoreError` if the database cannot be read.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @property
    def address(self) -> str:
        """Its address, without any password."""
        return self._connections.address.shown

    def _rows(self, asked: Select[Any]) -> Sequence[RowMapping]:
        with self._connections.reading() as connection:
            return connection.execute(asked).mappings().all()

    def read_open_records(self) -> OpenRecords:
        """Return what a service needs to go on: all that has not ended.

        Notes
        -----
        **Cost**: O(open jobs): 10,000 take 0.3 s.
        """
        is_open = jobs.c.state.in_(OPEN)
        chosen = select(jobs).where(is_open).order_by(jobs.c.number)
        tried = select(attempts).join(jobs, attempts.c.job == jobs.c.id).where(is_open)
        with self._connections.reading() as connection:
            open_jobs = [job_of(row) for row in connection.execute(chosen).mappings()]
            rows = connection.execute(tried.order_by(jobs.c.number, attempts.c.number)).mappings()
            return OpenRecords(
                tuple(open_jobs),
                tuple(attempt_of(row) for row in rows),
                frozenset(_find_ended(connection, (name for job in open_jobs for name in job.spec.after))),
                tuple(record_of(ClusterRecord, row) for row in connection.execute(_CLUSTERS).mappings()),
            )

    def job(self, job: str | int) -> JobRecord:
        """Return the job of this id or number.

        Raises
        ------
        UnknownNameError
            If there is none.
        """
        with self._connections.reading() as connection:
            return _job(connection, job)

    def with_ids(self, spec: JobSpec) -> JobSpec:
        """Return the spec with the ids of the jobs that it follows, where it has their numbers.

        Raises
        ------
        UnknownNameError
            If it follows a job that is not there.
        """
        if not spec.after:
            return spec
        with self._connections.reading() as connection:
            names = [_job(connection, name).id for name in spec.after]
        return replace(spec, after=tuple(dict.fromkeys(names)))

    def jobs(
        self,
        *,
        states: Iterable[JobState] | None = None,
        owner: str | None = None,
        cluster: str | None = None,
        after_number: int = 0,
        limit: int = 100,
        newest_first: bool = False,
    ) -> list[JobRecord]:
        """Return jobs by number, from the one after `after_number` on.

        Parameters
        ----------
        states : iterable of JobState, optional
            Only in these. Default: in all.
        owner, cluster : str, optional
            Only of this user, only of this cluster. Default: all.
        after_number : int, default 0
            The cursor: the number of the last job of the part before; 0: from the beginning.
        limit : int, default 100
            At most so many, >= 1.
        newest_first : bool, default False
            From the last job to the first.

        Notes
        -----
        **Cost**: O(limit x states): for each state the index gives the next ones, in order.
        """
        if limit < 1:
            raise InputError(f"must be at least 1, got {limit}", field="limit")
        number = jobs.c.number
        order = number.desc() if newest_first else number.asc()
        filters = [number < after_number if newest_first and after_number else number > after_number]
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
        return [job_of(row) for row in self._rows(chosen)]

    def counts(
        self, owner: str | None = None, states: Iterable[JobState] | None = None
    ) -> dict[JobState, int]:
        """Return how many jobs are in each state, of one owner or of all; empty states are left out.

        Callers often ask for some `states` only: it takes as long as there are jobs in them.
        """
        asked = select(jobs.c.state, func.count()).group_by(jobs.c.state)
        if owner is not None:
            asked = asked.where(jobs.c.owner == owner)
        if states is not None:
            asked = asked.where(jobs.c.state.in_(set(states)))
        with self._connections.reading() as connection:
            return {JobState(state): count for state, count in connection.execute(asked)}

    def attempts(self, job: str) -> list[AttemptRecord]:
        """Return the attempts of the job of this id, in order."""
        return [attempt_of(row) for row in self._rows(_of_job(attempts, job))]

    def decisions(self, job: str) -> list[DecisionRecord]:
        """Return the decisions about the job of this id, in order."""
        return [decision_of(row) for row in self._rows(_of_job(decisions, job))]

    def forecasts(self, job: str) -> list[ForecastRecord]:
        """Return the forecasts for the job of this id, in order."""
        return [record_of(ForecastRecord, row) for row in self._rows(_of_job(forecasts, job))]

    def last_forecasts(self, jobs: Iterable[str]) -> dict[str, ForecastRecord]:
        """Return the last forecast for each job of these ids that has one."""
        with self._connections.reading() as connection:
            return _last_forecasts(connection, jobs)

    def finished(self, since: float) -> list[Finished]:
        """Return the jobs that ended at `since` or later, as they ended, each with its last forecast."""
        # States are looked at here: a database would follow them, through all jobs that have ever ended.
        asked = select(jobs).where(jobs.c.ended_at >= since).order_by(jobs.c.ended_at, jobs.c.number)
        with self._connections.reading() as connection:
            rows = connection.execute(asked).mappings()
            final_jobs = [job_of(row) for row in rows if JobState(row["state"]).is_final]
            last = _last_forecasts(connection, (one.id for one in final_jobs))
        return [Finished(one, last.get(one.id)) for one in final_jobs]

    def clusters(self) -> list[ClusterRecord]:
        """Return the clusters, by name."""
        return [record_of(ClusterRecord, row) for row in self._rows(_CLUSTERS)]

    def events(self, after: int = 0, limit: int = 1000, subject: str | None = None) -> list[Event]:
        """Return the events with numbers above `after`, in order, of one subject or of all.

        A reader that has seen an event has seen all before it: numbers are given in the order of commits.
        """
        asked = select(events).where(events.c.number > after).order_by(events.c.number).limit(limit)
        if subject is not None:
            asked = asked.where(events.c.subject == subject)
        return [record_of(Event, row) for row in self._rows(asked)]

    def last_event(self) -> int:
        """Return the number of the last event; 0: none yet."""
        with self._connections.reading() as connection:
            return _last_number(connection, "events")

    def snapshot_before(self, cluster: str, time: float) -> Snapshot | None:
        """Return what the last look that began at `time` or before saw; None: there is none."""
        with self._connections.reading() as connection:
            return snapshots.find_before(connection, cluster, time)

    def token(self, hash_: str) -> TokenRecord | None:
        """Return the token with this SHA-256, valid or not; None: there is none."""
        with self._connections.reading() as connection:
            return tokens.find(connection, hash_)

    def tokens(self) -> list[TokenRecord]:
        """Return all tokens, by number, with those that are not valid any more."""
        with self._connections.reading() as connection:
            return tokens.list_all(connection)


_CLUSTERS = select(clusters).order_by(clusters.c.name)


def _of_job(table: Table, id_: str) -> Select[Any]:
    return select(table).where(table.c.job == id_).order_by(table.c.number)


def _find_ended(connection: Connection, names: Iterable[str]) -> set[str]:
    """Return which of these ids are of jobs that have ended."""
    ids: set[str] = set()
    for some in portions(replace_unstorable(name) for name in names):
        chosen = jobs.c.id.in_(some) & jobs.c.state.in_(FINAL)
        ids.update(connection.execute(select(jobs.c.id).where(chosen)).scalars())
    return ids


def _job(connection: Connection, name: str | int) -> JobRecord:
    row = connection.execute(select(jobs).where(_is_named(name))).mappings().first()
    if row is None:
        last = _last_number(connection, "jobs")
        raise UnknownNameError("job", str(name), [f"1 to {last}"] if last else [])
    return job_of(row)


def _is_named(name: str | int) -> ColumnElement[bool]:
    # An id of 32 digits is not a number, and databases refuse to compare with numbers out of their range.
    text = str(name)
    if text.isascii() and text.isdecimal() and len(text) <= 18:
        return jobs.c.number == int(text)
    return jobs.c.id == replace_unstorable(text)


def _last_forecasts(connection: Connection, names: Iterable[str]) -> dict[str, ForecastRecord]:
    records: dict[str, ForecastRecord] = {}
    for some in portions(replace_unstorable(name) for name in names):
        chosen = forecasts.c.job.in_(some)
        asked = select(forecasts).where(chosen).order_by(forecasts.c.job, forecasts.c.number)
        rows = connection.execute(asked).mappings()
        records |= {row["job"]: record_of(ForecastRecord, row) for row in rows}
    return records


def _last_number(connection: Connection, kind: str) -> int:
    """Return the last number of a kind; 0: none yet."""
    return int(connection.execute(select(numbers.c.last).where(numbers.c.name == kind)).scalar_one())
