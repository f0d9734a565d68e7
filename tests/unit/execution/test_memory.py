"""Memory models: the published figures, continuity, sharing, and what they refuse."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.execution import Load, MemoryShare, MemoryV1, MemoryV2
from echelon.model import Cluster, Core, Hardware, MemoryCurveV1, MemoryCurveV2, Node, Processor

MB, GB = 1e6, 1e9
CORES = (Core(2e9),) * 4
V1 = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
V2 = MemoryCurveV2(
    abb=-92.130488, bbb=1, ccb=1, cca=-0.004, cbb=14.7, cba=-19.8, cab=-815, caa=495, dbb=0.0186, dab=0.7
)
PROCESSOR = Processor(CORES, memory_curve=V1, name="slow")
NODE = Node((Processor(CORES),), memory_curve=V2, name="fast")
check = settings(deadline=None, derandomize=True)


def v1(*loads, steep="limit"):
    """Return the factors of loads given as (tasks, MB/s)."""
    return MemoryV1(steep).factors([Load(tasks, asked * MB) for tasks, asked in loads], PROCESSOR)


def test_v1_two_demanding_tasks():
    """Two tasks of huge demand run at 1 / 1.6 = 0.625 of their speed each."""
    assert v1((1, 1e6), (1, 1e6)) == [0.625, 0.625]
    assert v1((2, 1e6)) == [0.625]


def test_v1_one_task_is_never_slowed():
    """A task alone in its processor keeps its speed, whatever it asks for."""
    assert v1((1, 1e9)) == [1.0]


def test_v1_below_c_no_task_is_slowed():
    """Up to the bandwidth c together there is no contention, and right behind it the factor starts at 1."""
    assert v1((2, 15999.9)) == [1.0]
    assert v1((2, 16000.0)) == [1.0]
    assert v1((2, 16001.0)) == [pytest.approx(1 - 1.85e-5 * 2, abs=1e-9)]


@pytest.mark.parametrize(("tasks", "asked"), [(2, 20000.0), (3, 30000.0), (4, 25000.0)])
def test_v1_by_the_printed_cases(tasks, asked):
    """The maximum of line and floor is what the three printed cases give."""
    n, total = tasks - 1, tasks * asked
    u = (asked - (V1.da - n) * V1.db) / (V1.dc - n * V1.dd)
    step = 1 if u < 0 else 0 if u > 1 else 1 - u**3 * (6 * u**2 - 15 * u + 10)
    floor = step * 0.6 * n / (1 + 0.6 * n) + 1 / (1 + 0.6 * n)
    printed = floor if total > V1.c + (floor - 1) / V1.b else 1 + V1.b * (total - V1.c)
    assert v1((tasks, asked)) == [pytest.approx(printed, abs=1e-9)]


@pytest.mark.parametrize(
    ("loads", "factors"),
    [
        # n = 3, u = (20000 + 1.25 x 2000) / 32000 = 0.703125, s = 0.1589703; the line is down at 0.112.
        ([(4, 20000.0)], [0.459338058]),
        # n = 3, u = (12200 + 2500) / 32000 = 0.459375, s = 0.5758373; the line is at 0.6892.
        ([(4, 12200.0)], [0.727323981]),
        # n = 3, u = (11000 + 2500) / 32000 = 0.421875, floor 0.7712; the line is still above it.
        ([(4, 11000.0)], [0.778]),
        # n = 2, u = (14000 + 500) / 38000 = 0.3815789, s = 0.7138758; the line is at 0.815.
        ([(3, 14000.0)], [0.843932249]),
        # n = 4 and 77000 together, line 0.1675: u = 39500 / 26000 > 1, 9500 / 26000 and 5500 / 26000.
        ([(2, 35000.0), (1, 5000.0), (2, 1000.0)], [0.294117647, 0.816803798, 0.952589111]),
    ],
)
def test_v1_at_middling_demands(loads, factors):
    """Between the extremes the floor is the one worked out by hand from the published formula."""
    assert v1(*loads) == pytest.approx(factors, abs=1.5e-9)


@check
@given(st.integers(2, 8), st.floats(0, 2e5), st.floats(1e-3, 1.0))
def test_v1_is_continuous(tasks, asked, step):
    """Asking for a little more changes the factor by little: at c, at the floor and along the slope."""
    before, after = v1((tasks, asked))[0], v1((tasks, asked + step))[0]
    assert abs(after - before) <= 0.01 * step + 2e-9
    assert 0 < after <= 1


def test_v1_beyond_nine_others():
    """With ten tasks the printed slope turns around and slows no task; its limit slows the demanding ones."""
    assert v1((10, 1e6)) == [pytest.approx(1 / 6.4)]
    assert v1((10, 1e6), steep="formula") == [1.0]
    assert v1((9, 1e6), steep="formula") == v1((9, 1e6))


@check
@given(st.lists(st.tuples(st.floats(0.1, 4), st.floats(0, 1e6)), max_size=6))
def test_v1_factors_are_factors(loads):
    """Any mix gives factors above 0 and up to 1, and tasks with more demand are slowed no less."""
    found = v1(*loads)
    assert all(0 < factor <= 1 for factor in found)
    by_demand = [factor for _, factor in sorted(zip((asked for _, asked in loads), found, strict=True))]
    assert all(more <= less + 1e-9 for less, more in pairwise(by_demand))


def test_v2_alone_and_idle():
    """A task that asks for nothing keeps its speed; the figures of the public formula come out."""
    assert MemoryV2().factors([Load(1, 0.0)], NODE) == [1.0]
    own, total, others = 0.02, 0.08, 3
    c = 1 - 0.004 * others + own * (14.7 - 19.8 * others) + own**2 * (-815 + 495 * others)
    d = 0.0186 + 0.7 * own
    by_hand = 1 + 0.9 * (c - 1) * math.exp(-math.exp(-92.130488 * (total - d)))
    assert MemoryV2().factors([Load(4, own * GB)], NODE) == [pytest.approx(by_hand)]
    assert 0.3 < by_hand < 0.7


@check
@given(st.lists(st.tuples(st.integers(1, 16), st.floats(0, 100)), max_size=5))
def test_v2_factors_are_factors(loads):
    """However far from where it was fitted, the curve gives factors above 0 and up to 1."""
    found = MemoryV2().factors([Load(tasks, asked * GB) for tasks, asked in loads], NODE)
    assert all(0 < factor <= 1 for factor in found)


NARROW = Processor(CORES, memory_bandwidth=100.0)


def test_share_by_demand():
    """Every task with demand slows down to the ratio of capacity to total demand."""
    found = MemoryShare().factors([Load(2, 75.0), Load(1, 50.0), Load(1, 0.0)], NARROW)
    assert found == [0.5, 0.5, 1.0]
    assert MemoryShare().factors([Load(2, 50.0)], NARROW) == [1.0]


def test_share_equally():
    """Max-min: 10 gets its 10, the others 45 each."""
    found = MemoryShare("equal").factors([Load(2, 90.0), Load(1, 10.0), Load(1, 0.0)], NARROW)
    assert found == [0.5, 1.0, 1.0]


@check
@given(st.lists(st.tuples(st.floats(0.25, 4), st.floats(0, 200)), min_size=1, max_size=6))
def test_share_gives_all_there_is(loads):
    """Both ways hand out what is asked for, or all there is, and equal weights slow no small one."""
    loads = [Load(*load) for load in loads]
    asked = sum(load.tasks * load.bandwidth for load in loads)
    for weights in ("demand", "equal"):
        factors = MemoryShare(weights).factors(loads, NARROW)
        assert all(0 < factor <= 1 for factor in factors)
        given = sum(load.tasks * load.bandwidth * f for load, f in zip(loads, factors, strict=True))
        assert given == pytest.approx(min(asked, 100.0))
        got = [load.bandwidth * factor for load, factor in zip(loads, factors, strict=True)]
        assert weights == "demand" or all(
            factor == 1 or rate == pytest.approx(max(got)) for factor, rate in zip(factors, got, strict=True)
        )


def test_hardware_without_curves_is_refused():
    """Types without a curve, or with one that rises, are named once each."""
    rising = MemoryCurveV1(b=1e-5, c=1, da=0, db=0, dc=1, dd=0)
    bare = Node((Processor(CORES, name="bare"), Processor(CORES, memory_curve=rising, name="odd")), name="n")
    with pytest.raises(InputError, match=r"of each type of processor; not so: 'bare', one without a name$"):
        MemoryV1().check(Hardware((Cluster((bare, bare, Node((Processor(CORES),)))),)))
    odd = Node((Processor(CORES, memory_curve=rising, name="odd"),), name="n")
    with pytest.raises(InputError, match="b < 0; not so: 'odd'"):
        MemoryV1().check(Hardware((Cluster((odd,)),)))
    with pytest.raises(InputError, match="of each type of node; not so: 'n'"):
        MemoryV2().check(Hardware((Cluster((NODE, odd)),)))
    whole = Hardware((Cluster((Node((PROCESSOR,), memory_curve=V2),)),))
    for model in (MemoryV1(), MemoryV2(), MemoryShare()):
        model.check(whole)
