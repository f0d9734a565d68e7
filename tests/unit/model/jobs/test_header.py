"""Header: labels, repeats, continuations and leading integers."""

from __future__ import annotations

import pytest

from echelon.model import Header

HEADER = Header(
    (
        ("Version", "2.2"),
        ("MaxProcs", "1664 (72, 1368, 224)"),
        ("Note", "first"),
        (None, "   goes on"),
        (None, ""),
        (None, "stands alone"),
        ("note", "second"),
        ("UnixStartTime", "unknown"),
        ("UnixStartTime", "845953200"),
        ("TimeZoneString", "Europe/Stockholm"),
    )
)


def test_texts_of_a_label():
    """Repeated labels give all their texts, with the lines that continue them; case matters not."""
    assert HEADER.all("NOTE") == ("first\ngoes on", "second")
    assert HEADER.get("version") == "2.2"
    assert HEADER.get("Computer") is None


def test_integers():
    """A number is the leading integer of the first text that has one."""
    assert HEADER.max_procs == 1664
    assert HEADER.unix_start_time == 845953200
    assert HEADER.max_nodes is None
    assert HEADER.time_zone == "Europe/Stockholm"


@pytest.mark.parametrize("text", ["0", "-1", "many"])
def test_a_machine_without_processors_is_unknown(text):
    """MaxProcs of 0, -1 or a word says nothing."""
    assert Header((("MaxProcs", text),)).max_procs is None


def test_with_value():
    """A label gets one text: at its first place, without its other texts and continuations, or at the end."""
    noted = HEADER.with_value("Note", "only")
    assert noted.all("Note") == ("only",)
    assert noted.lines.index(("Note", "only")) == 2
    assert (None, "stands alone") in noted.lines
    assert HEADER.with_value("MaxNodes", "9").lines[-1] == ("MaxNodes", "9")
    assert noted.max_procs == HEADER.max_procs
