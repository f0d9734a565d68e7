"""Texts of others on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.client.plain_text import escape


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("größer 10 %", "größer 10 %"),
        ("x\ny 9|RUNNING|z", "x\\ny 9|RUNNING|z"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\u202eb", "a\\u202eb"),
        ("a\x9bb\u2028c", "a\\x9bb\\u2028c"),
        ("\ud800", "\\ud800"),
        (12, "12"),
    ],
)
def test_what_does_not_print_is_escaped(text, shown):
    """Line feeds, escape sequences, marks of direction and halves of characters are shown as such."""
    assert escape(text) == shown


@examples(100)
@given(st.text())
def test_nothing_else_comes_through(text):
    """Whatever the text, the result prints, on one line, and printable texts are left alone."""
    shown = escape(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()
