"""Performance profiles on the page of a study."""

import numpy as np

from echelon.analysis import performance_profile
from echelon.reports.study.charts import profile_chart, profile_factors


def test_lines_rise_where_a_value_comes_within_a_factor():
    """Of two in three experiments, one is the best twice, the other within twice the best always."""
    profile = performance_profile([[1, 2], [1, 1.5], [3, 2]])
    factors = profile_factors(profile)
    assert factors.tolist()[:3] == [1.0, 1.5, 2.0]
    assert profile.share(factors)[:, 0].tolist()[0] == 2 / 3
    drawn = profile_chart(profile, factors, ["a", "b"], "Mean wait")
    assert 'aria-label="Performance profile of Mean wait: a, b"' in drawn
    assert "(logarithmic)" not in drawn
    assert drawn.count("<polyline") == 2


def test_many_factors_and_failures_leave_a_drawing():
    """Thousands of ratios are thinned, infinite ones have no place, and large ones ask for logarithms."""
    chance = np.random.default_rng(1)
    values = chance.lognormal(0, 2, (2000, 3))
    values[0] = [0, 1, np.nan]
    profile = performance_profile(values)
    factors = profile_factors(profile)
    assert len(factors) <= 201
    assert np.isfinite(factors).all()
    assert "(logarithmic)" in profile_chart(profile, factors, ["a", "b", "c"], "x")
