"""Reservations as Slurm's accounting prints them."""

from __future__ import annotations

import pytest

from echelon.availability.log_clock import LogClock
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.reservations.reservation_file import read_reservations
from echelon.errors import InputError

CLOCK = LogClock(1796079600.0, "Europe/Madrid")
HEAD = "Name|Start|End|NodeNames|Flags|Associations|TRES\n"


@pytest.fixture
def read(tmp_path):
    """Return the reservations of a text on ten nodes, and what nothing models."""

    def from_text(text, nodes=MachineNodes((10,))):  # noqa: B008  (a value)
        file = tmp_path / "resv.txt"
        file.write_text(text, encoding="utf-8")
        calendar, left = read_reservations(file).calendar(CLOCK)
        return calendar.expand(nodes, CLOCK).reservations, left

    return from_text


def test_rows_become_reservations(read):
    """Local times, Unix seconds, node names in brackets, flags that matter."""
    found, left = read(
        HEAD + "maint|2026-12-01T08:00:00|2026-12-01T16:00:00|node[001-003,010]|"
        "MAINT,IGNORE_JOBS,SPEC_NODES||cpu=40\n"
        "course|1796083200|1796086800|node5|FLEX,DAILY||\n"
    )
    assert [(one.name, one.start, one.end, one.nodes) for one in found] == [
        ("course", 3600.0, 7200.0, (4,)),
        ("maint", 8 * 3600.0, 16 * 3600.0, (0, 1, 2, 9)),
    ]
    assert [(one.flex, one.ignore_jobs) for one in found] == [(True, False), (False, True)]
    assert left == ()


def test_what_is_not_modelled_is_named(read):
    """Flags without a meaning here, numbers of associations, licenses, further columns: none is silent."""
    _, left = read(
        "Name|Start|End|NodeNames|Flags|Associations|TRES|UnusedWall\n"
        "a|1796083200|1796086800|n1|REPLACE,MAGNETIC|5,6||10\n"
        "lic|1796083200|1796086800||ANY_NODES|||0\n"
    )
    text = "; ".join(left)
    for what in (
        "flag REPLACE (1 rows)",
        "flag MAGNETIC",
        "Associations",
        "without nodes",
        "unusedwall (2 rows)",
    ):
        assert what in text


def test_names_of_several_kinds_are_refused(read):
    """cpu1 and gpu1 cannot both be node 1, and the message says where the first was."""
    with pytest.raises(InputError, match=r"line 3, nodenames: got 'gpu1'.*'cpu' as in line 2"):
        read(HEAD + "a|1796083200|1796086800|cpu1|||\nb|1796083200|1796086800|gpu1|||\n")


def test_clusters_are_sites(read):
    """Rows of several clusters are at the sites of these names, each with its own names of nodes."""
    text = "Cluster|Name|Start|End|NodeNames\nx|a|1796083200|1796086800|n1\ny|b|1796083200|1796086800|m2\n"
    found, _ = read(text, MachineNodes((2, 2), ("x", "y")))
    assert [(one.site, one.nodes) for one in found] == [(0, (0,)), (1, (1,))]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("a|Unknown|1796086800|n1|||", "line 2, start: got 'Unknown'"),
        ("a|1796083200|1796083200|n1|||", "line 2, end: .*expected a time after"),
        ("a|1796083200|1796086800|node|||", "line 2, nodenames: got 'node'"),
        ("a|1796083200|1796086800|n0|||", "line 2, nodenames: got 'n0'"),
        ("a|morning|1796086800|n1|||", "line 2, start: got 'morning'"),
    ],
)
def test_wrong_cells_are_refused(read, row, sentence):
    """File, line, column and value are named."""
    with pytest.raises(InputError, match=rf"resv\.txt, {sentence}"):
        read(HEAD + row + "\n")


def test_titles_as_sacctmgr_prints_them(read):
    """Times and associations have other titles in its first line than the names they are asked for by."""
    row = "course|1796083200|1796086800|node5||12,13|cpu=4\n"
    found, left = read("Name|TimeStart|TimeEnd|NodeNames|Flags|Assocs|TRES\n" + row)
    assert (found, left) == read(HEAD + row)
    assert [(one.name, one.start, one.end) for one in found] == [("course", 3600.0, 7200.0)]
