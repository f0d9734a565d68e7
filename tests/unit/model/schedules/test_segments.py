"""Segments, and what a schedule makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics import busy_processors, measure, queue_length
from echelon.metrics.columns.per_job import delay_time, preemptions, suspended_time, switch_time
from echelon.model import Instance, Schedule, Segments, Workload
from echelon.testing import draw

TWO = Instance.of(Workload.from_columns(submit_time=[0, 2], run_time=[6, 3], processors=[3, 2]), 4)


def segments(*rows):
    job, start, end = zip(*rows, strict=True)
    return Segments(np.array(job), np.array(start, dtype=float), np.array(end, dtype=float))


def preempted():
    """Job 1 runs from 0 to 2, job 2 pays 1 s and runs to 6, job 1 goes on from 7, pays 1 s, ends at 12.

    ::

        2 1 1 . . . . . 1 1 1 1 1
        1 1 1 2 2 2 2 . 1 1 1 1 1
        0 1 1 2 2 2 2 . 1 1 1 1 1
    """
    return Schedule(TWO, np.array([0.0, 2.0]), segments=segments((0, 0, 2), (0, 7, 12), (1, 2, 6)))


def test_times_of_a_preempted_job():
    """Its end is the last segment's; it waits until it starts and while suspended, not in a switch."""
    schedule = preempted()
    assert schedule.end_time.tolist() == [12, 6]
    assert schedule.response_time.tolist() == [0, 0]
    assert schedule.wait_time.tolist() == [5, 0]
    assert schedule.held_time.tolist() == [7, 4]
    assert suspended_time(schedule).tolist() == [5, 0]
    assert switch_time(schedule).tolist() == [1, 1]
    assert delay_time(schedule).tolist() == [6, 1]
    assert preemptions(schedule).tolist() == [1, 0]
    assert schedule.peak_processors == 3


def test_steps_go_by_segments():
    """A suspended job waits and holds nothing."""
    busy, queue = busy_processors(preempted()), queue_length(preempted()).changes()
    assert dict(zip(busy.time.tolist(), busy.value.tolist(), strict=True)) == {0: 3, 2: 2, 6: 0, 7: 3, 12: 0}
    assert dict(zip(queue.time.tolist(), queue.value.tolist(), strict=True)) == {2: 1, 7: 0}


def test_metrics_of_a_preempted_schedule():
    """Slowdown is turnaround over run; work, switches and idle time share the machine."""
    found = measure(preempted())
    assert found["mean_turnaround"] == (12 + 4) / 2
    assert found["mean_slowdown"] == pytest.approx((12 / 6 + 4 / 3) / 2)
    assert found["utilization"] == pytest.approx((18 + 6) / 48)
    assert found["switch_share"] == pytest.approx((3 + 2) / 48)
    # From 6 to 7 no job holds a processor.
    assert found["busy_share"] == pytest.approx(9 / 10)
    assert found["mean_wait"] == found["total_wait"] / 2 == 2.5
    assert found["max_wait"] == 5
    assert found["mean_response"] == found["max_response"] == 0
    assert found["mean_suspended_time"] == 2.5


def test_drawing():
    """Between its segments a job is drawn as suspended."""
    assert draw(preempted()).splitlines() == [
        "time  0    2    6    7    12",
        "1 x3  =====----------=====",
        "2 x2       =====",
    ]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (((1, 0, 1), (0, 2, 3)), "sorted by job and time and not overlap; row 1 is not"),
        (((0, 0, 5), (0, 4, 6), (1, 0, 1)), "row 1 is not"),
        (((0, 5, 4), (1, 0, 1)), "row 0 is not"),
    ],
)
def test_rows_out_of_order(rows, sentence):
    """Rows must go by job, then time, and a job is in one place at a time."""
    with pytest.raises(InputError, match=sentence):
        segments(*rows)


def test_segments_of_other_jobs():
    """Every job of a schedule has a segment, and no other has."""
    for rows in ([(0, 0, 1)], [(0, 0, 1), (2, 0, 1)], [(0, 0, 1), (1, 0, 1), (2, 0, 1)]):
        with pytest.raises(InputError, match="segments must be of the schedule's jobs, at least one of each"):
            Schedule(TWO, np.array([0.0, 2.0]), segments=segments(*rows))
    with pytest.raises(InputError, match="equally long, got 1, 2, 1"):
        Segments(np.array([0]), np.zeros(2), np.zeros(1))


def test_segments_can_not_be_changed():
    """Segments cannot be changed."""
    with pytest.raises(ValueError, match="read-only"):
        preempted().segments.end[0] = 9
