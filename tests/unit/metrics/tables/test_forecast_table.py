"""Tables of forecasts and of their accuracy, where there is little or something wrong to tell."""

from __future__ import annotations

import polars as pl
import pytest

from echelon.errors import InputError
from echelon.metrics import accuracy_table

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
