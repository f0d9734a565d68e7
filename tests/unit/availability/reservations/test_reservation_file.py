"""Reservation files: our CSV, and errors that say where they are."""

from __future__ import annotations

import gzip
import lzma
import math
from contextlib import suppress

import numpy as np
import pytest

from echelon.availability.log_clock import LogClock
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.reservations.reservation_file import read_reservations
from echelon.errors import EchelonError, InputError
from echelon.model.machines.outages import OutageKind

CLOCK = LogClock(1796079600.0, "Europe/Madrid")
FOUR = MachineNodes((4,))
HEAD = "name,nodes,start,end,users,accounts,flags,announced\n"


@pytest.fixture
def expanded(tmp_path):
    """Return what a text means as a file on a machine of four nodes."""

    def read(text, nodes=FOUR, horizon=14 * 86400.0):
        file = tmp_path / "r.csv"
        file.write_text(text, encoding="utf-8")
        calendar, left = read_reservations(file).calendar(CLOCK)
        assert left == ()
        return calendar.expand(nodes, CLOCK, horizon)

    return read


def test_the_reservation_of_case_r2(expanded):
    """Nodes 1 to 3 from 50 to 100 s for user A."""
    (found,) = expanded(HEAD + "course,1-3,50,100,A,,,\n").reservations
    assert (found.name, found.nodes, found.start, found.end) == ("course", (0, 1, 2), 50.0, 100.0)
    assert (found.users, found.accounts, found.announced) == (("A",), (), -math.inf)
    assert [found.flex, found.overrun, found.ignore_jobs, found.slide] == [False, False, False, 0.0]


def test_a_number_is_a_count_and_brackets_are_a_node(expanded):
    """2 means any two nodes, [2] the node 2."""
    found = expanded(HEAD + "a,2,0,10,,,,\nb,[2],20,30,,,,\nc,all,40,50,,,,\n").reservations
    assert [one.nodes for one in found] == [(0, 1), (1,), (0, 1, 2, 3)]


def test_users_accounts_and_flags(expanded):
    """Cells with several words are separated by blanks; flags may carry values."""
    (found,) = expanded(
        HEAD + "a,1,0,+1h,ann bob,phys,flex overrun ignore-jobs slide=30min,2026-12-01T01:00\n"
    ).reservations
    assert (found.end, found.users, found.accounts) == (3600.0, ("ann", "bob"), ("phys",))
    assert found.flex
    assert found.overrun
    assert found.ignore_jobs
    assert (found.slide, found.announced) == (1800.0, 3600.0)


def test_maintenance_of_nobody_is_an_outage(expanded):
    """With the flag and without users nobody may use the nodes; with users it is a reservation."""
    found = expanded(HEAD + "m,1-2,0,10,,,maintenance,\nn,3,0,10,root,,maintenance,\n")
    assert found.outages.kind.tolist() == [OutageKind.MAINTENANCE]
    assert found.outages.node.tolist() == [0, 1]
    assert [one.users for one in found.reservations] == [("root",)]


def test_repeats_by_flag(expanded):
    """daily, weekly and every= repeat, up to the horizon."""
    found = expanded(HEAD + "d,[1],0,10,,,every=5d,\nw,[2],2026-12-02,+1d,,,weekly,\n").reservations
    starts = {name: [one.start / 86400 for one in found if one.name == name] for name in ("d", "w")}
    assert starts == {"d": [0.0, 5.0, 10.0], "w": [1.0, 8.0]}


def test_columns_in_any_order_and_other_separators(expanded):
    """Only start and end are needed; semicolons, blank lines and a byte order mark are fine."""
    (found,) = expanded("\ufeffEnd;Start\n\n 100 ; 50 \n").reservations
    assert (found.start, found.end, found.nodes) == (50.0, 100.0, (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        (HEAD, "has no reservation"),
        ("name,nodes\na,3\n", "line 1: has no column 'start'"),
        ("start,end,color\n1,2,red\n", "line 1: has a column 'color'"),
        ("start,end,end\n1,2,3\n", "two columns are named 'end'"),
        (HEAD + "a,1,0,10,,,\n", "line 2: has 7 cells, expected 8"),
        (HEAD + "a,1,soon,10,,,,\n", "line 2, start: got 'soon', expected seconds of the log"),
        (HEAD + "a,1,10,10,,,,\n", "line 2, end: got '10', expected a time after the start"),
        (HEAD + "a,1,,10,,,,\n", "line 2, start: is missing"),
        (HEAD + "a,0,0,10,,,,\n", "line 2, nodes: got '0'"),
        (HEAD + "a,4-2,0,10,,,,\n", "line 2, nodes: got '4-2'"),
        (HEAD + "\na,1,0,10,,,fast,\n", "line 3, flags: got 'fast', expected maintenance, ignore-jobs"),
        (HEAD + "a,1,0,10,,,daily weekly,\n", "line 2, flags: .*one of daily, weekly"),
        (HEAD + "a,1,0,10,,,every,\n", "line 2, flags: got 'every'"),
        (HEAD + "a,1,0,10,,,,never\n", "line 2, announced: got 'never'"),
        (HEAD + 'a,1,0,"10\n', "line 2: is not a row of a table"),
        (HEAD + "a,9,0,10,,,,\n", "line 2: needs 9 nodes"),
    ],
)
def test_errors_name_file_line_column_value_and_what_is_expected(expanded, text, sentence):
    """A wrong cell can be found and corrected by its message alone."""
    with pytest.raises(InputError, match=rf"r\.csv.*{sentence}"):
        expanded(text)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("begin", ["", "\ufeff", "# of the course\n"])
@pytest.mark.parametrize("packed", [bytes, gzip.compress, lzma.compress])
def test_files_as_other_systems_write_them(tmp_path, ends, begin, packed):
    """Byte-order marks, comments, ends of lines of any system and compression say nothing else."""
    text = f"{begin}{HEAD}# the first\na,2,0,10,,,,\n\nb,[4],1h,+8h,,,,\n".replace("\n", ends)
    file = tmp_path / "r.csv"
    file.write_bytes(packed(text.encode()))
    found = read_reservations(file).calendar(CLOCK)[0].expand(FOUR, CLOCK).reservations
    assert [(one.name, one.nodes, one.start, one.end) for one in found] == [
        ("a", (0, 1), 0, 10),
        ("b", (3,), 3600, 32400),
    ]


def test_sites_of_a_grid(expanded):
    """A column site names where; numbers without it are ambiguous."""
    grid = MachineNodes((2, 3), ("uab", "upc"))
    found = expanded("start,end,nodes,site\n0,10,[3],upc\n0,10,,\n", nodes=grid).reservations
    assert [(one.site, one.nodes) for one in found] == [(1, (2,)), (0, (0, 1)), (1, (0, 1, 2))]
    with pytest.raises(InputError, match="line 2: says which nodes, but not of which site"):
        expanded("start,end,nodes\n0,10,1-2\n", nodes=grid)


def test_files_that_cannot_be_read(tmp_path):
    """No file, a folder, bytes that are no text: a sentence each, never a traceback."""
    (tmp_path / "b").write_bytes(b"start,end\n\xff\xfe\n")
    (tmp_path / "n").write_bytes(b"start,end\n\0\0\n")
    for name, sentence in (("no", "no such file"), ("", "cannot be read"), ("b", "UTF-8"), ("n", "binary")):
        with pytest.raises(InputError, match=sentence):
            read_reservations(tmp_path / name)


@pytest.mark.slow
def test_garbage_is_refused_or_read(tmp_path):
    """A good file with random changes never raises anything but errors with sentences."""
    random = np.random.default_rng(11)
    good = (HEAD + "a,1-3,50,100,ann,phys,flex daily,0\nb,2,2026-12-01T08:00,+8h,,,slide=1h,\n").encode()
    file = tmp_path / "g.csv"
    for _ in range(300):
        bad = bytearray(good)
        for place in random.integers(0, len(bad), int(random.integers(1, 6))).tolist():
            bad[place] = int(random.choice(list(b'0123456789,;|"\n\t-+=:[]xT\xff\0')))
        file.write_bytes(bytes(bad[: int(random.integers(1, len(bad) + 1))]))
        with suppress(EchelonError):
            calendar, _ = read_reservations(file).calendar(CLOCK)
            calendar.expand(FOUR, CLOCK, 86400.0)
