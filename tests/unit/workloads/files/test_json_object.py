"""A JSON object is read; all else is refused in one sentence."""

from __future__ import annotations

import pytest

from echelon.workloads.files.json_object import parse_object


def test_an_object():
    """Text and bytes are read alike."""
    assert parse_object('{"a": [1]}') == parse_object(b'{"a": [1]}') == {"a": [1]}


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "5", b"\xff", "[" * 100_000])
def test_all_else(text):
    """Nothing, a part, another kind, no text, or lists nested too deeply."""
    with pytest.raises(ValueError, match=r"."):
        parse_object(text)
