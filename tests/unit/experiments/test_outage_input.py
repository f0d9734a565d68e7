"""Outages as a run is given them: files placed in the time of the log, tables, values."""

from __future__ import annotations

import json

import pytest

from echelon.availability.log_clock import LogClock
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.traces import read_failure_trace
from echelon.errors import InputError
from echelon.experiments.outage_input import outages_of, outages_words
from echelon.model.machines.outages import OutageKind, Outages

FOUR = MachineNodes((4,))
# 2026-12-01 00:00 in Madrid.
CLOCK = LogClock(1796079600.0, "Europe/Madrid")
EVENTS = (
    "NodeName|TimeStart|TimeEnd|State|Reason\n"
    "n1|2026-12-01T08:00:00|2026-12-01T09:00:00|DOWN|x\nn2|2026-12-02T00:00:00|2026-12-02T01:00:00|DOWN|y\n"
)


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(text):
        path = tmp_path / "o.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_our_own_file_in_seconds_of_the_log(file):
    """Times and nodes are those of the simulated machine."""
    given = outages_of(file("node,down,up\n2,40,60\n"))
    found = given.outages(FOUR, LogClock())
    assert (found.outages.start.tolist(), found.outages.node.tolist()) == ([40.0], [1])
    assert outages_words(given) == str(given.parts[0].file)


def test_our_own_file_with_dates_is_on_the_clock_of_the_log(file):
    """Local times of the log's zone; a log that is not dated has no place for them."""
    given = outages_of(file("node,down,up\n2,2026-12-01T08:00,2026-12-01T09:00\n"))
    assert given.outages(FOUR, CLOCK).outages.start.tolist() == [8 * 3600.0]
    with pytest.raises(InputError, match="UnixStartTime"):
        given.outages(FOUR, LogClock())


def test_events_of_the_time_of_the_log_are_where_they_were(file):
    """Slurm's events are placed by the clock of the log if they fall into it, else from its start on."""
    given = outages_of(file(EVENTS))
    inside = given.outages(FOUR, CLOCK, last=86400.0)
    assert inside.outages.start.tolist() == [8 * 3600.0, 24 * 3600.0]
    elsewhere = given.outages(FOUR, LogClock(838000000.0, "Europe/Madrid"), last=86400.0)
    assert elsewhere.outages.start.tolist() == [0.0, 16 * 3600.0]
    assert "has no outage in the time of the log" in elsewhere.notes[0]


def test_a_list_joins_what_it_has(file):
    """A file, tables and values may be given together, in order of start."""
    values = Outages.of([(50, 51, (0,), OutageKind.DRAIN, 0.0, 0)])
    given = outages_of([str(file("node,down,up\n2,40,60\n")), {"node": 3, "down": 45, "up": 46}, values])
    assert given.outages(FOUR, LogClock()).outages.start.tolist() == [40.0, 45.0, 50.0]
    words = json.loads(outages_words(given))
    assert words[1:] == [{"down": 45, "node": 3, "up": 46}, "1 outages of 1 nodes"]


def test_one_system_of_a_file(file):
    """After the file, the system is named; a trace that was read already needs no file."""
    text = "node,down,up,site\n1,5,6,a\n1,7,8,b\n"
    path = file(text)
    grid = MachineNodes((2, 2), ("a", "b"))
    one = outages_of(f"{path}:system=b").outages(grid, LogClock())
    assert (one.outages.start.tolist(), one.outages.site.tolist()) == ([7.0], [1])
    read = outages_of(read_failure_trace(path)).outages(grid, LogClock())
    assert read.outages.start.tolist() == [5.0, 7.0]


def test_none_is_nothing():
    """The word, nothing at all and an empty list are no outages."""
    assert [outages_of(given) for given in ("none", None, [])] == [None, None, None]
    assert outages_words(None) is None
