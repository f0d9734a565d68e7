"""The regression through the origin, and deviations, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.metrics.tables.forecast_table import forecast_accuracy
from echelon.policies.estimators.line import deviation, line_through


def test_estimates_of_a_tenth():
    """Estimates that are all a tenth lie on a line of slope 0.1, without scatter or change of the error."""
    line = line_through([(0.1 * x, x) for x in (5.0, 20.0, 300.0)])
    assert line.slope == pytest.approx(0.1, rel=1e-12)
    assert line.ra == pytest.approx(1.0)
    assert line.spread == pytest.approx(0.0, abs=1e-12)


def test_scatter_by_hand():
    """Of (1, 1), (3, 1): slope 4 / 2, R^2 = 16 / 20, Ra^2 = 1 - 0.2 x 2; ratios 1 and 3 spread 1 / 2."""
    line = line_through([(1.0, 1.0), (3.0, 1.0)])
    assert line == pytest.approx((2.0, math.sqrt(0.6), 0.5))


def test_where_there_is_no_line():
    """Real times that are all 0 give no slope, estimates that are all 0 no ratio to compare."""
    line = line_through([(1.0, 0.0), (2.0, 0.0)])
    assert (math.isnan(line.slope), line.ra, math.isnan(line.spread)) == (True, 0.0, True)
    line = line_through([(0.0, 1.0), (0.0, 2.0)])
    assert (line.slope, line.ra, math.isnan(line.spread)) == (0.0, 0.0, True)
    assert line_through([]).ra == line_through([(1.0, 1.0)]).ra == 0.0


def test_deviations_by_hand():
    """Errors of 5 and 10 s on 50 s in all are 0.3; without any time it is infinite, or 0 if all was right."""
    assert deviation([(15.0, 20.0), (40.0, 30.0)]) == pytest.approx(0.3)
    assert deviation([]) == deviation([(1.0, 0.0)]) == math.inf
    assert deviation([(0.0, 0.0)]) == 0


times = st.just(0.0) | st.floats(1e-3, 1e7)


@given(st.lists(st.tuples(times, times), min_size=2, max_size=30), st.floats(0.01, 100))
def test_scaled_estimates_scale_the_slope(pairs, factor):
    """A factor on all estimates is one on the slope; how well the line fits stays, and is at most 1."""
    line, scaled = line_through(pairs), line_through([(factor * y, x) for y, x in pairs])
    assert line.ra <= 1
    if line.slope > 1e-6 and min(x for _, x in pairs) > 1e-3:
        assert scaled.slope == pytest.approx(factor * line.slope)
        assert scaled.ra == pytest.approx(line.ra, abs=1e-6)
        assert scaled.spread == pytest.approx(line.spread, rel=1e-6, abs=1e-9)


@given(st.lists(st.tuples(times, times), min_size=2, max_size=30))
def test_it_is_the_line_of_the_accuracy_report(pairs):
    """Slope, Ra and deviation that decide about a correction are those that a report shows."""
    shown = forecast_accuracy(*np.array(pairs).T)
    line = line_through(pairs)
    assert line.slope == pytest.approx(shown.slope, rel=1e-6, nan_ok=True)
    if not math.isnan(shown.adjusted_correlation):
        assert line.ra == pytest.approx(shown.adjusted_correlation, abs=1e-6)
    if not math.isnan(shown.deviation):
        assert deviation(pairs) == pytest.approx(shown.deviation, rel=1e-6)
