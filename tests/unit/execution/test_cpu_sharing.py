"""Processors of a node shared by what tasks use, by hand and against what max-min fairness promises."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import EchelonError
from echelon.execution.cpu_sharing import cpu_use, fair_level, slowdown_by_use
from echelon.execution.time_shared import TimeShared


def test_a_task_uses_the_share_in_which_it_computes():
    """Of 20 s half computed it uses a half; on a node of half the power it computes for 20 of 30 s."""
    assert cpu_use(10, 10, 1.0) == 0.5
    assert cpu_use(10, 10, 0.5) == pytest.approx(2 / 3)
    assert cpu_use(0, 10, 1.0) == 0.0
    assert cpu_use(0, 0, 1.0) == 0.0


@pytest.mark.parametrize(
    ("uses", "processors", "level"),
    [
        ([0.13, 0.42, 0.4], 1.0, math.inf),
        ([0.8, 0.3, 0.7], 1.0, 0.35),
        ([1, 1, 1], 1.0, 1 / 3),
        ([0.2, 0.9, 0.9], 2.0, math.inf),
        ([0.9], 0.85, 0.85),
        ([0.5], 0.0, 0.0),
        ([], 1.0, math.inf),
    ],
)
def test_who_asks_for_little_gets_it(uses, processors, level):
    """What small tasks leave is for the others alike; while there is enough all get what they ask for."""
    assert fair_level(uses, processors) == pytest.approx(level)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0.01, 3))
def test_what_is_given_is_there_and_none_is_left_over(uses, processors):
    """The sum of min(use, level) is what is asked for, or else all that there is."""
    level = fair_level(uses, processors)
    given_ = sum(min(use, level) for use in uses)
    assert given_ == pytest.approx(min(sum(uses), processors))


@pytest.mark.parametrize(
    ("compute", "communication", "level", "power", "slowdown"),
    [
        (10, 10, math.inf, 1.0, 1.0),
        (10, 10, 0.5, 1.0, 1.0),
        # A quarter of a processor: 40 s in all, of which it communicates for 10.
        (10, 10, 0.25, 1.0, 3.0),
        (10, 0, 0.25, 1.0, 4.0),
        # On half the power it computes 20 s: 80 s in all.
        (10, 10, 0.25, 0.5, 7.0),
        (0, 10, 0.25, 0.5, 2.0),
        (0, 10, 0.0, 1.0, math.inf),
    ],
)
def test_a_slowdown_keeps_what_a_task_communicates(compute, communication, level, power, slowdown):
    """T^p x SP + T^c is the time in which the task gets its share: T^p / (P level)."""
    found = slowdown_by_use(compute, communication, level=level, power=power)
    assert found == pytest.approx(slowdown)


@given(st.lists(st.floats(0.05, 1), min_size=1, max_size=4), st.floats(0.1, 1))
def test_no_processor_gives_more_than_it_has(shares, processors):
    """Tasks whose times follow from their slowdowns use no more of the node than there is."""
    level = fair_level([cpu_use(share, 1 - share, 1.0) for share in shares], processors)
    used = 0.0
    for share in shares:
        slowdown = slowdown_by_use(share, 1 - share, level=level, power=1.0)
        used += share / (share * slowdown + 1 - share)
    assert used <= processors * (1 + 1e-9) or used == pytest.approx(sum(shares))


def test_ways_to_share_are_named():
    """Count and use are known; another word is refused, with those that are known."""
    assert TimeShared(cpu="use").cpu == "use"
    with pytest.raises(EchelonError, match="count"):
        TimeShared(cpu="fair")
