"""Templates of study files."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from echelon.experiments.study.file.template import fill, format_value, gaps


def test_a_gap_that_nobody_fills_stays():
    """What is not given is left as it is, and told."""
    assert (
        fill("easy:reservations={k}:candidates={order}", {"k": 2}) == "easy:reservations=2:candidates={order}"
    )
    assert gaps("a{x}b{y}") == {"x", "y"}
    assert gaps(["{x}", 3, ["{y}"]]) == {"x", "y"}


def test_values_keep_their_type_alone_and_are_typed_inside():
    """A gap alone is the value; inside a text it is what people type."""
    assert fill(["{x}", "a={x}"], {"x": True}) == [True, "a=yes"]
    assert format_value(2.0) == "2"
    assert format_value([0.5, "a"]) == "0.5, a"


@given(st.text())
def test_text_without_braces_is_itself(text):
    """Only braces around a name are a gap."""
    plain = text.replace("{", "(")
    assert fill(plain, {"k": 1}) == plain
    assert gaps(plain) == set()
