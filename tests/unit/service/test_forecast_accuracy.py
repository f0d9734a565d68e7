"""Forecast waits against what happened."""

from __future__ import annotations

from echelon.service.forecast_accuracy import errors_of, median_error
from echelon.service.records import ForecastRecord, JobRecord, JobSpec, JobState
from echelon.service.store import Finished


def finished(number, started, **forecast):
    """Return a job that was submitted at 100 s and decided on at 110 s."""
    job = JobRecord("f" * 32, number, "mara", JobSpec(), 100.0, state=JobState.COMPLETED, started_at=started)
    return Finished(job, ForecastRecord(job.id, 1, 110.0, "user-mean", **forecast) if forecast else None)


def test_errors_hold_the_interval_that_was_forecast():
    """Waits count from the decision; jobs without a forecast or a start are left out."""
    jobs = [
        finished(3, 150.0, wait_time=30.0, earliest=10.0, latest=45.0),
        finished(1, 115.0, wait_time=6.0),
        finished(2, None, wait_time=6.0),
        finished(4, 115.0),
    ]
    found = errors_of(jobs)
    assert [(one.number, one.forecast, one.actual, one.earliest, one.latest) for one in found] == [
        (3, 30.0, 40.0, 10.0, 45.0),
        (1, 6.0, 5.0, None, None),
    ]
    assert median_error(found) == 5.5
