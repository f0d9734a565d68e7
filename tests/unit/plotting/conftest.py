"""Tables of few jobs, whose figures can be worked out by hand."""

from __future__ import annotations

import polars as pl
import pytest


@pytest.fixture
def three_jobs() -> pl.DataFrame:
    """Return three jobs on four processors: two side by side, one that waits 99 s for both."""
    return pl.DataFrame(
        {
            "job_id": [1, 2, 3],
            "submit_time": [0.0, 0.0, 1.0],
            "start_time": [0.0, 0.0, 100.0],
            "end_time": [100.0, 50.0, 119.0],
            "processors": [3, 1, 4],
            "user": ["anna", "bert", None],
        }
    )


@pytest.fixture
def no_jobs(three_jobs: pl.DataFrame) -> pl.DataFrame:
    """Return a table without a row."""
    return three_jobs.head(0)
