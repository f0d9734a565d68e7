"""DownTime: which nodes were down when, in one run: overlapping outages of a node count once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.held_units import held_units
from echelon.metrics.columns.steps import step_function
from echelon.model import NodeUnits, OutageKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from echelon.metrics.columns.held_units import HeldUnits
    from echelon.metrics.columns.steps import Steps
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Spans(NamedTuple):
    """Spans of time of nodes, numbered through all sites: of one node they neither touch nor overlap."""

    node: IntColumn
    start: FloatColumn
    end: FloatColumn


class DownTime(NamedTuple):
    """What was down in a span of time. Times in seconds.

    Attributes
    ----------
    low, high : float
        The span, such as from the first submission to the last end.
    start, end, weight : FloatColumn
        Processors that were not there, from when to when. Where a job continues in a node that is drained or
        that it need not leave, the node is down as its processors are given back: rows of negative weight.
    failed, repaired : FloatColumn
        Of each failure of a node that began in the span, when it began and when it was over: failures of one
        node that overlap are one; infinity if never.
    """

    low: float
    high: float
    start: FloatColumn
    end: FloatColumn
    weight: FloatColumn
    failed: FloatColumn
    repaired: FloatColumn

    @property
    def processor_seconds(self) -> float:
        """Processors times the time for which they were down."""
        return float(((self.end - self.start) * self.weight).sum())

    @property
    def steps(self) -> Steps:
        """How many processors were down at each time."""
        return step_function(self.start, self.end, np.rint(self.weight).astype(np.int64))


def down_time(schedule: Schedule, *, low: float, high: float) -> DownTime:
    """Return what was down from one time to another.

    Notes
    -----
    Jobs die with a node that fails, so only where nodes are drained or maintained may some go on there.

    Cost: O(k log k) for k nodes of all outages, and what jobs held while nodes were drained or maintained.
    """
    units, outages = NodeUnits.of(schedule.instance), schedule.outages
    counts = np.diff(outages.first)
    node = units.nodes(np.repeat(outages.site, counts), outages.node)
    spans = Spans(node, np.repeat(outages.start, counts), np.repeat(outages.end, counts))
    failing = np.repeat(outages.kind == OutageKind.FAIL, counts)
    return down_of(spans, failing, units, lambda: held_units(schedule, units), low=low, high=high)


def down_of(
    spans: Spans,
    failing: NDArray[np.bool_],
    units: NodeUnits,
    held: Callable[[], HeldUnits | None],
    *,
    low: float,
    high: float,
) -> DownTime:
    """Return what was down from one time to another, of outages of single nodes.

    Parameters
    ----------
    spans : Spans
        The outages, which may overlap.
    failing : ndarray of bool, shape (n_spans,)
        Which of them are failures.
    units : NodeUnits
        The nodes.
    held : callable
        Returns what jobs held of them, None where that is not known; called if some are no failures.
    low, high : float
        In seconds.
    """
    down = within(merge_spans(spans), low, high)
    start, end, weight = [down.start], [down.end], [units.weights(down.node)]
    if not failing.all() and (occupancy := held()) is not None:
        planned = within(merge_spans(_select_spans(spans, ~failing)), low, high)
        for column, values in zip((start, end, weight), _overlaps(planned, occupancy, units), strict=True):
            column.append(values)
    failed = merge_spans(_select_spans(spans, failing))
    inside = (failed.start >= low) & (failed.start <= high)
    begin, stop, how_many = (np.concatenate(column) for column in (start, end, weight))
    return DownTime(low, high, begin, stop, how_many, failed.start[inside], failed.end[inside])


def _select_spans(spans: Spans, chosen: NDArray[np.bool_]) -> Spans:
    return Spans(spans.node[chosen], spans.start[chosen], spans.end[chosen])


def merge_spans(spans: Spans) -> Spans:
    """Return the union of the spans of each node. One that begins as another of its node ends is another."""
    order = np.lexsort((spans.end, spans.start, spans.node))
    node, start, end = spans.node[order], spans.start[order], spans.end[order]
    # The latest end so far of the same node: ranks of ends, raised by node, have it as their running maximum.
    rank = np.empty(len(end), dtype=np.int64)
    by_end = np.argsort(end, kind="stable")
    rank[by_end] = np.arange(len(end))
    reach = np.maximum.accumulate(rank + node * len(end)) - node * len(end)
    latest = end[by_end][reach] if len(end) else end
    begins = np.ones(len(node), dtype=np.bool_)
    begins[1:] = (node[1:] != node[:-1]) | (start[1:] >= latest[:-1])
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(node))[: len(first)] - 1
    return Spans(node[first], start[first], latest[last])


def within(spans: Spans, low: float, high: float) -> Spans:
    """Return the parts of spans between two times."""
    start, end = np.maximum(spans.start, low), np.minimum(spans.end, high)
    kept = end > start
    return Spans(spans.node[kept], start[kept], end[kept])


def _overlaps(down: Spans, held: HeldUnits, units: NodeUnits) -> tuple[FloatColumn, FloatColumn, FloatColumn]:
    """Return when jobs held processors of nodes that were down, and how many, below 0."""
    rows = np.flatnonzero(_meets(held, down))
    unit, row = held.rows(rows)
    node = units.node_of_units(unit)
    order = np.lexsort((down.start, down.node))
    nodes, start, end = down.node[order], down.start[order], down.end[order]
    # A unit may be held over several outages of its node: count on from the first one that ends later.
    first = np.searchsorted(nodes, node)
    last = np.searchsorted(nodes, node, side="right")
    columns: tuple[list[FloatColumn], list[FloatColumn], list[FloatColumn]] = ([], [], [])
    at = first
    begins = np.append(start, np.inf)
    while (left := (at < last) & (begins[at] < held.end[row])).any():
        at, last, row = at[left], last[left], row[left]
        begin, stop = np.maximum(start[at], held.start[row]), np.minimum(end[at], held.end[row])
        some = stop > begin
        for column, values in zip(columns, (begin, stop, np.full(len(row), -1.0)), strict=True):
            column.append(values[some])
        at = at + 1
    start, end, weight = (np.concatenate([*column, np.empty(0)]) for column in columns)
    return start, end, weight


def _meets(held: HeldUnits, down: Spans) -> NDArray[np.bool_]:
    """Return whether each row was held while anything was down."""
    whole = merge_spans(Spans(np.zeros_like(down.node), down.start, down.end))
    next_ = np.searchsorted(whole.end, held.start, side="right")
    starts = np.append(whole.start, np.inf)
    overlap: NDArray[np.bool_] = held.end > starts[next_]
    return overlap
