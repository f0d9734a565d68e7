"""A tiny log and its runs."""

from __future__ import annotations

import pytest

from echelon import Workload
from echelon.model import Header


@pytest.fixture
def four_jobs() -> Workload:
    """Return three jobs for four processors and one that never ran."""
    return Workload.from_columns(
        name="four",
        header=Header((("MaxProcs", "4"),)),
        submit_time=[0, 1, 2, 3],
        run_time=[100, 100, 50, -1],
        requested_time=[100, 60, 50, 50],
        processors=[3, 4, 1, 1],
        user=[1, 2, 1, -1],
    )
