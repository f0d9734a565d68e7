"""The accuracy of forecasts, by hand, and the tables of them."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import accuracy_table, corrected_accuracy, forecast_accuracy

TIMES = st.lists(st.floats(0.1, 1e5), min_size=2, max_size=20)


def columns(*values):
    """Return lists of numbers as columns."""
    return [np.array(each, dtype=np.float64) for each in values]


def test_a_case_worked_by_hand():
    """Estimates 5, 15, 40 of 10, 20, 30: errors 5 + 5 + 10 of 60; slope 1550 / 1400; line through means."""
    found = forecast_accuracy(*columns([5, 15, 40], [10, 20, 30]))
    assert found.jobs == 3
    assert found.deviation == pytest.approx(20 / 60)
    assert found.slope == pytest.approx(1550 / 1400)
    assert found.adjusted_correlation == pytest.approx(math.sqrt(1 - (1 - 1550**2 / (1400 * 1850)) * 3 / 2))
    assert (found.line_slope, found.line_intercept) == pytest.approx((1.75, -15))


def test_a_tenth_of_everything_is_corrected_wholly():
    """Estimates of a tenth have slope 0.1, deviation 0.9 and no scatter; corrected, no deviation is left."""
    real = np.array([3.0, 20.0, 100.0])
    before, after = forecast_accuracy(0.1 * real, real), corrected_accuracy(0.1 * real, real)
    assert (before.slope, before.deviation) == pytest.approx((0.1, 0.9))
    assert before.adjusted_correlation == pytest.approx(1)
    assert (after.slope, after.deviation) == pytest.approx((1, 0), abs=1e-12)


def test_jobs_without_a_forecast_are_left_out():
    """What was not asked counts in nothing."""
    some = forecast_accuracy(*columns([np.nan, 4, 6], [100, 4, 5]))
    assert some == forecast_accuracy(*columns([4, 6], [4, 5]))


def test_what_has_no_value_is_nan():
    """No job, no time to wait for, one job: each has what can be said of it, and nan for the rest."""
    none = forecast_accuracy(*columns([], []))
    assert none.jobs == 0
    assert all(math.isnan(value) for value in none[1:])
    right = forecast_accuracy(*columns([0, 0], [0, 0]))
    assert right.deviation == 0
    assert math.isnan(right.slope)
    assert math.isnan(forecast_accuracy(*columns([0, 3], [0, 0])).deviation)
    one = forecast_accuracy(*columns([3], [2]))
    assert (one.deviation, one.slope) == (0.5, 1.5)
    assert math.isnan(one.adjusted_correlation)
    assert math.isnan(one.line_slope)
    zero = corrected_accuracy(*columns([0, 0], [1, 2]))
    assert zero.jobs == 2
    assert math.isnan(zero.deviation)


@pytest.mark.parametrize(
    ("estimate", "real", "problem"),
    [
        ([1], [1, 2], "one estimate a real value"),
        ([-1, 2], [1, 2], "got an estimate of -1 for 1 at 0"),
        ([1, 2], [1, np.inf], "for inf at 1"),
        ([1, 2], [np.nan, 2], "for nan at 0"),
    ],
)
def test_wrong_columns_are_refused(estimate, real, problem):
    """What is no time is told with its place."""
    with pytest.raises(InputError, match=problem):
        forecast_accuracy(*columns(estimate, real))


@given(TIMES, st.floats(0.01, 100))
def test_a_factor_changes_the_slope_alone(real, factor):
    """Estimates times a factor have slope times that factor, and the same Ra; corrected they are the same."""
    x = np.array(real)
    y = np.sqrt(x) + 1
    one, other = forecast_accuracy(y, x), forecast_accuracy(factor * y, x)
    assert other.slope == pytest.approx(factor * one.slope)
    # Ra is the root of a difference: rounding of 1e-16 in it may show as 1e-8.
    assert other.adjusted_correlation == pytest.approx(one.adjusted_correlation, abs=1e-6)
    assert corrected_accuracy(factor * y, x).deviation == pytest.approx(
        corrected_accuracy(y, x).deviation, abs=1e-9
    )
    assert corrected_accuracy(y, x).slope == pytest.approx(1)


NAMES = ("wait", "run", "real_wait", "real_run", "seconds")


def forecasts(*rows):
    """Return a table of forecasts: an estimator and five numbers a row."""
    return pl.DataFrame(
        [dict(zip(("estimator", *NAMES), row, strict=True)) for row in rows],
        schema={"estimator": pl.String} | dict.fromkeys(NAMES, pl.Float64),
    )


def test_no_forecast_has_no_accuracy():
    """A table without rows gives one without rows, of the same columns."""
    some = accuracy_table(forecasts(("sdpn", 1, 1, 1, 1, 0)))
    assert accuracy_table(forecasts()).schema == some.schema


def test_one_forecast_has_no_scatter():
    """Of one job there is a deviation and a slope; what needs several is null."""
    row = accuracy_table(forecasts(("sdpn", 0, 5, 0, 10, 0.5))).rows(named=True)
    assert (row[0]["deviation"], row[0]["slope"]) == (0, None)
    assert (row[1]["deviation"], row[1]["slope"], row[1]["adjusted_correlation"]) == (0.5, 0.5, None)
    assert row[2]["corrected_deviation"] == pytest.approx(0)
    assert [each["seconds"] for each in row] == [0.5] * 3


def test_a_wrong_time_is_told_with_its_estimator():
    """A negative forecast is refused in one sentence."""
    with pytest.raises(InputError, match="run of sdpn: must be finite and >= 0, got an estimate of -5"):
        accuracy_table(forecasts(("sdpn", 0, -5, 0, 10, 0.5)))
