"""Which runs are of the same jobs."""

from __future__ import annotations

import polars as pl
import pytest

from echelon.reports import RunTables
from echelon.reports.side_by_side.job_sets import job_set_sentences, job_sets, number_given_sets


@pytest.fixture
def changed(three_jobs):
    """Give a function that makes a run of the three jobs with other columns."""

    def run(**columns):
        return RunTables(three_jobs.with_columns(**columns), {"jobs": 3}, {"processors": 4})

    return run


def test_jobs_differ_by_size_and_run_time_but_not_by_start(changed):
    """A run that starts its jobs at other times is of the same jobs; other sizes and run times are others."""
    later = changed(start_time=pl.col("start_time") + 1, end_time=pl.col("end_time") + 1)
    smaller = changed(processors=pl.col("processors") - 0 * pl.col("processors"), run_time=pl.lit(9.0))
    runs = [changed(), later, smaller, changed(job_id=pl.col("job_id") + 1)]
    assert number_given_sets(runs) == job_sets(runs) == (1, 1, 2, 3)
    assert job_set_sentences(runs, list("abcd")) == [
        "The jobs of these runs differ; compare values only within a, b, and within c, and within d."
    ]
    assert job_set_sentences(runs[:2], ["a", "b"]) == []


def test_runs_that_complete_different_jobs(changed):
    """The same jobs, of which one run completes fewer, are two sets, said in a sentence of their own."""
    statuses = (["completed"] * 3, ["completed", "killed", "completed"], ["completed"] * 2 + ["unfinished"])
    runs = [changed(status=pl.Series(status)) for status in statuses]
    assert (number_given_sets(runs), job_sets(runs)) == ((1, 1, 1), (1, 1, 2))
    assert job_set_sentences(runs, list("abc")) == [
        "Not all runs completed the same jobs: their waits and slowdowns are not of the same jobs."
    ]
