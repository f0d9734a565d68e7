"""Queue length and busy processors over time, worked by hand."""

import numpy as np

from echelon.metrics import Steps, busy_processors, queue_length
from echelon.model import Instance, Schedule, Workload


def schedule_of(rows, processors):
    """Return a schedule from rows of submit, run, size, start."""
    submit, run, size, start = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    workload = Workload.from_columns(submit_time=submit, run_time=run, processors=size)
    return Schedule(Instance.of(workload, processors), start)


def pairs(steps):
    return list(zip(steps.time.tolist(), steps.value.tolist(), strict=True))


def test_processors_passed_on_count_once():
    """A job of 2 that ends when one of 3 starts: from then on 3 are busy, never 5."""
    assert pairs(busy_processors(schedule_of([(0, 10, 2, 0), (0, 5, 3, 10)], 4))) == [
        (0, 2),
        (10, 3),
        (15, 0),
    ]


def test_equal_ends_and_starts_make_one_step():
    """Two ends and two starts at one instant give one value, that of the two that started."""
    rows = [(0, 10, 1, 0), (0, 10, 2, 0), (0, 1, 1, 10), (0, 2, 1, 10)]
    assert pairs(busy_processors(schedule_of(rows, 4))) == [(0, 3), (10, 2), (11, 1), (12, 0)]


def test_queue_holds_those_submitted_but_not_started():
    """Jobs submitted at 1 and 2 that start at 10 and 5 wait in between."""
    rows = [(0, 5, 1, 0), (1, 5, 1, 10), (2, 5, 1, 5)]
    assert pairs(queue_length(schedule_of(rows, 1))) == [(0, 0), (1, 1), (2, 2), (5, 1), (10, 0)]


def test_job_started_at_once_never_waits():
    """A job that starts when it is submitted does not count, not even beside one that waits."""
    rows = [(3, 9, 1, 5), (3, 1, 1, 3)]
    assert pairs(queue_length(schedule_of(rows, 2))) == [(3, 1), (5, 0)]


def test_jobs_in_any_order():
    """The order of the workload does not matter: jobs are taken by time."""
    rows = [(2, 5, 1, 5), (0, 5, 2, 0), (1, 5, 3, 10)]
    assert pairs(busy_processors(schedule_of(rows, 4))) == pairs(busy_processors(schedule_of(rows[::-1], 4)))
    assert pairs(queue_length(schedule_of(rows, 4))) == pairs(queue_length(schedule_of(rows[::-1], 4)))


def test_value_between_steps():
    """Before the first step the value is 0; at a step it is the new one; it holds until the next."""
    steps = Steps(np.array([1.0, 4.0]), np.array([2, 0]))
    assert steps.at(np.array([0.5, 1, 3.9, 4, 100])).tolist() == [0, 2, 2, 0, 0]
