"""Metrics of whole schedules, worked by hand."""

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics.schedule import schedule_values as of


def column(*values):
    return np.array(values, dtype=np.float64)


def sizes(*values):
    return np.array(values, dtype=np.int64)


def test_idle_time_of_two_overlapping_jobs_and_a_late_one():
    """Jobs over (0, 10), (5, 20) and (30, 40) leave 10 s idle, so the busy share is 35 / 45."""
    start, end = column(0, 5, 30), column(10, 20, 40)
    assert of.idle_time(start, end) == 10
    assert of.busy_share(start, end, end - start) == 35 / 45


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_a_short_job_inside_a_long_one_opens_no_gap(order):
    """The gap counts from the latest end before it, (0, 100) here, whatever the order of the jobs."""
    start, end = column(0, 10, 30, 105)[order], column(100, 20, 40, 110)[order]
    assert of.idle_time(start, end) == 5


def test_jobs_that_meet_leave_no_gap():
    """A start at the instant of the last end is no idle time."""
    assert of.idle_time(column(0, 10), column(10, 20)) == 0


def test_makespan_counts_from_the_first_submission():
    """Jobs submitted from 100 on that end at 160 make a makespan of 60 and a C_max of 160."""
    submit, end = column(120, 100), column(160, 130)
    assert of.makespan(submit, end) == 60
    assert of.c_max(end) == 160
    assert of.throughput_per_day(submit, end) == 2 * 86400 / 60


def test_makespan_that_vanishes_is_refused():
    """At 1e17 s a run time of 1 s is lost in float64, and no rate can be given."""
    with pytest.raises(InputError, match="too large for float64"):
        of.makespan(column(1e17), column(1e17) + 1)


def test_utilization_is_area_over_machine_time():
    """10 s on 2 and 20 s on 3 processors fill 80 of 4 x 40 processor-seconds."""
    assert of.utilization(column(10, 20), sizes(2, 3), processors=4, makespan=40.0) == 0.5


@pytest.mark.parametrize(("processors", "bound"), [(1, 90), (2, 45), (3, 31), (10, 31)])
def test_lower_bound_is_the_larger_of_length_and_work(processors, bound):
    """90 processor-seconds of work bind a small machine, the job that cannot end before 31 a large one."""
    assert of.lower_bound(column(0, 1), column(20, 30), sizes(3, 1), processors=processors) == bound


def test_competitive_ratio():
    """A schedule that ends at 60 where none can end before 40 is at 1.5."""
    assert of.competitive_ratio(column(10, 60), 40.0) == 1.5


def test_quantiles_interpolate_between_order_statistics():
    """Of 0, 10, 20, 30 the median is 15, the 90th percentile 27, and the ends are the extremes."""
    assert of.quantiles(column(30, 0, 20, 10), (0.5, 0.9, 0, 1)) == pytest.approx([15, 27, 0, 30])
    assert of.quantiles(column(7), (0.5, 0.99)) == [7, 7]


def test_sums_of_whole_numbers_stay_exact_where_float_addition_rounds():
    """2**53 + 1 + 1 is found exactly, though adding in float64 one by one gives 2**53."""
    values = column(2**53, 1, 1)
    assert float(np.cumsum(values)[-1]) == 2**53
    assert of.total(values) == 2**53 + 2
