"""Failure traces: recognized by content, read with file and line of what is wrong, compressed or not."""

from __future__ import annotations

import contextlib
import gzip
import lzma

import numpy as np
import pytest

from echelon.availability.traces import is_trace, parse_trace, read_failure_trace, recognize_trace
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.model.machines.outages import OutageKind

FTA = """\
event_id component_id node_id platform_id node_name event_type \
event_start_time event_stop_time event_end_reason
    0\t       0\t     655\t    3\t       10.000\t         0\t   \t\t1000\t   \t\t1600\t       \t8000
    1\t       0\t     655\t    3\t       10.000\t         1\t   \t\t1600\t   \t\t5600\t       \t4022
    2\t       0\t     655\t    3\t       10.000\t         0\t   \t\t5600\t   \t\t5600\t       \t8000
    0\t       0\t     9\t    3\t       10.000\t         0\t   \t\t2000\t   \t\t2500\t       \t8000
"""
LANL = """\
System,machine type,nodes,nodenum,nodenumz,Prob Started,Prob Fixed,Down Time,Hardware,Software,Same Event
2,cluster,49,7,0,6/21/2005 10:54,6/21/2005 11:00,6,Graphics,,No
20,cluster,512,1,1,4/3/2005 0:30,4/3/2005 4:30,180,,"Disk, IDE",No
2,cluster,49,7,0,6/21/2005 10:59,6/21/2005 11:20,21,,,No
"""
SLURM = """\
NodeName|TimeStart|TimeEnd|State|Reason
|2026-02-01T00:00:00|2026-03-01T00:00:00||Cluster Registered TRES
n2|2026-03-01T08:00:00|2026-03-01T09:30:00|DOWN*|Not responding
n1|2026-03-02T00:00:00|Unknown|DRAIN|disk | fan
n1|2026-03-03T00:00:00|2026-03-03T01:00:00|MAINT|kernel
n3|2026-03-04T00:00:00|2026-03-05T00:00:00|POWERED_DOWN|saving
"""
OWN = """\
node,down,up,kind,announced,site
3,40,60,,,
5-7,100,,drain,0,
login,10,20,Maintenance,-5,
"""


def rows_of(trace):
    """Return system, node, begin, end and kind of each row."""
    columns = (trace.node, trace.down, trace.up, trace.kind)
    return [
        (trace.systems[trace.system[node]], trace.nodes[node], down, up, OutageKind(kind).name)
        for node, down, up, kind in zip(*(column.tolist() for column in columns), strict=True)
    ]


def kinds_of(trace):
    return {one.kind: (one.count, one.first_line) for one in trace.anomalies}


def read(text, **options):
    return parse_trace(text.encode(), "file", **options)


def test_the_failure_trace_archive():
    """Events of type 0 are outages, of nodes by their number, not by their name, which two share."""
    trace = read(FTA)
    assert (trace.format, trace.is_dated) == ("fta", True)
    assert rows_of(trace) == [
        ("", "655", 1000, 1600, "FAIL"),
        ("", "655", 5600, 5600, "FAIL"),
        ("", "9", 2000, 2500, "FAIL"),
    ]
    assert kinds_of(trace) == {"no-length": (1, 4), "not-modeled": (2, None)}
    assert "event_end_reason" in trace.anomalies[-1].sentence


def test_lanl():
    """Nodes by system and nodenumz; a node is down for its Down Time, which clocks do not change."""
    trace = read(LANL)
    start = np.datetime64("2005-06-21T10:54").astype("datetime64[s]").astype(int)
    assert trace.format == "lanl"
    assert rows_of(trace)[0] == ("2", "0", start, start + 360, "FAIL")
    assert rows_of(trace)[1][1:2] == ("1",)
    assert trace.up[1] - trace.down[1] == 180 * 60
    found = kinds_of(trace)
    assert found["down-time"] == (1, 3)
    assert found["overlapping"] == (1, 4)
    assert "hardware, software, same event" in trace.anomalies[-1].sentence
    assert rows_of(trace.of_system("20")) == rows_of(trace)[1:2]
    with pytest.raises(UnknownNameError, match="no system in file is named '3'"):
        trace.of_system("3")


def test_a_zone_moves_dates_that_say_none():
    """In Denver summer time 10:54 is 16:54 UTC."""
    assert read(LANL, timezone="America/Denver").down[0] - read(LANL).down[0] == 6 * 3600
    with pytest.raises(UnknownNameError, match="time zone"):
        read(LANL, timezone="America/Denvr")


def test_slurm_events():
    """States decide the kind; what is no outage of a node is counted and left out; a reason may have bars."""
    trace = read(SLURM)
    day = np.datetime64("2026-03-01").astype("datetime64[s]").astype(int)
    assert (trace.format, trace.numbering) == ("slurm-events", "order")
    assert rows_of(trace) == [
        ("", "n2", day + 28800, day + 34200, "FAIL"),
        ("", "n1", day + 86400, float("inf"), "DRAIN"),
        ("", "n1", day + 172800, day + 176400, "MAINTENANCE"),
    ]
    found = kinds_of(trace)
    assert (found["cluster-events"], found["other-states"]) == ((1, 2), (1, 6))
    assert "1 POWERED_DOWN" in next(one for one in trace.anomalies if one.kind == "other-states").sentence
    assert found["not-over"] == (1, 4)


def test_slurm_events_as_other_options_print_them():
    """-p ends lines with a bar, Unix seconds may stand for dates, and short column names are the manual's."""
    trace = read(
        "NodeName|Start|End|State|\nn1|1000|2000|IDLE+DRAIN|\nn1|3000|0|FAILING|\n".replace("|0|", "||")
    )
    assert rows_of(trace) == [
        ("", "n1", 1000, 2000, "DRAIN"),
        ("", "n1", 3000, float("inf"), "FAIL"),
    ]


def test_slurm_lists_of_nodes_are_written_out():
    """A list in brackets is all its nodes, with the digits that their names have."""
    trace = read("NodeName|TimeStart|TimeEnd|State\nn[08-10]|1|2|DOWN\nn7|3|4|DRAIN\n")
    assert rows_of(trace) == [
        *(("", name, 1, 2, "FAIL") for name in ("n08", "n09", "n10")),
        ("", "n7", 3, 4, "DRAIN"),
    ]


def test_a_file_without_systems_has_none():
    """To ask for one is refused with a sentence, not with an empty list."""
    with pytest.raises(InputError, match="file: has no systems, so none is named 'x'"):
        read(OWN).of_system("x")


def test_our_own_file():
    """Ranges are written out, kinds have a default, an empty end is open; times are seconds of the log."""
    trace = read(OWN)
    assert (trace.format, trace.is_dated, trace.numbering) == ("outages", False, "machine")
    assert rows_of(trace) == [
        ("", "3", 40, 60, "FAIL"),
        *(("", node, 100, float("inf"), "DRAIN") for node in "567"),
        ("", "login", 10, 20, "MAINTENANCE"),
    ]
    assert trace.announced.tolist() == [-np.inf, 0, 0, 0, -5]


def test_our_own_file_with_dates_and_semicolons():
    """Dates make a trace with dates; columns may be in any order, and others may separate them."""
    trace = read("up;node;down\n2026-03-01T09:00Z;2;2026-03-01T10:00+02:00\n")
    assert trace.is_dated
    assert trace.up[0] - trace.down[0] == 3600


def test_our_own_file_with_units_lists_and_lengths():
    """Times may have units, an end may be a length after the beginning, a cell may list several nodes."""
    trace = read("nodes,down,up,announced\n1+3-4+x,1.5h,+30min,\n2,1d,2d,1h\n5,2026,+5,\n")
    assert not trace.is_dated
    assert rows_of(trace) == [
        *(("", node, 5400, 7200, "FAIL") for node in ("1", "3", "4", "x")),
        ("", "2", 86400, 172800, "FAIL"),
        ("", "5", 2026, 2031, "FAIL"),
    ]
    dated = read("node,down,up\n1,2026-03-01T08:00,+1h\n")
    assert dated.is_dated
    assert dated.up[0] - dated.down[0] == 3600


@pytest.mark.parametrize("packed", [gzip.compress, lzma.compress, bytes])
def test_files_may_be_compressed(tmp_path, packed):
    """Gzip and xz are undone by their first bytes, whatever the name; recognizing reads them, too."""
    file = tmp_path / "events"
    file.write_bytes(packed(FTA.encode()))
    assert len(read_failure_trace(file)) == 3
    assert is_trace(file)


def test_what_is_no_trace_is_not_taken_for_one(tmp_path):
    """A workload, an accounting file, a folder and nothing at all are no traces."""
    note = "; Note: a node, down since May, is left out\n1 0 0 10 1\n"
    for text in (
        note,
        "; node down up\n1 0 0 10 1\n",
        "JobID|NodeName|State|Start\n1|n1|FAILED|0\n",
        "",
        "\0\n",
    ):
        (tmp_path / "log").write_text(text)
        assert not is_trace(tmp_path / "log")
    (tmp_path / "cut.xz").write_bytes(lzma.compress(FTA.encode())[:40])
    assert not is_trace(tmp_path / "cut.xz")
    assert not is_trace(tmp_path)
    assert not is_trace(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FTA.replace("1600\t       \t8000", "900\t  \t8000"), "file, line 2: an outage must end no earlier"),
        (FTA.replace("         1\t", "         7\t"), "file, line 3, event_type: must be 0 (unavailable) or"),
        (
            FTA.replace("\t2000\t", "\tsoon\t"),
            "file, line 5, event_start_time: must be a Unix time in seconds",
        ),
        (FTA.replace("10.000", "ten zero"), "file, line 2: has 10 cells, expected 9"),
        (FTA.split("\n", maxsplit=1)[0], "file, line 1: has no outage, only the line of column names"),
        (
            LANL.replace("4/3/2005 0:30", "13/3/2005 0:30"),
            "file, line 3, prob started: must be a date such as",
        ),
        (LANL.replace(",180,", ",-1,"), "file, line 3, down time: must be minutes >= 0, got '-1'"),
        (LANL.replace("Prob Fixed,Down Time", "Prob Fixed,Downtime"), "has no column 'down time'"),
        (SLURM.replace("|DRAIN|disk | fan", ""), "file, line 4: has 3 cells, expected 5"),
        (
            SLURM.replace("2026-03-01T08:00:00", "today"),
            "line 3, timestart: must be",
        ),
        ("NodeName|TimeStart|TimeEnd|State\nn1|1|2|IDLE\n", "has no event of a node that is down"),
        (OWN.replace("40,60", "60,40"), "file, line 2: an outage must end no earlier than it begins"),
        (OWN.replace("40,60", "40,nan"), "file, line 2, up: must be as down"),
        (OWN.replace("40,60", "40,+soon"), "file, line 2, up: must be as down, and no earlier, or + and a"),
        (OWN.replace("40,60", "40,+-5"), "file, line 2, up: must be as down, and no earlier, or + and a"),
        (OWN.replace("\n3,", "\n3++4,"), "file, line 2, node: must be a number from 1"),
        (OWN.replace("40,60", "40,2026-03-01"), "file, line 2: has dates and seconds of the log"),
        (OWN.replace("5-7", "7-5"), "file, line 3, node: must be a number from 1"),
        (OWN.replace("5-7", "0-5"), "file, line 3, node: must be a number from 1"),
        (OWN.replace("5-7", "1-999999999999"), "not more than 5,000,000, got '1-999999999999'"),
        (OWN.replace("\n3,", "\n,"), "file, line 2, node: must be a number from 1"),
        (
            OWN.replace("Maintenance", "maint"),
            "file, line 4: no kind of outage is named 'maint'; did you mean",
        ),
        (OWN.replace("kind", "kinds"), "file, line 1: no column of outages is named 'kinds'; did you mean"),
        ("node,down\n1,2\n", "file, line 1: has no column 'up', only node, down"),
        ("down,up\n1,2\n", "file, line 1: has no column 'node', only down, up"),
        ("node;up\n1;2\n", "file, line 1: has no column 'down', only node, up"),
        ("NodeName|TimeStart|TimeEnd\nn1|1|2\n", "file, line 1: has no column 'state', only nodename"),
        ("NodeName|TimeStart|TimeEnd|State\nn[1-|1|2|DOWN\n", "line 2, nodename: must be a name, or a list"),
        ("node,down,down\n1,2,3\n", "file, line 1: two columns are named 'down'"),
        ('node,down,up\n"1,2,3\n', "file, line 2: is not a row of a table"),
        ("what is this\n", "begins with 'what is this', not as any list of outages"),
        ("  \n \n", "file: is empty, expected a list of outages"),
        ("node,down,up\n1\0,2,3\n", "file, line 2: is binary"),
    ],
)
def test_mistakes_are_named_with_file_and_line(text, said):
    """Whatever is wrong is one sentence with its place, what was got and what was expected."""
    with pytest.raises(EchelonError) as found:
        read(text)
    assert said in str(found.value)


def test_files_that_cannot_be_read(tmp_path):
    """No file, a folder, a damaged one and an unknown format are sentences, too."""
    (tmp_path / "cut.gz").write_bytes(gzip.compress(OWN.encode())[:-12])
    for source, said in (("nowhere", "No such file"), (".", "Is a directory"), ("cut.gz", "copy it again")):
        with pytest.raises(InputError, match=said):
            read_failure_trace(tmp_path / source)
    with pytest.raises(UnknownNameError, match="did you mean 'lanl'"):
        read(LANL, format="lan")


@pytest.mark.slow
def test_any_bytes_give_a_trace_or_a_sentence():
    """A thousand files with bytes changed at random never fail in any other way."""
    rng = np.random.default_rng(0)
    for text in (FTA, LANL, SLURM, OWN):
        for _ in range(250):
            data = bytearray(text.encode())
            for place in rng.integers(0, len(data), 3):
                data[place] = rng.integers(1, 256)
            with contextlib.suppress(EchelonError):
                assert len(parse_trace(bytes(data), "file")) > 0


def test_formats_are_recognized_by_the_names_of_their_columns():
    """The first line alone decides, whatever its case and whether a mark of comments precedes it."""
    names = {"fta": FTA, "lanl": LANL, "slurm-events": SLURM, "outages": OWN}
    for name, text in names.items():
        head = text.split("\n", maxsplit=1)[0]
        for line in (head, head.upper(), f"\n# {head}\n"):
            found = recognize_trace(line.encode())
            assert found == name
