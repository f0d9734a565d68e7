"""Step functions as the report draws them: only where they change."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echelon.metrics.columns.steps import step_function


def busy_processors(start, end, size):
    return step_function(start, end, size).changes()


def waiting_jobs(submit, start):
    return step_function(submit, start, np.ones(len(submit), dtype=np.int64)).changes()


def column(values):
    return np.array(values, dtype=np.float64)


def test_busy_processors_of_three_jobs():
    """Jobs that start and end raise and lower the count; an instant where both cancel is no step."""
    start, end = column([0, 10, 5]), column([10, 20, 7])
    steps = busy_processors(start, end, np.array([2, 2, 1]))
    assert steps.time.tolist() == [0, 5, 7, 20]
    assert steps.value.tolist() == [2, 3, 2, 0]


def test_waiting_jobs_leave_out_those_that_start_at_once():
    """A job that starts when it is submitted never waits."""
    steps = waiting_jobs(column([0, 1, 2]), column([0, 6, 4]))
    assert (steps.time.tolist(), steps.value.tolist()) == ([1, 2, 4, 6], [1, 2, 1, 0])


def test_no_jobs_no_steps():
    """Without jobs the step functions are 0 everywhere."""
    nothing = column([])
    assert len(waiting_jobs(nothing, nothing).time) == 0


jobs = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 9), st.integers(1, 5)), max_size=30)


@given(jobs, st.integers(-1, 31))
def test_busy_processors_equal_a_count(rows, moment):
    """At any moment the step function says what counting the running jobs says."""
    start = column([row[0] for row in rows])
    end = start + column([row[1] for row in rows])
    size = np.array([row[2] for row in rows], dtype=np.int64)
    steps = busy_processors(start, end, size)
    step = int(np.searchsorted(steps.time, moment, side="right")) - 1
    assert (steps.value[step] if step >= 0 else 0) == size[(start <= moment) & (moment < end)].sum()
    assert (np.diff(steps.time) > 0).all()
    assert (np.diff(steps.value, prepend=0) != 0).all()


@given(jobs)
def test_orders_that_are_known_change_nothing(rows):
    """Whoever has sorted both columns of times already gets the same steps."""
    start = column([row[0] for row in rows])
    end = start + column([row[1] for row in rows])
    size = np.array([row[2] for row in rows], dtype=np.int64)
    found, plain = (
        step_function(start, end, size, orders=orders)
        for orders in ((np.argsort(start, kind="stable"), np.argsort(end, kind="stable")), None)
    )
    assert found.time.tolist() == plain.time.tolist()
    assert found.value.tolist() == plain.value.tolist()
