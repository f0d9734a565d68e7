"""Filling: tasks by cluster if no link may be slower than a ceiling. Exact, in one scan of the clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.coallocation.loads import Loads


def fill_clusters(loads: Loads, usable: IntColumn, ceiling: float) -> IntColumn | None:
    """Return tasks of each cluster such that no link used has SC_k above `ceiling`, or None if impossible.

    g(m) = m (tau - m) / (tau - 1) PNBW rises up to m = tau / 2 and falls from there. So a cluster may take no
    task, all, any number up to some a_k <= tau / 2, or, one cluster at most, from tau - a_k on; and of those
    last numbers the largest possible is the best: it loads its link least and leaves least to others.

    Parameters
    ----------
    loads : Loads
        The problem.
    usable : IntColumn, shape (n_clusters,)
        Nodes of each cluster that may be taken.
    ceiling : float
        Largest SC_k of a link used.

    Notes
    -----
    **Ties**: all tasks in one cluster if one can hold them, else most in one and the rest in few, else those
    with the largest a_k first; then the lowest cluster.
    **Cost**: O(clusters x tasks in one of them).
    """
    tasks = loads.problem.tasks
    if usable.max(initial=0) >= tasks:
        return only(int(usable.argmax()), tasks, loads.clusters)
    half = min(tasks // 2, loads.load.shape[1] - 1)
    room = np.minimum((loads.load[:, 1 : half + 1] <= ceiling).sum(axis=1), usable)
    spare = int(room.sum())
    most = np.minimum(usable, tasks - 1)
    large = most > half
    large &= loads.load[np.arange(loads.clusters), most] <= ceiling
    large &= spare - room + most >= tasks
    if large.any():
        main = int(np.where(large, most, -1).argmax())
        counts = only(main, int(most[main]), loads.clusters)
        room[main] = 0
        return counts + largest_first(room, tasks - int(most[main]))
    return largest_first(room, tasks) if spare >= tasks else None


def only(cluster: int, tasks: int, clusters: int) -> IntColumn:
    """Return `tasks` in one cluster."""
    counts = np.zeros(clusters, dtype=np.int64)
    counts[cluster] = tasks
    return counts


def largest_first(room: IntColumn, tasks: int) -> IntColumn:
    """Return `tasks` put into as few clusters as their room allows."""
    order = np.argsort(-room, kind="stable")
    before = np.cumsum(room[order]) - room[order]
    counts = np.zeros(len(room), dtype=np.int64)
    counts[order] = np.clip(tasks - before, 0, room[order])
    return counts
