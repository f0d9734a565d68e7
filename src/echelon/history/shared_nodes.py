"""Which jobs shared a node, when, and how full it was: sweeps over the tasks of each node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.history.stays import Stays
    from echelon.model import TaskPlaces
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Sharing:
    """Intervals in which two jobs held one node: one row a pair and node, columns of shape (n_rows,).

    Parameters
    ----------
    first, second : IntColumn
        The two jobs, by position: the first to start, and the other. Equal: the job itself, alone or
        not, from its start to its end.
    site, node : IntColumn
        Where.
    start, end : FloatColumn
        From when to when, in seconds; end > start unless a job of no length held the node. Of jobs that met
        there several times, since one was suspended in between, the first start and the last end.
    """

    first: IntColumn
    second: IntColumn
    site: IntColumn
    node: IntColumn
    start: FloatColumn
    end: FloatColumn


def most_tasks_at_start(places: TaskPlaces | None, stays: Stays) -> IntColumn:
    """Return the largest number of tasks in one of its nodes right after each job started, itself included.

    Parameters
    ----------
    places : TaskPlaces, optional
        None: no node was shared, all have 1.
    stays : Stays
        When jobs started and ended.

    Notes
    -----
    **Ties**: ends before starts; starts at one instant in the order in which the jobs joined their queues.
    **Cost**: O(n log n) for n tasks.
    """
    most = np.ones(len(stays), dtype=np.int64)
    if places is None or not len(places.job):
        return most
    tasks = _by_node(places, stays)
    job, node = places.job[tasks], _node_numbers(places)[tasks]
    start, end = (column[tasks] for column in places.times(stays.start, stays.end))
    n = len(tasks)
    # At one instant: ends, then starts, then tasks that start and end at once.
    brief = end <= start
    times = np.concatenate((end, start))
    kind = np.concatenate((np.where(brief, 2, 0), np.ones(n, dtype=np.int64)))
    rank = np.tile(np.arange(n), 2)
    events = np.lexsort((rank, kind, times, np.tile(node, 2)))
    change = np.where(events < n, -1, 1)
    there = np.cumsum(change)
    # The start of a job is that of its first attempt.
    starts = (events >= n) & (np.tile(start, 2)[events] == stays.start[np.tile(job, 2)[events]])
    np.maximum.at(most, job[events[starts] - n], there[starts])
    return most


def sharing_of(places: TaskPlaces, stays: Stays) -> Sharing:
    """Return the pairs of jobs that shared a node, by node, then by the start of the second job there.

    Cost: O(n log n + rows) for n tasks; each task looks back only at tasks present at its start.
    """
    tasks = _by_node(places, stays)
    node = _node_numbers(places)[tasks].tolist()
    job = places.job[tasks].tolist()
    start, end = (column[tasks].tolist() for column in places.times(stays.start, stays.end))
    rows: list[tuple[int, int]] = []
    there: list[int] = []
    for row in range(len(tasks)):
        if row and node[row] != node[row - 1]:
            there = []
        there = [other for other in there if end[other] > start[row]]
        rows.extend((other, row) for other in there)
        rows.append((row, row))
        there.append(row)
    pairs = np.array(rows, dtype=np.int64).reshape(-1, 2)
    first, second = pairs[:, 0], pairs[:, 1]
    ends, jobs = np.array(end), np.array(job, dtype=np.int64)
    sharing = Sharing(
        first=jobs[first],
        second=jobs[second],
        site=places.site[tasks[second]],
        node=places.node[tasks[second]],
        start=np.array(start)[second],
        end=np.minimum(ends[first], ends[second]),
    )
    return sharing if places.start is None else _once_each(sharing)


def _once_each(sharing: Sharing) -> Sharing:
    """Return one row a pair and node, from the first start to the last end, in the order of the first."""
    keys = np.stack((sharing.first, sharing.second, sharing.site, sharing.node))
    _, row, whose = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    end = np.full(len(row), -np.inf)
    np.maximum.at(end, whose.reshape(-1), sharing.end)
    order = np.argsort(row)
    kept = row[order]
    columns = {name: getattr(sharing, name)[kept] for name in ("first", "second", "site", "node", "start")}
    return Sharing(**columns, end=end[order])


def _by_node(places: TaskPlaces, stays: Stays) -> IntColumn:
    """Return the tasks by node, then by start, by when they joined their queue, and by position."""
    job, (start, _) = places.job, places.times(stays.start, stays.end)
    return np.lexsort((job, stays.joined[job], start, places.node, places.site))


def _node_numbers(places: TaskPlaces) -> IntColumn:
    """Return one number for the node of each task, different for different nodes."""
    return places.site * (int(places.node.max(initial=0)) + 1) + places.node
