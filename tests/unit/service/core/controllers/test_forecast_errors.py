"""Intervals of forecasts follow from the errors that there have been."""

from __future__ import annotations

import math
import random

from echelon.service.core.controllers.forecast_errors import LEAST, MOST, ForecastErrors


def test_no_interval_before_there_are_enough_errors():
    """Until there are twenty errors, and of a wait that is not known, there is no interval."""
    errors = ForecastErrors()
    for _ in range(LEAST - 1):
        errors.note(5.0, 5.0)
    errors.note(math.inf, 5.0)
    errors.note(5.0, math.inf)
    assert errors.interval(5.0) is None
    errors.note(5.0, 5.0)
    assert errors.interval(5.0) == (5.0, 5.0)
    assert errors.interval(math.inf) is None


def test_intervals_hold_what_they_promise():
    """About 80 of 100 waits fall into intervals made of the errors before, whatever their distribution."""
    rng, errors, hits = random.Random(4), ForecastErrors(), []
    for _ in range(1500):
        forecast = rng.choice((0.0, 30.0, 4000.0))
        wait = (forecast + 10) * rng.lognormvariate(0.3, 1.2) - 10
        if (interval := errors.interval(forecast)) is not None:
            hits.append(interval[0] <= max(wait, 0.0) <= interval[1])
        errors.note(forecast, wait)
    assert 0.77 < sum(hits) / len(hits) < 0.85


def test_only_the_newest_errors_count():
    """Errors of long ago are forgotten."""
    errors = ForecastErrors()
    for wait in [900.0] * 300 + [5.0] * MOST:
        errors.note(5.0, wait)
    assert errors.interval(5.0) == (5.0, 5.0)
