"""Changes of records: what a step of the service has decided, written as rows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from echelon.errors import StoreError
from echelon.service.records import (
    AttemptRecord,
    ClusterRecord,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobRecord,
)
from echelon.service.store.rows import portions, replace_unstorable, row_of
from echelon.service.store.schema import attempts, clusters, decisions, events, forecasts, jobs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Insert, Table, Update

    from echelon.service.records import Record
    from echelon.service.store.transaction import Transaction

_TABLES: Mapping[type, Table] = {
    AttemptRecord: attempts,
    DecisionRecord: decisions,
    ForecastRecord: forecasts,
    ClusterRecord: clusters,
}
"""Where what has a key of its own goes."""

_FIXED = ("number", "id", "owner", "idempotency_key", "spec", "submitted_at")
"""Columns of a job that never change."""

_VERSIONS = select(jobs.c.id, jobs.c.version).where(jobs.c.id.in_(bindparam("ids", expanding=True)))


def write(transaction: Transaction, changes: Sequence[Record]) -> list[Event]:
    """Write changes; return the events among them, with their numbers.

    To write the same records twice is to write them once, but for events.

    Raises
    ------
    StoreError
        Before anything is written: a job is not there, or has changed since.
    """
    changed = [one for one in changes if isinstance(one, JobRecord)]
    _check(transaction, changed)
    by_kind: dict[type, list[dict[str, Any]]] = {}
    for one in changes:
        if not isinstance(one, Event | JobRecord):
            by_kind.setdefault(type(one), []).append(row_of(one))
    if changed:
        rows = [
            {f"new_{name}": value for name, value in row_of(one).items() if name not in _FIXED}
            | {"changed": one.id}
            for one in changed
        ]
        transaction.connection.execute(_change_of_job(), rows)
    for kind, batch in by_kind.items():
        statement = _upsert_into(_TABLES[kind], transaction.connection.dialect.name)
        transaction.connection.execute(statement, batch)
    return add_events(transaction, [one for one in changes if isinstance(one, Event)])


def add_events(transaction: Transaction, happened: Sequence[Event]) -> list[Event]:
    """Write events; return them as they are kept, with their numbers."""
    if not happened:
        return []
    numbers = transaction.take("events", len(happened))
    numbered = [
        replace(one, number=number, reason=replace_unstorable(one.reason))
        for one, number in zip(happened, numbers, strict=True)
    ]
    rows = [{**row_of(one), "number": one.number} for one in numbered]
    transaction.connection.execute(insert(events), rows)
    return numbered


def _check(transaction: Transaction, changed: Sequence[JobRecord]) -> None:
    there: dict[str, int] = {}
    for ids in portions(one.id for one in changed):
        there.update((row[0], row[1]) for row in transaction.connection.execute(_VERSIONS, {"ids": ids}))
    for one in changed:
        if one.id not in there:
            raise StoreError(f"has no job {one.id}, which is to change", is_final=True)
        if one.version < there[one.id]:
            raise StoreError(
                f"has version {there[one.id]} of job {one.number}, and is to get version {one.version}; "
                "something else changes its jobs",
                is_final=True,
            )


@cache
def _change_of_job() -> Update:
    names = [name for name in jobs.columns.keys() if name not in _FIXED]  # noqa: SIM118  (no mapping)
    return (
        update(jobs)
        .where(jobs.c.id == bindparam("changed"))
        .values({name: bindparam(f"new_{name}") for name in names})
    )


@cache
def _upsert_into(table: Table, dialect: str) -> Insert:
    """Return the statement that inserts a row, or changes the one that has its key."""
    insert_into: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert_into(table)
    key = table.primary_key.columns
    rest = {name: new for name, new in statement.excluded.items() if name not in key}
    changed: Insert = statement.on_conflict_do_update(index_elements=key, set_=rest)
    return changed
