"""Submission of jobs: keys that were used before, numbers, rows and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, insert, select

from echelon.errors import InputError
from echelon.service.records import Event, JobRecord, JobState
from echelon.service.store.changes import add_events
from echelon.service.store.rows import exact, job_of, portions, row_of
from echelon.service.store.schema import jobs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from echelon.service.records import JobSpec
    from echelon.service.store.transaction import Transaction

# Made once: to make a statement takes longer than to carry it out.
_BY_ID = select(jobs).where(jobs.c.id.in_(bindparam("ids", expanding=True)))
_BY_KEY = select(jobs).where(
    jobs.c.owner == bindparam("owner"), jobs.c.idempotency_key.in_(bindparam("keys", expanding=True))
)


class Wanted(NamedTuple):
    """A job to be kept, with the key of its submission."""

    id: str
    spec: JobSpec
    key: str | None


def wanted_of(specs: Sequence[JobSpec], keys: Sequence[str | None], ids: Sequence[str]) -> tuple[Wanted, ...]:
    """Return the jobs to be kept.

    Raises
    ------
    InputError
        If a key or an id cannot be kept, or their numbers differ.
    """
    if not len(specs) == len(keys) == len(ids):
        raise InputError(f"must be as many as jobs, got {len(keys)} keys, {len(ids)} ids, {len(specs)} jobs")
    return tuple(
        Wanted(exact(id_, "id"), spec, None if key is None else exact(key, "idempotency_key"))
        for spec, key, id_ in zip(specs, keys, ids, strict=True)
    )


def add_jobs(
    transaction: Transaction, owner: str, wanted: Sequence[Wanted], now: float
) -> list[tuple[JobRecord, bool]]:
    """Keep jobs, all or none; return each with whether it is new.

    A job whose key, or whose id, is there with the same spec is that job: a submission whose answer was lost
    may be repeated.

    Raises
    ------
    InputError
        Before anything is written: a key or an id is there with another spec.
    """
    earlier_jobs = _EarlierJobs(transaction.connection, owner, wanted)
    places: list[int | JobRecord] = []
    new: list[Wanted] = []
    for one in wanted:
        match = earlier_jobs.of(one, new)
        places.append(len(new) if match is None else match)
        if match is None:
            earlier_jobs.add(one, place=len(new))
            new.append(one)
    records = [
        _record(owner, one, number, now)
        for one, number in zip(new, transaction.take("jobs", len(new)) if new else (), strict=True)
    ]
    if records:
        rows = [
            {**row_of(record), "idempotency_key": one.key} for record, one in zip(records, new, strict=True)
        ]
        transaction.connection.execute(insert(jobs), rows)
        add_events(transaction, [Event(now, "job", one.id, one.state, one.reason) for one in records])
    return list(_answers(places, records))


def _record(owner: str, one: Wanted, number: int, now: float) -> JobRecord:
    held = one.spec.is_held
    return JobRecord(
        one.id,
        number,
        owner,
        one.spec,
        now,
        wanted="hold" if held else "run",
        state=JobState.HELD if held else JobState.QUEUED,
        reason=f"Submitted by {owner}, held." if held else f"Submitted by {owner}.",
    )


def _answers(
    places: Iterable[int | JobRecord], records: Sequence[JobRecord]
) -> Iterator[tuple[JobRecord, bool]]:
    seen: set[int] = set()
    for place in places:
        if isinstance(place, JobRecord):
            yield place, False
        else:
            yield records[place], place not in seen
            seen.add(place)


class _EarlierJobs:
    """Jobs by their keys and ids: those of the store, and those before in the same submission."""

    def __init__(self, connection: Connection, owner: str, wanted: Sequence[Wanted]) -> None:
        self._by_key: dict[str, JobRecord | int] = {}
        self._by_id: dict[str, JobRecord | int] = {}
        self._owner = owner
        for ids in portions(one.id for one in wanted):
            for row in connection.execute(_BY_ID, {"ids": ids}).mappings():
                self._by_id[row["id"]] = job_of(row)
        for keys in portions(one.key for one in wanted if one.key is not None):
            for row in connection.execute(_BY_KEY, {"owner": owner, "keys": keys}).mappings():
                self._by_key[row["idempotency_key"]] = job_of(row)

    def add(self, one: Wanted, *, place: int) -> None:
        """Note a job of this submission."""
        self._by_id[one.id] = place
        if one.key is not None:
            self._by_key[one.key] = place

    def of(self, one: Wanted, new: Sequence[Wanted]) -> JobRecord | int | None:
        """Return the job that this one is, or its place in this submission; None: it is new."""
        match = None if one.key is None else self._by_key.get(one.key)
        field, name = "idempotency_key", one.key
        if match is None:
            match, field, name = self._by_id.get(one.id), "id", one.id
        if match is None:
            return None
        spec = match.spec if isinstance(match, JobRecord) else new[match].spec
        if spec != one.spec or (isinstance(match, JobRecord) and match.owner != self._owner):
            raise InputError(f"{name!r:.80} was used for another job; use another one", field=field)
        return match
