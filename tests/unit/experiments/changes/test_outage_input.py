"""Outages as a run is given them: files placed in the time of the log, tables, values."""

from __future__ import annotations

import json

import pytest

from echelon.availability.log_clock import LogClock
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.traces import read_failure_trace
from echelon.errors import InputError
from echelon.experiments.changes.outage_input import format_outages, outages_of
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
    assert format_outages(given) == str(given.parts[0].file)


def test_our_own_file_with_dates_is_on_the_clock_of_the_log(file):
    """Local times of the log's zone; a log that is not dated has no place for them."""
    given = outages_of(file("node,down,up\n2,2026-12-01T08:00,2026-12-01T09:00\n"))
    assert given.outages(FOUR, CLOCK).outages.start.tolist() == [8 * 3600.0]
    with pytest.raises(InputError, match="UnixStartTime"):
        given.outages(FOUR, LogClock())


def test_events_are_where_they_were(file):
    """Slurm's events have dates, and so has the log: they are not moved, wherever in the log they are."""
    given = outages_of(file(EVENTS))
    inside = given.outages(FOUR, CLOCK, last=86400.0)
    assert inside.outages.start.tolist() == [8 * 3600.0, 24 * 3600.0]
    assert not any("time of the log" in note for note in inside.notes)
    later = given.outages(FOUR, CLOCK, last=3600.0)
    assert later.outages.start.tolist() == [8 * 3600.0, 24 * 3600.0]
    assert "has no outage in the time of the log; give" in later.notes[0]
    earlier = given.outages(FOUR, LogClock(CLOCK.unix_start_time + 90_000, "Europe/Madrid"), last=1e6)
    assert earlier.outages.end.tolist() == []
    assert any("2 outages of" in note and "ended before" in note for note in earlier.notes)


def test_a_trace_of_an_archive_begins_with_a_log_of_another_time(file):
    """That of another machine and time is moved, which is said; one that overlaps the log is not."""
    names = "event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time"
    row = "1 1 7 1 x 0 {} {}"
    given = outages_of(file("\n".join((names, row.format(5000, 6000), row.format(7000, 7500), ""))))
    elsewhere = given.outages(FOUR, LogClock(9e8), last=1000.0)
    assert elsewhere.outages.start.tolist() == [0.0, 2000.0]
    assert "has no outage in the time of the log: its first one is at second 0" in elsewhere.notes[0]
    inside = given.outages(FOUR, LogClock(4000.0), last=2000.0)
    assert inside.outages.start.tolist() == [1000.0, 3000.0]
    undated = given.outages(FOUR, LogClock(), last=2000.0)
    assert undated.outages.start.tolist() == [0.0, 2000.0]
    assert "the log has no dates" in undated.notes[0]


def test_a_first_outage_that_is_left_out_is_not_said_to_be_on_the_machine(file):
    """Of more nodes than the machine has the last ones are left out, also if they fail first."""
    names = "event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time"
    rows = [f"{node} {node} {node} 1 x{node} 0 {7000 - 400 * node} 7500" for node in range(1, 6)]
    given = outages_of(file("\n".join((names, *rows, ""))))
    here = given.outages(FOUR, LogClock(9e8), last=1000.0)
    assert here.outages.start.min() == 400.0
    assert here.notes[0].endswith(": its first one is at second 0, the first on this machine at second 400")
    undated = given.outages(FOUR, LogClock(), last=1000.0)
    assert undated.notes[0].endswith("is at second 0, the first on this machine at second 400")


@pytest.mark.parametrize(
    ("begin", "start"), [("0", 0.0), ("3600", 3600.0), ("2026-12-03T00:00", 172800.0), ("2d", 172800.0)]
)
def test_the_first_outage_begins_when_it_is_said(file, begin, start):
    """A trace is moved as asked, to a time of the log, whatever its dates and those of the log."""
    path = file(EVENTS)
    given = outages_of(f"{path}:begin={begin}")
    assert format_outages(given) == f"{path}:begin={begin}"
    assert given.outages(FOUR, CLOCK, last=1e9).outages.start.tolist() == [start, start + 16 * 3600.0]


def test_system_and_beginning_in_either_order(file):
    """Both options after a file are read, whichever is first; a beginning that is no time is named."""
    path = file("node,down,up,site\n1,5,6,a\n1,7,8,b\n")
    grid = MachineNodes((2, 2), ("a", "b"))
    for spec in (f"{path}:system=b:begin=100", f"{path}:begin=100:system=b"):
        found = outages_of(spec).outages(grid, LogClock())
        assert (found.outages.start.tolist(), found.outages.site.tolist()) == ([100.0], [1])
    with pytest.raises(InputError, match="begin: got 'soon', expected seconds of the log"):
        outages_of(f"{path}:begin=soon").outages(grid, LogClock())


def test_a_list_joins_what_it_has(file):
    """A file, tables and values may be given together, in order of start."""
    values = Outages.of([(50, 51, (0,), OutageKind.DRAIN, 0.0, 0)])
    given = outages_of([str(file("node,down,up\n2,40,60\n")), {"node": 3, "down": 45, "up": 46}, values])
    assert given.outages(FOUR, LogClock()).outages.start.tolist() == [40.0, 45.0, 50.0]
    parts = json.loads(format_outages(given))
    assert parts[1:] == [{"down": 45, "node": 3, "up": 46}, "1 outages of 1 nodes"]


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
    assert format_outages(None) is None
