"""Metrics over time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import METRICS, TRACED, measure, trace, traces
from echelon.model import Attempts, EndReason, Instance, Schedule, Workload


def schedule_of(rows, processors):
    """Return a schedule from rows of submit, run, size, start."""
    submit, run, size, start = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    workload = Workload.from_columns(submit_time=submit, run_time=run, processors=size)
    return Schedule(Instance.of(workload, processors), start)


def three_jobs():
    """Return three jobs on 4 processors, which end at 20, 40 and 30: the third overtakes the second."""
    return schedule_of([(10, 10, 3, 10), (15, 10, 4, 30), (20, 10, 2, 20)], 4)


def test_by_hand():
    """At each end the metrics are those of the jobs that have ended."""
    found = traces(three_jobs())
    assert {trace.time.tolist() == [20, 30, 40] for trace in found.values()} == {True}
    values = {name: found[name].value.tolist() for name in found}
    assert values["jobs"] == [1, 2, 3]
    assert values["mean_wait"] == [0, 0, 5]
    assert values["max_wait"] == [0, 0, 15]
    assert values["mean_turnaround"] == pytest.approx([10, 10, 15])
    assert values["mean_grid_bounded_slowdown"] == pytest.approx([1, 1, 1.5])
    assert values["c_max"] == [20, 30, 40]
    assert values["makespan"] == [10, 20, 30]
    assert values["lower_bound"] == [20, 30, 30]
    assert values["competitive_ratio"] == pytest.approx([1, 1, 4 / 3])
    assert values["utilization"] == pytest.approx([30 / 40, 50 / 80, 90 / 120])
    assert values["grid_utilization"] == pytest.approx([30 / 80, 50 / 120, 90 / 160])
    assert values["grid_throughput"] == pytest.approx([1 / 20, 2 / 30, 3 / 40])
    assert values["size_weighted_mean_wait"] == [0, 0, 20]


def test_between_and_beyond_the_ends():
    """Before the first end there is no mean, between ends utilization grows, after the last all stays."""
    schedule, times = three_jobs(), [99, 5, 10, 15, 25, 40]
    waits = trace(schedule, "mean_wait", times=times).value
    assert np.array_equal(waits, [5, np.nan, np.nan, np.nan, 0, 5], equal_nan=True)
    assert trace(schedule, "jobs", times=times).value.tolist() == [3, 0, 0, 0, 1, 3]
    used = trace(schedule, "utilization", times=times).value
    expected = [0.75, np.nan, np.nan, 15 / 20, 40 / 60, 0.75]
    assert np.allclose(used, expected, equal_nan=True)


@st.composite
def schedules(draw):
    """Return any schedule of a machine that is wide enough for all at once."""
    time = st.integers(0, 50)
    rows = draw(
        st.lists(st.tuples(time, st.integers(1, 50), st.integers(1, 4), time), min_size=1, max_size=20)
    )
    return schedule_of([(submit, run, size, submit + wait) for submit, run, size, wait in rows], 80)


@given(schedules())
def test_a_trace_ends_at_the_metric(schedule):
    """At the last end every trace is the metric of the whole schedule."""
    whole = measure(schedule)
    for name, found in traces(schedule).items():
        assert found.value[-1] == pytest.approx(whole[name], rel=1e-12), name


@given(schedules(), st.integers(0, 19))
def test_a_trace_is_the_metric_of_the_jobs_that_have_ended(schedule, place):
    """At any end, means and bounds are those of a schedule of only these jobs."""
    ended_by = np.sort(schedule.end_time)[place % len(schedule.end_time)]
    ended = np.flatnonzero(schedule.end_time <= ended_by)
    instance = schedule.instance
    rows = np.column_stack((instance.submit_time, instance.run_time, instance.size, schedule.start_time))[
        ended
    ]
    of_these = measure(schedule_of(rows.tolist(), 80))
    for name in (
        "mean_wait",
        "max_wait",
        "mean_bounded_slowdown",
        "lower_bound",
        "competitive_ratio",
        "c_max",
    ):
        found = trace(schedule, name, times=[ended_by]).value[0]
        assert found == pytest.approx(of_these[name], rel=1e-12), name


def test_long_traces_are_thinned():
    """Of 5,000 ends 1,000 are taken, with the first and the last."""
    schedule = schedule_of([(k, 1, 1, k) for k in range(5000)], 1)
    found = trace(schedule, "jobs")
    assert len(found.time) == 1000
    assert (found.value[0], found.value[-1]) == (1, 5000)
    assert (np.diff(found.time) > 0).all()


def test_every_trace_is_a_metric():
    """Traces have the names of metrics, in their order."""
    names = [metric.name for metric in METRICS]
    assert list(TRACED) == [name for name in names if name in TRACED]


@pytest.mark.parametrize("times", [[np.nan], "soon", [[1, 2]], 3])
def test_senseless_times_are_refused(times):
    """Times are one row of finite numbers."""
    with pytest.raises(InputError, match="times: must be"):
        trace(three_jobs(), "mean_wait", times=times)


def test_no_times_and_no_trace():
    """No times give no values; a metric without a trace is named."""
    assert len(trace(three_jobs(), "mean_wait", times=[]).value) == 0
    with pytest.raises(UnknownNameError, match="no trace is named 'median_wait'"):
        trace(three_jobs(), "median_wait")


def test_preemption():
    """A suspended job holds nothing; what it holds for switches counts as used."""
    workload = Workload.from_columns(submit_time=[0, 0], run_time=[30, 10], processors=[1, 1])
    # Job 1 runs from 0 to 10 and from 20 to 42, two seconds of which are a switch; job 2 in between.
    start, end = np.array([0.0, 20, 10]), np.array([10.0, 42, 20])
    reason = np.array([EndReason.PREEMPTED, EndReason.COMPLETED, EndReason.COMPLETED], dtype=np.int8)
    attempts = Attempts(2, np.array([0, 0, 1]), np.full(3, -1), start, end, reason)
    schedule = Schedule(Instance.of(workload, 1), np.array([0.0, 10]), recorded=attempts)
    whole = measure(schedule)
    found = traces(schedule, ("utilization", "mean_turnaround"))
    assert found["utilization"].value.tolist() == pytest.approx([1, 1])
    assert found["utilization"].value[-1] == pytest.approx(whole["utilization"] + whole["switch_share"])
    assert found["mean_turnaround"].value.tolist() == [20, 31]
