"""Retention: how long what is over is kept, and how it goes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, tuple_

from echelon.service.records import JobState
from echelon.service.store.reader import OPEN
from echelon.service.store.rows import spec_of
from echelon.service.store.schema import events, jobs, snapshots

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from echelon.service.store.transaction import Transaction

HOUR = 3600.0
DAY = 24 * HOUR

PORTION = 500
"""Rows that one transaction deletes, so that no other waits long."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what is over is kept, in seconds.

    Attributes
    ----------
    jobs : float, default 365 days
        Jobs after their end, with their attempts, decisions, forecasts and events. A job that an open job
        follows stays.
    events : float, default 90 days
        Events, of whatever.
    snapshots : float, default 7 days
        What looks saw.
    each_look, thinned_to : float, default 1 hour, 5 minutes
        Of looks older than `each_look` one is kept for each cluster and each `thinned_to`: the first.
    """

    jobs: float = 365 * DAY
    events: float = 90 * DAY
    snapshots: float = 7 * DAY
    each_look: float = HOUR
    thinned_to: float = 300.0


def prune(write: Callable[[Callable[[Transaction], int]], int], now: float, retention: Retention) -> int:
    """Delete what is over for long enough, in portions that `write` keeps; return how many rows."""
    count = 0
    for portion in (
        partial(prune_jobs, before=now - retention.jobs),
        partial(prune_events, before=now - retention.events),
        partial(
            prune_snapshots,
            before=now - retention.snapshots,
            thin_before=now - retention.each_look,
            every=retention.thinned_to,
        ),
    ):
        while deleted := write(portion):
            count += deleted
    return count


def prune_jobs(transaction: Transaction, before: float) -> int:
    """Delete up to a portion of jobs that ended before a time; return how many."""
    connection = transaction.connection
    followed = _find_predecessors(connection)
    asked = select(jobs.c.id, jobs.c.state).where(jobs.c.ended_at < before).order_by(jobs.c.ended_at)
    over = connection.execute(asked.limit(PORTION + len(followed)))
    ids = [id_ for id_, state in over if id_ not in followed and JobState(state).is_final][:PORTION]
    if ids:
        connection.execute(delete(events).where(events.c.subject.in_(ids)))
        connection.execute(delete(jobs).where(jobs.c.id.in_(ids)))
    return len(ids)


def _find_predecessors(connection: Connection) -> frozenset[str]:
    """Return the ids of jobs that open jobs follow."""
    specs = connection.execute(select(jobs.c.spec).where(jobs.c.state.in_(OPEN))).scalars()
    return frozenset(name for text in specs if '"after"' in text for name in spec_of(text).after)


def prune_events(transaction: Transaction, before: float) -> int:
    """Delete up to a portion of the events before a time; return how many."""
    connection = transaction.connection
    asked = select(events.c.number).where(events.c.at < before).order_by(events.c.at).limit(PORTION)
    numbers = connection.execute(asked).scalars().all()
    if numbers:
        connection.execute(delete(events).where(events.c.number.in_(numbers)))
    return len(numbers)


def prune_snapshots(transaction: Transaction, before: float, *, thin_before: float, every: float) -> int:
    """Delete up to a portion of old snapshots, and of those between which there are enough; return how many.

    Of each `every` seconds, counted from second 0, the first one before `thin_before` stays.
    """
    connection = transaction.connection
    asked = select(snapshots.c.cluster, snapshots.c.began_at).where(snapshots.c.began_at < thin_before)
    over, places = [], set()
    for cluster, began_at in connection.execute(asked.order_by(snapshots.c.began_at)):
        place = (cluster, began_at // every)
        if began_at < before or place in places:
            over.append((cluster, began_at))
        else:
            places.add(place)
    if over:
        key = tuple_(snapshots.c.cluster, snapshots.c.began_at)
        connection.execute(delete(snapshots).where(key.in_(over[:PORTION])))
    return len(over[:PORTION])
