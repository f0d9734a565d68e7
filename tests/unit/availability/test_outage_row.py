"""Tables ``[[outage]]`` as outages of a machine."""

from __future__ import annotations

import math

import pytest

from echelon.availability.log_clock import LogClock
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.outage_row import outage_rows
from echelon.errors import InputError
from echelon.model.machines.outages import OutageKind

GRID = MachineNodes((2, 3), ("uab", "upc"))


def rows(table, nodes=MachineNodes((4,))):  # noqa: B008  (a value)
    """Return the rows of a table."""
    return list(outage_rows(table, "outage 1", nodes, LogClock(0.0)))


def test_a_failure_of_some_nodes():
    """Nodes are numbered from 1; a failure that is not said to end never does."""
    assert rows({"node": 3, "down": 40}) == [(40.0, math.inf, (2,), OutageKind.FAIL, -math.inf, 0)]
    assert rows({"node": 3, "down": "1h", "up": "+0"})[0][:2] == (3600.0, 3600.0)
    assert rows({"node": 3, "down": "1h", "up": "never"})[0][:2] == (3600.0, math.inf)
    assert rows({"nodes": [1, 2], "down": 40, "up": "+20"})[0][:3] == (40.0, 60.0, (0, 1))


def test_drains_dates_and_sites():
    """Kinds have names, dates are read, a site is named by its path; without nodes all are meant."""
    table = {"down": "1970-01-01T01:00+00:00", "up": 7200, "kind": "drain", "announced": 60}
    assert rows({**table, "site": "upc"}, GRID) == [(3600.0, 7200.0, (0, 1, 2), OutageKind.DRAIN, 60.0, 1)]
    assert [row[-1] for row in rows(table, GRID)] == [0, 1]


def test_names_are_those_of_the_platform():
    """A table names nodes as the platform does; reservations and maintenance do the same."""
    named = MachineNodes((3,), names=(("n0", "n1", "n2"),))
    assert rows({"nodes": "n[1-2]", "down": 4}, named)[0][2] == (1, 2)
    assert rows({"node": 2, "down": 4}, named)[0][2] == (1,)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"nodes": 1}, "outage 1, down: is missing"),
        ({"down": 1, "color": 2}, "outage 1: no key of an outage is named 'color'"),
        ({"down": 1, "node": 1, "nodes": 2}, "outage 1: says node and nodes"),
        ({"down": "x"}, "outage 1, down: got 'x'"),
        ({"down": 9, "up": 3}, "outage 1, up: got '3', expected a time no earlier than down"),
        ({"down": 9, "kind": "flood"}, "outage 1, kind: got 'flood', expected fail"),
        ({"down": 9, "nodes": "5"}, "outage 1: names node 5, but there are 4"),
        ({"down": 9, "nodes": "a b"}, "outage 1, nodes: got"),
        ({"down": 9, "site": "x"}, "outage 1: names the site 'x'"),
    ],
)
def test_wrong_tables_are_refused(table, sentence):
    """The message says which table, which key, what was got and what is expected."""
    with pytest.raises(InputError, match=sentence):
        rows(table)
