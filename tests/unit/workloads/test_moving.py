"""Moving jobs in time: deadlines, due times and cancellations move with submissions."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.model import Workload
from echelon.workloads.transform import merge, scale_load, scale_run_times, shake, shift, submit_at_once
from echelon.workloads.transform.moving import ABSOLUTE, move_submissions

JOBS = Workload.from_columns(
    submit_time=[100, 200, 400, -1],
    run_time=[10, 10, 10, 10],
    processors=[1, 1, 1, 1],
    cancel_time=[150, -1, 420, 70],
    deadline=[-1, 300, 500, 80],
    due_time=[130, 260, -1, 90],
    minimum_time=[5, -1, 5, 5],
)


def after(jobs):
    """Return how long after its submission each absolute time of each job is; -1 where it is unknown."""
    return {
        name: np.where(times < 0, -1, times - jobs.submit_time).tolist()
        for name in ABSOLUTE
        for times in (jobs.float_column(name),)
    }


@pytest.mark.parametrize(
    "moved",
    [scale_load(JOBS, 4), shift(JOBS, 50), shake(JOBS, 30, seed=1), shift(scale_load(JOBS, 0.5), -20)],
    ids=["scaled", "shifted", "shaken", "both"],
)
def test_times_stay_as_long_after_submission(moved):
    """What a user does an hour after a submission is done an hour after it wherever it is moved to."""
    assert moved.submit_time.tolist() != JOBS.submit_time.tolist()
    assert after(moved) == after(JOBS)


def test_jobs_submitted_together_keep_their_distances():
    """At second 0, a deadline is what it was after the submission."""
    moved = submit_at_once(JOBS)
    known = moved.submit_time >= 0
    assert sorted(moved.float_column("cancel_time")[known].tolist()) == [-1, 20, 50]
    assert sorted(moved.float_column("deadline")[known].tolist()) == [-1, 100, 100]


def test_times_never_become_unknown():
    """A job canceled before it was submitted is canceled at second 0 at the earliest, not never."""
    early = Workload.from_columns(submit_time=[100], run_time=[1], processors=[1], cancel_time=[20])
    assert move_submissions(early, np.array([10.0])).float_column("cancel_time").tolist() == [0]


def test_jobs_without_such_times_get_none():
    """No column appears where there was none, and unknown submissions move nothing."""
    plain = Workload.from_columns(submit_time=[1], run_time=[1], processors=[1])
    assert not shift(plain, 5).accounting
    assert shift(JOBS, 5).float_column("cancel_time")[3] == 70


def test_minimum_times_are_scaled_with_run_times():
    """They are limits, as requests are."""
    assert scale_run_times(JOBS, 2).float_column("minimum_time").tolist() == [10, -1, 10, 10]


def test_merged_reservations_of_one_name_are_one():
    """Logs of one machine name the same reservation; jobs of logs without any have none."""
    names = {"reservation": ("course", "night")}
    kinds = [
        Workload(
            Workload.from_columns(submit_time=[time], run_time=[1], processors=[1]).columns,
            names=names if number else {"reservation": ("night",)},
            accounting={"reservation": np.array([code])},
        )
        for number, (time, code) in enumerate([(5, 1), (3, 2), (4, 1)])
    ]
    plain = Workload.from_columns(submit_time=[9], run_time=[1], processors=[1])
    merged = merge(*kinds, plain)
    codes = merged.int_column("reservation").tolist()
    given = merged.names["reservation"]
    assert [given[code - 1] if code > 0 else None for code in codes] == ["night", "course", "night", None]
