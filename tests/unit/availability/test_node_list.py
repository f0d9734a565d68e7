"""Lists of nodes: numbers, ranges, names, Slurm's brackets."""

from __future__ import annotations

import pytest

from echelon.availability.node_list import parse_nodes
from echelon.errors import InputError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4", (4,)),
        ("1-4+7", (1, 2, 3, 4, 7)),
        ("7, 2-3;2", (2, 3, 7)),
        ("node[001-003,010]", (1, 2, 3, 10)),
        ("cn7 cn9", (7, 9)),
        ("[4]", (4,)),
        ("n[1-2],n5", (1, 2, 5)),
    ],
)
def test_a_list_names_numbers_from_1(text, expected):
    """Each node is there once, ascending."""
    assert parse_nodes(text).numbers == expected


def test_names_keep_what_they_begin_with():
    """The stem tells nodes of one kind from those of another."""
    assert parse_nodes("gpu[01-02]").stem == "gpu"
    assert not parse_nodes("1-2").stem


def test_names_of_two_kinds_are_refused():
    """gpu1 and cpu1 would be the same node."""
    with pytest.raises(InputError, match=r"begin in several ways.*'cpu', 'gpu'"):
        parse_nodes("cpu1,gpu1")


def test_names_are_written_out():
    """Each name has its digits as they were said; numbers are no names."""
    assert parse_nodes("n[08-10] n3").names == ("n3", "n08", "n09", "n10")
    assert parse_nodes("1-2").names == ()


@pytest.mark.parametrize(
    "text", ["", "0", "3-1", "a", "-1", "1.5", ".[1-2]", "n[1-", "n[x]", "1-99999999999999999999", "[1]]"]
)
def test_what_is_no_list_is_refused(text):
    """The message shows the text and an example."""
    with pytest.raises(InputError, match="expected nodes numbered from 1"):
        parse_nodes(text)
