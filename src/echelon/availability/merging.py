"""Merging outages: overlapping ones of a node become one, and early ones are cut."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.model.jobs.columns import ranges
from echelon.model.machines.outages import NO_OUTAGES, Outages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


class NodeIntervals(NamedTuple):
    """Outages of single nodes as columns of equal length, in any order; see `Outages`."""

    site: IntColumn
    node: IntColumn
    start: FloatColumn
    end: FloatColumn
    kind: NDArray[np.int8]
    announced: FloatColumn

    def of(self, rows: NDArray[Any]) -> NodeIntervals:
        """Return the intervals in these rows, by index or by mask."""
        return NodeIntervals(*(column[rows] for column in self))


def node_intervals(outages: Outages) -> NodeIntervals:
    """Return outages node by node."""
    counts = np.diff(outages.first)
    return NodeIntervals(
        np.repeat(outages.site, counts),
        outages.node,
        np.repeat(outages.start, counts),
        np.repeat(outages.end, counts),
        np.repeat(outages.kind, counts),
        np.repeat(outages.announced, counts),
    )


def merge_outages(outages: Outages) -> Outages:
    """Return the union of outages that overlap or touch, node by node.

    Parameters
    ----------
    outages : Outages
        In the order of their starts.

    Returns
    -------
    Outages
        Nodes that go down and come back together are in one row. Only outages of one node, one kind and one
        time of announcement are joined: a failure during maintenance stays a failure.

    Notes
    -----
    An outage of no length stays if it is in no other one.
    Cost: O(n log n) for n outages of single nodes; two seconds for a million.
    """
    return outages_of(unite(node_intervals(outages)))


def unite(intervals: NodeIntervals) -> NodeIntervals:
    """Return the union of the intervals of each node, kind and announcement, by node and start."""
    n = len(intervals.node)
    if not n:
        return intervals
    keys = (intervals.announced, intervals.kind, intervals.node, intervals.site)
    order = np.lexsort((intervals.end, intervals.start, *keys))
    rows = intervals.of(order)
    differs = _differ((rows.announced, rows.kind, rows.node, rows.site))
    group = np.concatenate(([0], np.cumsum(differs)))
    # The latest end so far in each group: ranks of ends, lifted above those of all groups before.
    ends, rank = np.unique(rows.end, return_inverse=True)
    latest = np.maximum.accumulate(group * len(ends) + rank) - group * len(ends)
    begins = np.concatenate(([True], differs | (rows.start[1:] > ends[latest[:-1]])))
    first = np.flatnonzero(begins)
    last = np.concatenate((first[1:], [n])) - 1
    return rows.of(first)._replace(end=ends[latest[last]])


def outages_of(intervals: NodeIntervals) -> Outages:
    """Return intervals of nodes as outages by start; those that are equal but for their node are one row."""
    n = len(intervals.node)
    if not n:
        return NO_OUTAGES
    keys = (intervals.announced, intervals.kind, intervals.end, intervals.site, intervals.start)
    rows = intervals.of(np.lexsort((intervals.node, *keys)))
    differs = _differ((rows.announced, rows.kind, rows.end, rows.site, rows.start))
    # A node that is twice in one row (merged intervals have none) would be in it twice: two rows instead.
    differs |= rows.node[1:] == rows.node[:-1]
    first = np.concatenate(([0], np.flatnonzero(differs) + 1))
    heads = rows.of(first)
    return Outages(
        heads.site,
        heads.start,
        heads.end,
        heads.kind,
        heads.announced,
        np.concatenate((first, [n])).astype(np.int64),
        rows.node,
    )


def _differ(columns: Iterable[NDArray[Any]]) -> NDArray[np.bool_]:
    """Return which rows, from the second on, differ from the one before in any of these columns."""
    differs: NDArray[np.bool_] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return differs


def clip_outages(outages: Outages, start: float, horizon: float = np.inf) -> Outages:
    """Return the outages that begin before the horizon and are not over by `start`.

    Parameters
    ----------
    outages : Outages
        In the order of their starts.
    start : float
        In seconds: one that is on then begins then. One that ends then is over, unless it begins then, too.
    horizon : float, default infinity
        In seconds. An outage that begins before it keeps its end, which may be later: so a longer horizon
        changes nothing before.
    """
    kept = (outages.start < horizon) & ((outages.end > start) | (outages.start >= start))
    overlap = outages.take(np.flatnonzero(kept))
    return replace(overlap, start=np.maximum(overlap.start, start))


def join_outages(outages: Iterable[Outages]) -> Outages:
    """Return several sets of outages as one, in order of start, equal starts in the order given."""
    parts = [one for one in outages if len(one)]
    if len(parts) < 2:
        return parts[0] if parts else Outages.of()
    order = np.argsort(np.concatenate([one.start for one in parts]), kind="stable")
    counts = np.concatenate([np.diff(one.first) for one in parts])
    node = np.concatenate([one.node for one in parts])
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    names = ("site", "start", "end", "kind", "announced")
    return Outages(
        **{name: np.concatenate([getattr(one, name) for one in parts])[order] for name in names},
        first=np.concatenate(([0], np.cumsum(counts[order]))).astype(np.int64),
        node=node[ranges(first[order], first[order + 1])],
    )
