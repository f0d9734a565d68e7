"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from echelon.quantities import (
    TIME_UNITS,
    bounds,
    duration,
    figure,
    format_signed,
    half_width,
    percentage,
    quantity,
    series,
    tally,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (1.5, "1.500 s"), (119, "119 s"), (120, "2 min"), (9000, "2.500 h"), (864000, "10 d")],
)
def test_durations_take_the_unit_that_suits_them(seconds, text):
    """A time is shown in the largest unit of which it holds two."""
    assert duration(seconds) == text


def test_one_is_singular():
    """A count has its noun, with an s unless there is one."""
    assert [tally(n, "job") for n in (0, 1, 1234)] == ["0 jobs", "1 job", "1,234 jobs"]


def test_a_unit_can_be_asked_for():
    """A row of times keeps one unit."""
    assert duration(1800, TIME_UNITS[1]) == "0.5000 h"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234567.8, "1,234,568"),
        (12.3456, "12.35"),
        (0.00012345, "0.0001234"),
        (5.805e-30, "5.8e-30"),
        (-2e-7, "-2.0e-07"),
        (math.nan, "–"),
        (50.0, "50"),
    ],
)
def test_figures_keep_four_digits(value, text):
    """A number shows about four significant digits, and whole numbers no decimals."""
    assert figure(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 J"),
        (0.5, "0.5000 J"),
        (999, "999 J"),
        (999_999, "1.000 MJ"),
        (1_306_459_555, "1.306 GJ"),
        (2e21, "2,000 EJ"),
        (math.nan, "– J"),
    ],
)
def test_amounts_take_the_prefix_that_suits_them(value, text):
    """A thousand of a unit is the next prefix, also after rounding; beyond the last one they stay."""
    assert quantity(value, "J") == text


def test_amounts_beside_each_other_share_a_prefix():
    """The largest one chooses."""
    assert quantity(1500, "W", largest=2e6) == "0.001500 MW"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (format_signed(12.3), "+12.30"),
        (format_signed(-5.7), "-5.700"),
        (format_signed(0.0), "0"),
        (percentage(12.345), "12.3 %"),
        (percentage(-3.14159), "-3.14 %"),
        (percentage(0.0351), "0.04 %"),
        (percentage(6.7e-15), "0.00 %"),
        (percentage(0.0), "0 %"),
        (percentage(1234.5), "1,234 %"),
        (half_width(0.1299), "± 0.13"),
        (half_width(241.3), "± 241"),
        (bounds(0.0, 459.71), "[0 to 459.7]"),
        (bounds(-2e-9, 1e6), "[-2.0e-09 to 1,000,000]"),
    ],
)
def test_one_rule_for_all_numbers(said, text):
    """Values have four digits, half widths two, percentages three and at most two decimals."""
    assert said == text


@pytest.mark.parametrize(("texts", "said"), [("a", "a"), ("ab", "a and b"), ("abcd", "a, b, c and d")])
def test_texts_in_a_row(texts, said):
    """Commas between all but the last two, which are joined by a word."""
    assert series(texts) == said
