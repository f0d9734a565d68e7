"""Schedule: starts, ends, waits and the processors in use."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Attempts, EndReason, Instance, JobStatus, Schedule, Workload

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


def test_run_times_of_jobs_that_did_not_complete():
    """A job that failed ran as long as it held processors, and one that completed for its work."""
    reasons = [EndReason.REQUEUED, EndReason.COMPLETED, EndReason.FAILED, EndReason.STOPPED]
    recorded = Attempts(
        3,
        np.array([0, 0, 1, 2]),
        np.full(4, -1),
        np.array([0.0, 5, 5, 9]),
        np.array([2.0, 10, 7, 9]),
        np.array(reasons, dtype=np.int8),
        work=np.array([0.0, 5, 0, 0]),
        overhead=np.zeros(4),
    )
    status = np.array([JobStatus.COMPLETED, JobStatus.FAILED_NODE, JobStatus.CANCELED_RUNNING], dtype=np.int8)
    found = Schedule(THREE, np.array([0.0, 5, 9]), recorded=recorded, status=status)
    # Job 77 was canceled as it started: it keeps the run time that it would have had.
    assert found.run_time.tolist() == [5, 2, 3]
    assert found.held_time.tolist() == [7, 2, 0]
    assert found.tells_attempts
    assert Schedule(THREE, np.zeros(3)).run_time is THREE.run_time


def test_work_is_the_run_time_where_places_have_speeds():
    """The ends are given then, and the instance's run times are from start to end."""
    recorded = Attempts(
        3,
        np.array([0, 0, 1, 2]),
        np.full(4, -1),
        np.array([0.0, 5, 5, 9]),
        np.array([2.0, 12, 7, 10]),
        np.array([EndReason.REQUEUED, 0, 0, 0], dtype=np.int8),
        work=np.array([1.0, 6, 2, 1]),
        overhead=np.zeros(4),
    )
    end, status = np.array([12.0, 7, 10]), np.zeros(3, dtype=np.int8)
    found = Schedule(THREE, np.array([0.0, 5, 9]), recorded=recorded, status=status, end=end)
    assert found.run_time.tolist() == [7, 2, 1]
