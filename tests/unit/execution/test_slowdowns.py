"""Equations 3.1 to 3.12 on cases worked by hand."""

import math

import numpy as np
import pytest

from echelon.execution.slowdowns import (
    communication_slowdown,
    effective_power,
    execution_time,
    left_after,
    processing_slowdown,
)


def test_effective_power_is_power_times_a_fair_share():
    """Three tasks on two processors get two thirds each; one task never more than one processor."""
    gamma = effective_power(np.array([0.5, 1.0, 1.0]), np.array([2.0, 4.0, 0.0]), np.array([3, 1, 2]))
    assert gamma.tolist() == pytest.approx([1 / 3, 1.0, 0.0])


def test_the_slowest_node_sets_the_processing_slowdown():
    """Nodes of effective power 1 and 0.5 give SP = 2; a node that gives nothing stops the job."""
    assert processing_slowdown(np.array([1.0, 0.5])) == 2.0
    assert processing_slowdown(np.array([1.0, 0.0])) == math.inf


def test_communication_slows_down_by_what_is_not_assigned():
    """Two thirds of the bandwidth make SC = 1.5, none makes it infinite."""
    assert communication_slowdown(2 / 3) == pytest.approx(1.5)
    assert communication_slowdown(0.0) == math.inf


@pytest.mark.parametrize(
    ("compute", "communication", "processing", "crossing", "time"),
    [
        (10.0, 5.0, 2.0, 3.0, 35.0),
        (10.0, 0.0, 1.0, math.inf, 10.0),
        (0.0, 5.0, math.inf, 1.0, math.inf),
        (0.0, 0.0, math.inf, math.inf, 0.0),
        (1.0, 1.0, 1.0, math.inf, math.inf),
    ],
)
def test_time_is_both_parts_each_with_its_slowdown(compute, communication, processing, crossing, time):
    """T = T^p x SP + T^c x SC; nothing to do takes no time, a stopped node stops all there is to do."""
    assert execution_time(compute, communication, processing=processing, crossing=crossing) == time


def test_whole_seconds_stay_whole():
    """Equal slowdowns apply to the sum, which is exact where the parts are not."""
    compute = 0.1 * 7
    assert execution_time(compute, 7 - compute, processing=3.0, crossing=3.0) == 21.0


def test_an_interval_counts_once():
    """T^p = T^c = 10 at slowdowns 1: after 10 s a half is left, so 10 s, not 0."""
    left = left_after(1.0, 10.0, duration=20.0)
    assert execution_time(10 * left, 10 * left, processing=1.0, crossing=1.0) == 10.0


def test_under_one_state_the_rest_shrinks_by_the_clock():
    """With unchanged slowdowns what remains drops by exactly the time that passes."""
    duration = execution_time(30.0, 10.0, processing=1.5, crossing=2.0)
    before = 0.8 * duration
    assert left_after(0.8, 13.0, duration=duration) * duration == pytest.approx(before - 13.0)


def test_no_more_is_done_than_there_was():
    """Rounding never leaves less than nothing, and a job that stands still keeps what it has."""
    assert left_after(1.0, 10.0 + 1e-9, duration=10.0) == 0.0
    assert left_after(0.5, 1e9, duration=math.inf) == 0.5
