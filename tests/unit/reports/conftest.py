"""A small run to report on: three jobs on four processors."""

from __future__ import annotations

import polars as pl
import pytest

from echelon.reports import RunTables


@pytest.fixture
def three_jobs():
    """Jobs 11, 12 and 13 of users 1, 2 and 1; 12 waits for 11, 13 runs beside 11.

    ::

        3 . c c . . .
        2 a a a b b b
        1 a a a b b b
        0 a a a b b b
        t 0 1 2 3 4 5    (times 100 s)
    """
    return pl.DataFrame(
        {
            "job_id": [11, 12, 13],
            "submit_time": [0.0, 50.0, 100.0],
            "start_time": [0.0, 300.0, 100.0],
            "end_time": [300.0, 600.0, 300.0],
            "run_time": [300.0, 300.0, 200.0],
            "requested_time": [400.0, 300.0, -1.0],
            "processors": [3, 3, 1],
            "user": [1, 2, 1],
        }
    )


@pytest.fixture
def make_run(three_jobs):
    """Give a function that makes a run of these jobs with the metrics and the facts given."""

    def make(metrics=None, **facts):
        return RunTables(three_jobs, metrics or {"jobs": 3, "mean_wait": 250 / 3}, {"processors": 4, **facts})

    return make
