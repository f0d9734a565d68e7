"""Recorded loads of nodes, and local users of one's own."""

from __future__ import annotations

import gzip

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import LocalChange, LocalLoadModel, LocalUse
from echelon.platforms import platform_named
from echelon.workloads.local_users import local_users, read_local_trace

PLATFORM = platform_named("cisne-844")
HEAD = "time,site,node,cpu,memory,network\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a file in the folder of the test."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "loads.csv") -> str:
        (tmp_path / name).write_text(text)
        return name

    return write


def test_changes_are_in_the_order_of_time(write):
    """Sites go by name or number; what is empty is 0; rows of one time keep their order."""
    file = write(f"{HEAD}30,large,7,0.5,0.25,1e6\n0,0,1,0.1,,\n30.0,small-1,1,0,0,0\n")
    found = local_users(file)
    assert isinstance(found, LocalLoadModel)
    assert (found.spec, len(found)) == (file, 3)
    assert list(found.changes(PLATFORM, 0)) == [
        LocalChange(0.0, 0, 1, LocalUse(0.1)),
        LocalChange(30.0, 2, 7, LocalUse(0.5, 0.25, 1e6)),
        LocalChange(30.0, 0, 1, LocalUse()),
    ]


def test_other_forms_of_the_file(write, tmp_path):
    """Columns may be in any case and order, separated by semicolons, fewer, gzipped; rows may be none."""
    write("Node;SITE;Time;CPU\n3;0;5;1\n")
    want = [LocalChange(5.0, 0, 3, LocalUse(1.0))]
    assert list(local_users("loads.csv").changes(PLATFORM, 0)) == want
    (tmp_path / "loads.csv.gz").write_bytes(gzip.compress((tmp_path / "loads.csv").read_bytes()))
    assert list(local_users("loads.csv.gz").changes(PLATFORM, 0)) == want
    assert list(read_local_trace(tmp_path / "loads.csv").changes(PLATFORM, 0)) == want


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}0,0,1,1.5,0,0\n", "line 2, cpu: got '1.5', expected a share from 0 to 1"),
        (f"{HEAD}0,0,1,0,0,0\n\n0,0,1,0,-1,0\n", "line 4, memory: got '-1', expected a share from 0 to 1"),
        (f"{HEAD}0,0,1,0,0,much\n", "line 2, network: got 'much', expected bytes a second, >= 0"),
        (f"{HEAD}-5,0,1,0,0,0\n", "line 2, time: got '-5', expected a time in seconds, >= 0"),
        (f"{HEAD},0,1,0,0,0\n", "line 2, time: got '', expected a time in seconds, >= 0"),
        (f"{HEAD}0,0,1.5,0,0,0\n", "line 2, node: got '1.5', expected the number of a node, from 0"),
        (f"{HEAD}0,0,-1,0,0,0\n", "line 2, node: got '-1', expected the number of a node, from 0"),
        (f"{HEAD}0,,1,0,0,0\n", "line 2, site: got '', expected a site's name, or its number from 0"),
        ("time,site,cpu\n0,0,1\n", "has no column node; its columns are: time, site, cpu"),
        ("time,site,node\n0,0,1\n", "has no column of cpu, memory, network"),
        ("time,site,node,cpus\n0,0,1,1\n", "has no column of cpu"),
        (f"{HEAD}0,0\n", "line 2"),
        ("", "empty"),
    ],
)
def test_wrong_files_are_told_by_line_and_column(write, text, said):
    """The file, the line, the column, what was got and what is expected."""
    with pytest.raises(InputError) as refused:
        local_users(write(text))
    assert "loads.csv" in str(refused.value)
    assert said in str(refused.value)


def test_unknown_columns_and_files(write):
    """A column that means nothing is told with the nearest; a file that is not there is told."""
    write("time,site,node,cpu,memry\n0,0,1,1,1\n")
    with pytest.raises(UnknownNameError, match="'memry'; did you mean 'memory'"):
        local_users("loads.csv")
    with pytest.raises(InputError, match=r"none\.csv: cannot be read: No such file"):
        local_users("none.csv")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("0,middle,0", "line 3, site: no cluster (of 3, from number 0 on) is named 'middle'"),
        ("0,small-1,4", "line 3, node: got 4, expected a node of site 'small-1', which has 0 to 3"),
        ("0,3,0", "line 3, site: no cluster (of 3, from number 0 on) is named '3'"),
    ],
)
def test_nodes_that_are_not_there(write, row, said):
    """A trace of another platform is refused before the run, by the line that shows it."""
    found = local_users(write(f"time,site,node,cpu\n9,large,7,1\n{row},1\n"))
    with pytest.raises(InputError) as refused:
        found.changes(PLATFORM, 0)
    assert said in str(refused.value)
    with pytest.raises(InputError, match="has no nodes with owners"):
        found.changes(platform_named("grid3"), 0)


OWN = """
from dataclasses import dataclass
from echelon.model import LocalChange, LocalUse

def night(platform, seed):
    yield LocalChange(8 * 3600, 0, seed, LocalUse(0.5))

@dataclass
class Students:
    hour: float = 9
    def changes(self, platform, seed):
        return [LocalChange(self.hour * 3600, 1, 0, LocalUse(0.1, 0.2, 300.0))]

steady = Students()
nothing = 3

def wrong(platform, seed):
    yield LocalChange(0, 0, 0, LocalUse(0.5))
    yield [None, LocalChange(-1, 0, 0, LocalUse()), LocalChange(1, 9, 0, LocalUse()),
           LocalChange(1, 0, 4, LocalUse()), LocalChange(1, 0, 0, LocalUse(2.0))][seed]

def broken(platform, seed):
    raise ValueError("no idea")
"""


def test_local_users_of_ones_own(write):
    """A function, an object or a class with parameters; the spec is the one that names it."""
    write(OWN, "mine.py")
    assert list(local_users("mine.py:night").changes(PLATFORM, 2)) == [
        LocalChange(28_800, 0, 2, LocalUse(0.5))
    ]
    (change,) = local_users("mine.py:Students:hour=10").changes(PLATFORM, 0)
    assert (change.time, local_users("mine.py:Students:hour=10").spec) == (
        36_000,
        "mine.py:Students:hour=10",
    )
    assert next(local_users("mine.py:steady").changes(PLATFORM, 0)).time == 32_400


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mine.py:Nights", "no profile of local users in mine.py is named 'Nights'"),
        ("mine.py:nothing", "must have changes(platform, seed) or be a function of them; got int"),
        ("mine.py:night:hour=3", "takes no parameters, got hour"),
        ("mine.py:Students:minute=3", "no parameter of Students is named 'minute'"),
        ("other.py:night", "no such file"),
    ],
)
def test_what_is_wrong_with_ones_own(write, spec, said):
    """A file or name that is not there, and what makes no changes."""
    write(OWN, "mine.py")
    with pytest.raises((InputError, UnknownNameError)) as refused:
        local_users(spec)
    assert said in str(refused.value)


def test_changes_of_ones_own_are_checked(write):
    """What is no change, goes back in time, is of no node or out of range stops the run with a sentence."""
    write(OWN, "mine.py")
    for seed, said in enumerate(
        [
            "must yield LocalChange",
            "by time from 0 s on, got -1 s after 0 s",
            "node 0 of site 9, which does not exist",
            "changes node 4 of site 0, which does not exist",
            "must use shares of CPU and memory from 0 to 1",
        ]
    ):
        with pytest.raises(InputError, match=said):
            list(local_users("mine.py:wrong").changes(PLATFORM, seed))
    with pytest.raises(InputError, match="fails: ValueError: no idea"):
        list(local_users("mine.py:broken").changes(PLATFORM, 0))
