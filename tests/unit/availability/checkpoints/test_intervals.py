"""Checkpoint intervals against tables of them, and what makes the exact one exact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.availability import Checkpoint, CheckpointRule, daly_interval, daly_time, optimal_interval
from echelon.availability.checkpoints.intervals import INTERVALS, young_interval
from echelon.errors import InputError

TABLE = (
    (60, 86_400, 3_219.938, 3_180.062, 3_180.063),
    (300, 86_400, 7_200.000, 7_001.389, 7_001.404),
    (300, 21_600, 3_600.000, 3_402.778, 3_402.840),
    (600, 86_400, 10_182.338, 9_786.266, 9_786.328),
    (600, 21_600, 5_091.169, 4_699.026, 4_699.276),
    (1_800, 14_400, 7_200.000, 6_050.000, 6_053.421),
)
"""Cost and time between failures, then the intervals of Young and Daly and the exact one; seconds."""

FIVE_YEARS = 43_830 * 3600.0


@pytest.mark.parametrize(("cost", "mtbf", "young", "daly", "optimal"), TABLE)
def test_the_table(cost, mtbf, young, daly, optimal):
    """Each interval is that of the table to a thousandth of a second."""
    assert young_interval(cost, mtbf) == pytest.approx(young, abs=1e-3)
    assert daly_interval(cost, mtbf) == pytest.approx(daly, abs=1e-3)
    assert optimal_interval(cost, mtbf) == pytest.approx(optimal, abs=1e-3)


@pytest.mark.parametrize(
    ("nodes", "hours", "seconds"),
    [(16, 2_739.375, 76_722.5), (128, 342.422, 26_996.5), (1_024, 42.803, 9_416.3)],
)
def test_nodes_that_fail_every_five_years(nodes, hours, seconds):
    """A job of more nodes fails more often and has a shorter interval of Daly."""
    rule = CheckpointRule("daly", cost=300, node_mtbf=FIVE_YEARS)
    assert rule.job_mtbf(nodes) / 3600 == pytest.approx(hours, abs=1e-3)
    assert rule.of(nodes).interval == pytest.approx(seconds, abs=0.05)


def test_daly_where_checkpoints_are_long():
    """From two times between failures on, Daly's interval is the time between failures."""
    assert daly_interval(2000, 1000) == daly_interval(5000, 1000) == 1000
    assert daly_interval(1999.999, 1000) != 1000


@given(
    cost=st.floats(1e-6, 1e6).filter(lambda x: x > 0),
    mtbf=st.floats(1e-3, 1e9),
)
@examples(200)
def test_the_exact_interval_solves_its_equation(cost, mtbf):
    """Of u = interval / mtbf and c = cost / mtbf, (1 - u) exp(u) = exp(-c): the derivative is zero there."""
    share = optimal_interval(cost, mtbf) / mtbf
    assert 0 < share <= 1
    if cost / mtbf < 30:
        assert math.log1p(-share) + share == pytest.approx(-cost / mtbf, rel=1e-9, abs=1e-15 / (1 - share))


@pytest.mark.parametrize(("cost", "mtbf"), [(60, 86_400), (1_800, 14_400), (7_200, 3_600)])
def test_no_interval_beats_the_exact_one(cost, mtbf):
    """Daly's total time is longer a thousandth of the interval to either side, whatever the restart."""
    best = optimal_interval(cost, mtbf)
    for restart in (0.0, 900.0):
        times = [daly_time(1e6, Checkpoint(best * by, cost, restart), mtbf) for by in (0.999, 1.0, 1.001)]
        assert times[1] < min(times[0], times[2])


def test_the_exact_interval_against_lambert():
    """It is mtbf (1 + W(-exp(-cost / mtbf - 1))) by scipy's Lambert function, where that has its digits."""
    lambertw = pytest.importorskip("scipy.special").lambertw
    for cost in np.geomspace(1e-3, 50, 60):
        expected = 1 + lambertw(-np.exp(-cost - 1)).real
        assert optimal_interval(cost, 1.0) == pytest.approx(expected, rel=1e-11)


def test_checkpoints_of_any_length():
    """Over thirty orders of magnitude of its cost the interval grows with it, up to the mean time itself."""
    found = [optimal_interval(cost, 1.0) for cost in np.geomspace(1e-15, 1e15, 3001)]
    assert (np.diff(found) >= 0).all()
    assert 0 < found[0] < found[-1] == 1.0


def test_short_checkpoints_keep_their_digits():
    """Where cost goes to zero the exact interval goes to Young's, down to twelve orders of magnitude."""
    for power in range(2, 13):
        cost = 10.0**-power
        s = math.sqrt(2 * cost)
        expected = s - s**2 / 3 + s**3 / 36
        # The next term of the series is s^4 / 270.
        assert optimal_interval(cost, 1.0) == pytest.approx(expected, rel=s**3 / 100 + 1e-15)


@pytest.mark.parametrize("rule", INTERVALS.values())
def test_nodes_that_never_fail_need_no_checkpoint(rule):
    """An infinite time between failures gives an infinite interval."""
    assert rule(300, math.inf) == math.inf


@pytest.mark.parametrize("rule", INTERVALS.values())
@pytest.mark.parametrize(
    ("cost", "mtbf", "field"),
    [
        (0, 100, "checkpoint-cost"),
        (-1, 100, "checkpoint-cost"),
        (math.inf, 100, "checkpoint-cost"),
        (math.nan, 100, "checkpoint-cost"),
        (1, 0, "checkpoint-mtbf"),
        (1, math.nan, "checkpoint-mtbf"),
    ],
)
def test_what_is_no_time_is_refused(rule, cost, mtbf, field):
    """A number out of its range is an error that names its setting."""
    with pytest.raises(InputError, match=field):
        rule(cost, mtbf)
