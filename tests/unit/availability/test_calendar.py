"""Calendar: entries on a machine, as outages and reservations."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.availability.calendar import Calendar
from echelon.availability.calendar_entry import DAILY, CalendarEntry, Repeat
from echelon.availability.log_clock import LogClock, Moment
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.merging import join_outages
from echelon.errors import InputError
from echelon.model.machines.outages import OutageKind, Outages

CLOCK = LogClock()


def entry(start, length, **more):
    """Return an entry of a reservation."""
    return CalendarEntry(Moment(start), length, **{"is_maintenance": False, **more})


def reservations(*entries, nodes=6, horizon=math.inf):
    """Return the reservations of entries on one machine."""
    return Calendar(entries).expand(MachineNodes((nodes,)), CLOCK, horizon).reservations


def test_a_count_takes_the_lowest_nodes_free_of_others():
    """Nodes of lists, and of earlier counts that are still on, are left to them."""
    found = reservations(
        entry(0, 100, name="list", listed=(2,)), entry(10, 50, name="a", count=2), entry(20, 10, count=1)
    )
    assert [one.nodes for one in found] == [(1,), (0, 2), (3,)]


def test_a_count_reuses_nodes_whose_reservation_has_ended():
    """Intervals are half open: one that ends when another begins is in no one's way."""
    found = reservations(entry(0, 10, count=2), entry(10, 10, count=2))
    assert [one.nodes for one in found] == [(0, 1), (0, 1)]


def test_a_count_leaves_the_nodes_of_lists_that_begin_later():
    """A list cannot be moved, so a count that would meet it takes others."""
    found = reservations(entry(0, 100, count=1), entry(50, 10, listed=(1,)))
    assert [one.nodes for one in found] == [(1,), (0,)]


def test_maintenance_is_in_no_ones_way():
    """A reservation keeps its nodes through maintenance of the whole machine."""
    assert reservations(entry(0, 100, count=2), entry(0, 10, is_maintenance=True))[0].nodes == (0, 1)


def test_too_few_free_nodes_are_refused():
    """The message says how many are free, and when."""
    with pytest.raises(InputError, match=r"line 3: needs 5 nodes from 0 to 10 s, but 4 of 6 are free"):
        reservations(entry(0, 10, listed=(1, 2)), entry(0, 10, count=5, place="line 3"))


def test_repeats_become_reservations_of_one_name():
    """Each occurrence is a reservation; a count may find other nodes each time."""
    found = reservations(
        entry(0, 10, name="course", count=1, repeat=DAILY),
        entry(86400, 5, name="x", listed=(1,)),
        horizon=2 * 86400,
    )
    assert [(one.name, one.start, one.nodes) for one in found] == [
        ("course", 0.0, (0,)),
        ("course", 86400.0, (1,)),
        ("x", 86400.0, (0,)),
    ]


def test_entries_in_seconds_repeat_in_seconds():
    """Without a calendar day a period is a number of seconds."""
    found = reservations(entry(5, 10, count=1, repeat=Repeat(seconds=30)), horizon=66)
    assert [one.start for one in found] == [5.0, 35.0, 65.0]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"length": 0}, "must last a finite time"),
        ({"length": 20, "repeat": Repeat(seconds=10)}, "make it shorter"),
        ({"length": 1, "listed": (1,), "count": 2}, "both a list of nodes and a number"),
        ({"length": 1, "count": 0}, "at least 1 node"),
    ],
)
def test_impossible_entries_are_refused(more, sentence):
    """An entry that cannot be is refused where it is made, with its place."""
    with pytest.raises(InputError, match=f"here: .*{sentence}"):
        CalendarEntry(Moment(0.0), **more, place="here")


def test_joined_outages_are_in_order_of_start():
    """Outages of several sources are one set, each with its nodes; equal starts stay in order."""
    fail, drain = OutageKind.FAIL, OutageKind.DRAIN
    one = Outages.of([(5, 9, (1, 2), fail, -math.inf, 0), (20, 30, (0,), fail, -math.inf, 1)])
    other = Outages.of([(1, 2, (3,), drain, 0.0, 0), (5, 6, (4, 5, 6), drain, 0.0, 0)])
    found = join_outages((one, other))
    assert found.start.tolist() == [1.0, 5.0, 5.0, 20.0]
    assert [found.nodes_of(row).tolist() for row in range(4)] == [[3], [1, 2], [4, 5, 6], [0]]
    assert found.kind.tolist() == [drain, fail, drain, fail]
    assert found.site.tolist() == [0, 0, 0, 1]


def test_joined_is_what_rows_would_be():
    """Joining random sets of outages gives what all rows together give, up to the order of equal starts."""
    random = np.random.default_rng(3)
    sets = []
    rows = []
    for _ in range(4):
        mine = []
        for _ in range(int(random.integers(0, 8))):
            start, count = float(random.integers(0, 1000)) + random.random(), int(random.integers(1, 4))
            nodes = tuple(sorted(random.choice(9, count, replace=False).tolist()))
            mine.append((start, start + 1, nodes, OutageKind.FAIL, -math.inf, 0))
        sets.append(Outages.of(mine))
        rows += mine
    found, expected = join_outages(sets), Outages.of(rows)
    assert found.start.tolist() == expected.start.tolist()
    assert found.node.tolist() == expected.node.tolist()
    assert found.first.tolist() == expected.first.tolist()
