"""Names in lines: whole, no wider than their room, broken where their words part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.plotting.study.letters import text_width, wrap_name


@pytest.mark.parametrize(
    ("name", "room", "lines"),
    [
        ("easy", 10, ["easy"]),
        ("easy:reservations=4", 13, ["easy:", "reservations=", "4"]),
        ("easy:reservations=16  12.38", 15, ["easy:", "reservations=16", "12.38"]),
        ("EASY, narrow first (50 % new)", 20, ["EASY, narrow first", "(50 % new)"]),
        ("easy(reservations=4)", 16, ["easy", "(reservations=4)"]),
        ("EASY, 4 reservations", 8, ["EASY, 4", "reservat", "ions"]),
        ("a b", 1, ["a", "b"]),
        ("", 5, [""]),
    ],
)
def test_names_break_where_their_words_part(name, room, lines):
    """A line ends after a separator; only a word that is too wide by itself is broken between letters."""
    assert wrap_name(name, room, len) == lines


@examples(200)
@given(st.text(alphabet="abW:=,_·() -/é", max_size=60), st.integers(1, 20))
def test_names_stay_whole_and_fit(name, room):
    """All letters but spaces at ends of lines are kept, and no line is wider than its room."""
    lines = wrap_name(name, room, len)
    assert "".join("".join(lines).split()) == "".join(name.split()) or not name.strip()
    assert all(len(line) <= room for line in lines) or not name.strip()


def test_wider_letters_and_larger_ones_are_wider():
    """A width in inches: it grows with the size, and m is wider than i."""
    assert text_width("mmm", 8) > text_width("iii", 8) > 0
    assert text_width("easy", 16) == pytest.approx(2 * text_width("easy", 8), rel=0.05)
