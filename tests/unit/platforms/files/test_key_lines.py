"""The lines of a list's items."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from echelon.platforms.files.key_lines import item_lines, key_lines

TEXT = """\
[axes]
load = [1, 2]  # one line [
policy = [
    "a, b]", # text with marks ]
    { name = "easy", k = [1, 2] },

    [3,
     4], '''
    long, text''', "last",
]
a.b = [
  1
]
empty = []
none = 3
[[case]]
x = [
7,
]
"""


def test_each_item_has_its_line():
    """Brackets and commas in texts, comments, tables and lists inside do not count."""
    assert item_lines(TEXT, key_lines(TEXT)) == {
        ("axes", "load", 0): 2,
        ("axes", "load", 1): 2,
        ("axes", "policy", 0): 4,
        ("axes", "policy", 1): 5,
        ("axes", "policy", 2): 7,
        ("axes", "policy", 3): 8,
        ("axes", "policy", 4): 9,
        ("axes", "a", "b", 0): 12,
        ("case", 0, "x", 0): 18,
    }


ITEMS = st.sampled_from(["1", '"a,b"', '"]"', "[1, [2]]", "{ a = 1, b = [2, 3] }", "'x#'", '"\\""', "1.5"])


@given(st.lists(st.tuples(ITEMS, st.sampled_from(["", "\n", "\n\n", " # , ]\n"])), max_size=8))
def test_as_many_items_as_the_parser_finds(parts):
    """However a list is written, each of its items has a line, none before the one before."""
    text = "k = [\n" + "".join(f"{item},{end}" for item, end in parts) + "]\n"
    lines = item_lines(text, key_lines(text))
    assert list(lines) == [("k", number) for number in range(len(tomllib.loads(text)["k"]))]
    assert list(lines.values()) == sorted(lines.values())
    rows = text.split("\n")
    assert all(
        item.split("\n")[0] in rows[line - 1] for (item, _), line in zip(parts, lines.values(), strict=True)
    )
