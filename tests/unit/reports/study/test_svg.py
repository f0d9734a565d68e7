"""Axes and marks of the charts of a study."""

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.quantities import format_tick
from echelon.reports.study.svg import WIDTH, Axis, across, chart, clip_name, dot, text, upwards


@given(st.lists(st.floats(-1e9, 1e9), max_size=20))
def test_every_value_has_a_place_and_ticks_lie_within(values):
    """Whatever the values, each is between the axis' ends, and some round value is there."""
    axis = Axis.around(values, 100, 400)
    assert all(100 <= axis.at(value) <= 400 for value in values)
    ticks = axis.ticks()
    assert 1 <= len(ticks) <= 12
    assert all(99.9 <= axis.at(tick) <= 400.1 for tick in ticks)
    assert ticks == sorted(ticks)


def test_round_steps():
    """Steps are 1, 2 or 5 times a power of ten."""
    assert Axis(0, 1, 0, 1).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Axis(950, 2_020, 0, 1).ticks() == [1000, 1500, 2000]


def test_wide_ranges_are_logarithmic():
    """Ratios above the bound have a logarithmic axis with decades; 0 never does."""
    axis = Axis.around([1.0, 1000.0], 0, 300)
    assert axis.is_log
    assert axis.at(math.sqrt(1000)) == pytest.approx(150, abs=1)
    assert {1, 10, 100, 1000} >= set(axis.ticks(4))
    assert not Axis.around([0.0, 1000.0], 0, 300).is_log


def test_an_axis_near_0_begins_there():
    """Lengths compare as values do, unless all values are far from 0."""
    assert Axis.around([0.3, 2.0], 0, 1).low == 0
    assert Axis.around([98.0, 100.0], 0, 1).low > 90


@pytest.mark.parametrize("values", [[], [5.0], [0.0, 0.0], [math.nan], [math.inf, 1.0]])
def test_degenerate_values_have_an_axis(values):
    """No value, one value, equal ones and those that are none leave an axis that can be drawn."""
    axis = Axis.around(values, 0, 100)
    assert axis.low < axis.high
    assert axis.ticks()


def test_a_chart_is_xml_whatever_names_hold():
    """Names with signs of markup end up as text."""
    axis = Axis(0, 10, 0, 100)
    parts = [
        across(axis, 0, 50, title="<x> & y"),
        upwards(axis, 0, 100),
        dot(1, 1, title='"<b>"'),
        text(1, 1, "<i>"),
    ]
    found = ET.fromstring(chart(parts, 60, '<label "of" all>'))
    assert found.get("viewBox") == f"0 0 {WIDTH} 60"
    assert found.get("aria-label") == '<label "of" all>'
    assert "<i>" in [element.text for element in found.iter("text")]


@pytest.mark.parametrize(
    ("value", "said"), [(0.7, "0.7"), (1000.0, "1,000"), (0.0, "0"), (-2.5, "-2.5"), (2e-9, "2e-09")]
)
def test_ticks_are_as_short_as_they_can_be(value, said):
    """No noughts that say nothing."""
    assert format_tick(value) == said


def test_long_names_keep_both_ends():
    """A name is cut in its middle."""
    assert clip_name("easy:shortest-first", 11) == "easy:…first"
    assert clip_name("easy", 11) == "easy"
