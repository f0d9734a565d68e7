"""What panels have in common."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from echelon.reports.panels.cells import UNKNOWN, Cell, duration_cell, in_unit
from echelon.reports.panels.panel import labeled_table, round_numbers


@given(
    st.lists(
        st.one_of(
            st.floats(),
            st.floats(0, 1e7),
            st.integers(-(10**7), 10**7).map(lambda number: number / 20),
        ),
        max_size=20,
    ),
    st.sampled_from([1, 4, 5, 6, 9, 17]),
)
@example(
    [12345.5, -12345.5, 99999.5, 9.99995, 0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308, 1e22, 1e23], 5
)
def test_rounded_numbers_are_those_of_their_text(values, digits):
    """Each is what Python reads from the number written with so many digits, ties and extremes included."""
    expected = [float(f"{value:.{digits}g}") if math.isfinite(value) else None for value in values]
    assert list(map(repr, round_numbers(values, digits))) == list(map(repr, expected))


def test_a_table_says_what_is_saved():
    """Numbers without units in the cells, units in heads and labels, and nothing where nothing is known."""
    rows = [("easy", [duration_cell(7200.5), UNKNOWN, Cell("< 1", "a < b")])]
    html = labeled_table("Policy", "Waits", [in_unit("Wait", "s"), "Jobs", "Rule"], rows)
    assert '<th scope="col" data-value="Wait (s)">Wait</th><th scope="col">Jobs</th>' in html
    assert '<td data-value="7200.5">2.000 h</td><td data-value="">–</td>' in html
    assert '<td data-value="a &lt; b">&lt; 1</td>' in html


def test_no_numbers():
    """Nothing rounded is nothing."""
    assert round_numbers([]) == []


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_none(value):
    """JSON knows neither NaN nor infinity."""
    assert round_numbers([1.0, value]) == [1.0, None]
