"""Metrics declare the range that their values cannot leave."""

from __future__ import annotations

import math

import pytest

from echelon.errors import InputError
from echelon.metrics import METRICS, metric, metric_named


def test_intervals_lie_within_the_range():
    """A wait is at least 0, a bounded slowdown at least 1, a utilization from 0 to 1; NaN stays."""
    assert metric_named("mean_wait").within(-22.0, 460.0) == (0.0, 460.0)
    assert metric_named("mean_bounded_slowdown").within(-3.0, 4.0) == (1.0, 4.0)
    assert metric_named("utilization").within(-0.1, 1.2) == (0.0, 1.0)
    assert all(map(math.isnan, metric_named("mean_wait").within(math.nan, math.nan)))


def test_every_built_in_metric_declares_its_least_value():
    """None of them is negative, and a range is one."""
    assert [one.name for one in METRICS if one.least is None] == []
    assert all(one.most is None or one.least < one.most for one in METRICS)


def test_own_metrics_declare_theirs_or_none():
    """Without a range nothing is cut; with one its end is."""

    def late(jobs):
        """Mean lateness."""
        return jobs.wait.mean()

    free = metric("lateness", unit="s", source="none")(late)
    assert free.within(-5.0, 5.0) == (-5.0, 5.0)
    assert metric("late", unit="1", source="none", least=0, most=2)(late).within(-5.0, 5.0) == (0, 2)


@pytest.mark.parametrize(("least", "most"), [(1, 1), (2, 1), (math.inf, None), (None, math.nan), ("0", None)])
def test_what_is_no_range(least, most):
    """Ends that are not finite, equal or in the wrong order are refused with their values."""
    with pytest.raises(InputError, match="least and most must be finite, least < most, got"):
        metric("late", unit="1", source="none", least=least, most=most)
