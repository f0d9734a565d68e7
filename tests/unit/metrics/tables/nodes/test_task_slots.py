"""Task slots: where in its node each task is drawn, and what is wrong with tables of places."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import per_shared_node
from echelon.metrics.columns.shared_nodes import SharedNodes
from echelon.metrics.tables.nodes.task_slots import slots_of_tables, task_slots, tasks_at_sites

TASKS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(1, 10)), max_size=30)


@pytest.fixture
def tables(shared_run):
    """Return nodes and places of the run in tests/conftest.py, and when its jobs ran."""
    places = SharedNodes(shared_run).table(pl.Series(["a", "b", "c", "d"]))
    times = {"start": shared_run.start_time, "end": shared_run.end_time}
    return per_shared_node(shared_run), places, times


def test_slots_by_hand(tables):
    """Jobs a and b share node 0 of small, so that b is in its second slot; c has one slot in each node."""
    nodes, places, times = tables
    machine, held = slots_of_tables(nodes, places, **times)
    assert machine.first_core.tolist() == [0, 2, 4, 6, 8, 10]
    assert machine.names[:3] == ["small node 0", "small node 1", "large node 0"]
    assert machine.row_names(2) == [
        "small node 0 to small node 1",
        "large node 0 to large node 1",
        "large node 2",
    ]
    assert machine.part == "task slot"
    assert machine.site_borders.tolist() == [4]
    assert held.cores.texts() == ["0 2", "1", "2 4 6 8", "8"]
    assert held.release.tolist() == [10, 12, 30, 20]


def test_tasks_at_sites_by_hand(tables):
    """A job in two clusters has a row in each."""
    _, places, _ = tables
    row, site, tasks = tasks_at_sites(places, ["small", "large"])
    assert (row.tolist(), site.tolist(), tasks.tolist()) == (
        [0, 1, 2, 2, 3],
        [0, 0, 0, 1, 1],
        [2, 1, 1, 3, 1],
    )
    with pytest.raises(InputError, match="there is no site 'large'"):
        tasks_at_sites(places, ["small"])


@given(TASKS)
def test_no_slot_holds_two_tasks_at_once(tasks):
    """As many slots as tasks at once are enough, and one fewer is refused."""
    node, start, length = (
        (np.array(each, dtype=float) for each in zip(*tasks, strict=True)) if tasks else [np.zeros(0)] * 3
    )
    node, end = node.astype(np.int64), start + length
    most = [
        max((int(((node == k) & (start <= t) & (end > t)).sum()) for t in start), default=0) for k in range(3)
    ]
    first = np.concatenate(([0], np.cumsum(most)))
    slot = task_slots(node, start, end, first)
    assert ((first[node] <= slot) & (slot < first[node + 1])).all()
    for a in range(len(tasks)):
        for b in range(a):
            assert slot[a] != slot[b] or end[a] <= start[b] or end[b] <= start[a]
    if sum(most):
        fewer = np.maximum(first - (np.arange(4) > np.argmax(most)), 0)
        with pytest.raises(InputError, match=r"more tasks at .* than its contract allows"):
            task_slots(node, start, end, fewer)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"nodes": pl.lit("7")}, "there is no node 7 in 'small'"),
        ({"nodes": pl.lit("1-")}, "expected a set of numbers"),
        ({"row": pl.lit(9)}, "expected places of each of 4 jobs"),
        ({"row": pl.lit(0)}, "expected places of each of 4 jobs"),
        ({"site": pl.lit("nowhere")}, "in 'nowhere'"),
    ],
)
def test_wrong_places_are_refused(tables, change, problem):
    """A table of places that people edited is told in one sentence."""
    nodes, places, times = tables
    with pytest.raises(InputError, match=problem):
        slots_of_tables(nodes, places.with_columns(**change), **times)


def test_wrong_nodes_are_refused(tables):
    """So is one of nodes: without slots, or a column."""
    nodes, places, times = tables
    with pytest.raises(InputError, match="at least one slot"):
        slots_of_tables(nodes.with_columns(slots=0), places, **times)
    with pytest.raises(InputError, match="missing: slots"):
        slots_of_tables(nodes.drop("slots"), places, **times)
    with pytest.raises(InputError, match="more tasks at 2 s"):
        slots_of_tables(nodes.with_columns(slots=1), places, **times)
