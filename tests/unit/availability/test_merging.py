"""Outages that overlap become one, and early ones are cut: against second by second."""

from __future__ import annotations

import time

import numpy as np

from echelon.availability.merging import clip_outages, merge_outages, node_intervals
from echelon.model.machines.outages import NO_OUTAGES, OutageKind, Outages

FAIL, DRAIN = OutageKind.FAIL, OutageKind.DRAIN
ALWAYS = float("-inf")


def rows_of(outages):
    """Return outages as rows that can be compared."""
    columns = (outages.start, outages.end, outages.kind, outages.site)
    return [
        (*(column.tolist()[row] for column in columns), outages.nodes_of(row).tolist())
        for row in range(len(outages))
    ]


def made(*rows):
    return Outages.of((start, end, nodes, kind, ALWAYS, 0) for start, end, nodes, kind in rows)


def test_overlapping_and_touching_outages_of_a_node_are_one():
    """10-20, 15-30 and 30-40 are 10-40; another node, another kind and a later outage stay."""
    found = merge_outages(
        made(
            (10, 20, [1], FAIL),
            (12, 18, [2], FAIL),
            (13, 14, [1], DRAIN),
            (15, 30, [1], FAIL),
            (30, 40, [1], FAIL),
            (41, 42, [1], FAIL),
        )
    )
    assert rows_of(found) == [
        (10, 40, FAIL, 0, [1]),
        (12, 18, FAIL, 0, [2]),
        (13, 14, DRAIN, 0, [1]),
        (41, 42, FAIL, 0, [1]),
    ]


def test_a_short_outage_inside_a_long_one_does_not_end_it():
    """The union ends with the latest end, not with the last one; an endless outage takes all later ones."""
    assert rows_of(merge_outages(made((0, 100, [0], FAIL), (10, 20, [0], FAIL), (50, 120, [0], FAIL)))) == [
        (0, 120, FAIL, 0, [0])
    ]
    assert rows_of(merge_outages(made((0, np.inf, [0], FAIL), (10, 20, [0], FAIL)))) == [
        (0, np.inf, FAIL, 0, [0])
    ]


def test_an_outage_of_no_length_stays_unless_it_is_in_another_one():
    """At 5 it is alone, at 10 in one that lasts; twice at once it is once."""
    found = merge_outages(
        made(
            (5, 5, [0], FAIL), (5, 5, [0], FAIL), (8, 12, [0], FAIL), (10, 10, [0], FAIL), (10, 10, [1], FAIL)
        )
    )
    assert rows_of(found) == [(5, 5, FAIL, 0, [0]), (8, 12, FAIL, 0, [0]), (10, 10, FAIL, 0, [1])]


def test_nodes_that_go_down_and_come_back_together_are_in_one_row():
    """A burst is one outage of several nodes, also where it came as several rows."""
    assert rows_of(merge_outages(made((0, 5, [3], FAIL), (0, 5, [1, 2], FAIL)))) == [
        (0, 5, FAIL, 0, [1, 2, 3])
    ]


def test_the_union_is_that_of_seconds():
    """Random outages in whole seconds, begun and ended on halves: a node is down in the same seconds."""
    rng = np.random.default_rng(1)
    rows = []
    for _ in range(200):
        start = int(rng.integers(0, 300))
        nodes = sorted(set(rng.integers(0, 6, 2).tolist()))
        rows.append((start, start + int(rng.integers(0, 12)), nodes, FAIL))
    before = made(*rows)

    def down(outages):
        one = node_intervals(outages)
        seconds = zip(one.node.tolist(), one.start.astype(int), one.end.astype(int), strict=True)
        return {(node, second) for node, start, end in seconds for second in range(start, end)}

    after = merge_outages(before)
    assert down(after) == down(before)
    one = node_intervals(after)
    order = np.lexsort((one.start, one.node))
    same = one.node[order][1:] == one.node[order][:-1]
    assert (one.start[order][1:] > one.end[order][:-1])[same].all()
    assert rows_of(merge_outages(after)) == rows_of(after)


def test_what_is_cut_at_second_0():
    """What is over goes, what is on begins at 0, and what begins at 0 without length stays."""
    found = clip_outages(
        made((-9, -1, [0], FAIL), (-5, 0, [1], FAIL), (-5, 5, [2], FAIL), (0, 0, [3], FAIL)), 0.0
    )
    assert rows_of(found) == [(0, 5, FAIL, 0, [2]), (0, 0, FAIL, 0, [3])]


def test_a_horizon_leaves_ends_as_they_are():
    """An outage that begins before it keeps its end; one that begins at it goes."""
    assert rows_of(clip_outages(made((1, 99, [0], FAIL), (10, 20, [0], FAIL)), 0.0, 10.0)) == [
        (1, 99, FAIL, 0, [0])
    ]


def test_nothing_stays_nothing():
    """No outage merges to no outage, and none is cut."""
    assert len(merge_outages(NO_OUTAGES)) == len(clip_outages(NO_OUTAGES, 0.0)) == 0


def test_a_hundred_thousand_outages_take_less_than_a_second():
    """Merging is by columns, not row by row."""
    rng = np.random.default_rng(2)
    n = 100_000
    start = np.sort(rng.random(n) * 1e7)
    many = Outages(
        np.zeros(n, dtype=np.int64),
        start,
        start + rng.exponential(3000, n),
        np.zeros(n, dtype=np.int8),
        np.full(n, ALWAYS),
        np.arange(n + 1),
        rng.integers(0, 1000, n),
    )
    began = time.process_time()
    assert len(merge_outages(many)) < n
    assert time.process_time() - began < 1.0
