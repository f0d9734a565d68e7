"""Metrics of single jobs, worked by hand."""

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics import (
    bounded_slowdown,
    grid_bounded_slowdown,
    prediction_accuracy,
    slowdown,
    turnaround_time,
    wait_time,
)

NEVER = float("inf")


def test_wait_is_start_minus_submit():
    """A job waits from its submission to its start."""
    assert wait_time([0, 5, 7], [0, 9, 7.5]).tolist() == [0, 4, 0.5]


def test_turnaround_is_end_minus_submit():
    """A job's turnaround goes from its submission to its end."""
    assert turnaround_time([0, 5], [10, 29]).tolist() == [10, 24]


def test_slowdown_is_turnaround_over_run():
    """A job that waits three times its run time is slowed down by 4."""
    assert slowdown([0, 30, 1], [10, 10, 2]).tolist() == [1, 4, 1.5]


@pytest.mark.parametrize(
    ("wait", "run", "bounded", "grid"),
    [
        (0, 100, 1, 1),  # long, no wait
        (100, 100, 2, 2),  # long, as long as it runs
        (0, 10, 1, 1),  # just as long as the threshold
        (0, 5, 1, 0.5),  # short, no wait: the variant falls below 1
        (3, 2, 1, 0.5),  # short, waits less than the threshold
        (19, 1, 2, 2),  # short, counts as 10 s
        (5, 0, 1, 0.5),  # a run time of 0 is bounded too
    ],
)
def test_bounded_slowdowns(wait, run, bounded, grid):
    """Short jobs count as 10 s; only the usual definition is held at 1."""
    assert bounded_slowdown([wait], [run]).tolist() == [bounded]
    assert grid_bounded_slowdown([wait], [run]).tolist() == [grid]


def test_threshold_is_a_parameter():
    """With tau = 60 s a job of 20 s that waits 100 s is slowed down by 2, not by 6."""
    assert bounded_slowdown([100], [20], tau=60).tolist() == [2]
    assert bounded_slowdown([100], [20]).tolist() == [6]


def test_no_jobs_no_values():
    """Columns without jobs give columns without values."""
    assert bounded_slowdown([], []).tolist() == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wait_time([0, 5], [0, 4]), "start: expected a time not before submit at position 1, got 4"),
        (lambda: turnaround_time([0, 5], [1, 4]), "end: expected a time not before submit at position 1"),
        (lambda: wait_time([0, np.nan], [0, 4]), "submit: expected a finite time at position 1, got nan"),
        (lambda: wait_time([0], [NEVER]), "start: expected a finite time at position 0, got inf"),
        (lambda: bounded_slowdown([-1], [4]), "wait: expected a time >= 0 at position 0, got -1"),
        (lambda: bounded_slowdown([1, 1], [4, -2]), "run: expected a time >= 0 at position 1, got -2"),
        (lambda: slowdown([1, 1], [4, 0]), "run: expected a run time > 0 .* at position 1, got 0"),
        (lambda: slowdown([1, 1], [4]), "wait and run must be equally long, got 2 and 1 jobs"),
        (lambda: slowdown([[1]], [[4]]), "wait: must have one dimension"),
        (lambda: bounded_slowdown([1], [4], tau=0), "tau: must be a finite time > 0, got 0"),
        (lambda: grid_bounded_slowdown([1], [4], tau=np.nan), "tau: must be a finite time > 0, got nan"),
    ],
)
def test_impossible_times_are_refused(call, message):
    """The message names the column, the rule, the first such job and the value got."""
    with pytest.raises(InputError, match=message):
        call()


def test_accuracy_is_the_same_too_long_and_too_short():
    """Twice and half the run time are both half right; what never ran or was never planned is refused."""
    assert prediction_accuracy([20, 5, 10], [10, 10, 10]).tolist() == [0.5, 0.5, 1]
    for planned, run, name in (([0], [1], "planned"), ([1], [0], "run"), ([1, 2], [1], "planned")):
        with pytest.raises(InputError, match=name):
            prediction_accuracy(planned, run)
