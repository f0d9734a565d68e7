"""Schedule: starts, ends, waits and the processors in use."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Instance, Schedule, Workload

THREE = Instance.of(
    Workload.from_columns(job_id=[1, 2, 77], submit_time=[0, 1, 2], run_time=[5, 5, 3], processors=[2, 3, 1]),
    4,
)


def test_times():
    """Ends are starts plus run times, waits are starts minus submit times."""
    schedule = Schedule(THREE, np.array([0.0, 5.0, 2.0]))
    assert schedule.end_time.tolist() == [5, 10, 5]
    assert schedule.wait_time.tolist() == [0, 4, 0]


def test_peak_processors():
    """At equal times ends come before starts: 3 until 5, and job 2's 3 after them; overlapping, 5."""
    assert Schedule(THREE, np.array([0.0, 5.0, 2.0])).peak_processors == 3
    assert Schedule(THREE, np.array([0.0, 4.0, 9.0])).peak_processors == 5


def test_every_job_has_a_start():
    """A missing or unknown start is refused, by the job's name."""
    with pytest.raises(InputError, match="one start a job, got 2 for 3 jobs"):
        Schedule(THREE, np.zeros(2))
    with pytest.raises(InputError, match="job 77 was never started"):
        Schedule(THREE, np.array([0, 1, np.nan]))


def test_starts_can_not_be_changed():
    """The jobs of a schedule cannot be moved."""
    schedule = Schedule(THREE, np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        schedule.start_time[0] = 1
