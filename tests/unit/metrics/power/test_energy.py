"""Energy and power: cases worked by hand, and sums that must add up for any run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import energy, measure, power_trace
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    FrequencyLevel,
    Hardware,
    Holdings,
    Instance,
    Node,
    PowerCurveV2,
    Processor,
    Schedule,
    Sleep,
    Sleeps,
    TaskGroup,
    Workload,
)
from echelon.model.machines.power import curve_power, idle_power, node_power, says_power

LEVELS = (FrequencyLevel(1.0, 1.0), FrequencyLevel(0.5, 0.25))
QUAD = Processor((Core(2e9, dynamic_power=100.0),) * 4, static_power=50.0, idle_share=0.05, levels=LEVELS)
CURVE = PowerCurveV2(pidle=2.0, p00=5.0, p10=3.0, p20=-0.5, p01=4.0, p02=0.1, p11=0.25)
THESIS = Hardware((Cluster((Node((QUAD, QUAD)),) * 2),))
"""The thesis' platform A with the power that explains its 905 W."""


def run(hardware, rows, *, sleeps=(), submit=None):
    """Return a schedule of holdings given as (job, cores, start, release) and, in a dict, what is unusual."""
    rows = [(*row, {})[:5] for row in rows]
    rows.sort(key=lambda row: (row[0], row[2], row[1][0]))
    cores = [list(row[1]) for row in rows]
    column = {
        name: np.array([row[4].get(name, row[place]) for row in rows], dtype=np.float64)
        for name, place in (("start", 2), ("begin", 2), ("end", 3), ("release", 3))
    }
    holdings = Holdings(
        job=np.array([row[0] for row in rows], dtype=np.int64),
        group=np.zeros(len(rows), dtype=np.int64),
        processor=hardware.processor_of_core[[held[0] for held in cores]],
        tasks=np.array([len(held) for held in cores]),
        first_core=np.cumsum([0, *map(len, cores)]),
        cores=np.concatenate(cores).astype(np.int64),
        level=np.array([row[4].get("level", 0) for row in rows]),
        speed=np.full(len(rows), 2e9),
        bandwidth=np.array([row[4].get("bandwidth", 0.0) for row in rows]),
        **column,
    )
    jobs = np.arange(holdings.job.max() + 1)
    start = np.array([holdings.start[holdings.job == job].min() for job in jobs])
    end = np.array([holdings.release[holdings.job == job].max() for job in jobs])
    demands = Demands.of([Demand((TaskGroup(1, 2e9),)) for _ in jobs])
    submit = np.full(len(jobs), start.min()) if submit is None else np.array(submit, dtype=np.float64)
    workload = Workload.from_columns(submit_time=submit, run_time=np.ones(len(jobs)), processors=jobs * 0 + 1)
    instance = Instance.of(replace(workload, demands=demands), hardware)
    instance = replace(instance, run_time=end - start)
    slept = None
    if sleeps:
        node, off, wake = zip(*sleeps, strict=True)
        slept = Sleeps(np.array(node), np.array(off, dtype=np.float64), np.array(wake, dtype=np.float64))
    return Schedule(instance, start, end=end, holdings=holdings, sleeps=slept)


def test_eight_busy_cores_draw_905_watts():
    """Eight cores of one node for 1 s: 8 x 100 + 2 x 50 + 2 x 0.05 x 50 = 905 W, and 905 J."""
    schedule = run(THESIS, [(0, range(4), 0.0, 1.0), (1, range(4, 8), 0.0, 1.0)])
    found = measure(schedule)
    assert found["energy"] == found["energy_delay_product"] == 905.0
    assert found["mean_power"] == found["peak_power"] == 905.0
    assert found["idle_energy"] == 5.0
    assert energy(schedule).per_node.tolist() == [900.0, 5.0]
    assert energy(schedule).per_job.tolist() == [450.0, 450.0]
    assert energy(schedule, unused_is_off=True).total == 900.0


def test_ten_busy_cores_without_contention():
    """Ten cores in three processors: 1152.5 W, and 1150 J where the unused processor draws nothing."""
    schedule = run(THESIS, [(0, range(4), 0.0, 1.0), (1, range(4, 8), 0.0, 1.0), (2, range(8, 10), 0.0, 1.0)])
    assert energy(schedule).total == 1152.5
    assert energy(schedule, unused_is_off=True).total == 1150.0


def test_two_tasks_that_overlap():
    """Two tasks of 1.3 s, 0.5 s apart, on two cores of 100 W and a processor of 50 W: 350 J, EDP 630 J s."""
    dual = Hardware((Cluster((Node((replace(QUAD, cores=QUAD.cores[:2]),)),)),))
    schedule = run(dual, [(0, [0], 0.0, 1.3), (1, [1], 0.5, 1.8)], submit=[0.0, 0.5])
    found = measure(schedule)
    assert found["energy"] == pytest.approx(350.0, rel=1e-15)
    assert found["energy_delay_product"] == pytest.approx(350.0 * 1.8, rel=1e-15)
    # Alone they pay the processor alone, together half of it each.
    each = 130 + 0.5 * 50 + 0.8 * 25
    assert energy(schedule).per_job.tolist() == pytest.approx([each, each])
    trace = power_trace(schedule)
    assert trace.time.tolist() == [0.0, 0.5, 1.3]
    assert trace.power.tolist() == [150.0, 250.0, 150.0]
    assert (trace.end, trace.peak) == (1.8, 250.0)


def test_blocked_cores_count_as_busy():
    """A core draws until it is given back, although its task has ended."""
    blocked = run(THESIS, [(0, [0], 0.0, 2.0, {"end": 1.0}), (0, [4], 0.0, 2.0)])
    assert energy(blocked).per_job.tolist() == [2 * (200 + 100)]
    assert measure(blocked)["blocked_share"] == 0.25


def test_frequency_levels():
    """At the second level a core draws a quarter of its dynamic power, the processor all of its static."""
    schedule = run(THESIS, [(0, range(4), 0.0, 2.0, {"level": 1})])
    assert energy(schedule).per_job.tolist() == [2 * (4 * 25 + 50)]


SLEEPY = Node(
    (replace(QUAD, cores=QUAD.cores[:1]),), power=20.0, sleep=Sleep(power=3.0, wake_time=2.0, wake_power=70.0)
)


def test_a_node_that_sleeps_and_wakes():
    """Off it draws 3 W, waking 70 W whatever is held in it; the job pays for it from when it is awake."""
    two = Hardware((Cluster((SLEEPY, SLEEPY)),))
    schedule = run(
        two,
        [(0, [0], 0.0, 10.0), (1, [1], 6.0, 11.0, {"begin": 8.0})],
        sleeps=[(1, 1.0, 6.0)],
        submit=[0.0, 6.0],
    )
    found = energy(schedule)
    own, idle = 100 + 50 + 20, 2.5 + 20
    assert found.per_node.tolist() == pytest.approx([10 * own + idle, idle + 5 * 3 + 2 * 70 + 3 * own])
    assert found.per_job.tolist() == [10 * own, 3 * own]
    assert found.idle == pytest.approx(2 * idle + 15 + 140)
    trace = power_trace(schedule)
    assert trace.time.tolist() == [0.0, 1.0, 6.0, 8.0, 10.0]
    assert trace.power.tolist() == pytest.approx([own + idle, own + 3, own + 70, 2 * own, idle + own])
    with pytest.raises(InputError, match="no node sleeps"):
        energy(schedule, unused_is_off=True)


def test_a_node_off_to_the_end():
    """One that never wakes up is off until the last end, and off before the first submission counts not."""
    two = Hardware((Cluster((SLEEPY, SLEEPY)),))
    schedule = run(two, [(0, [0], 4.0, 6.0)], sleeps=[(1, 0.0, math.inf)])
    assert energy(schedule).per_node.tolist() == [2 * 170.0, 2 * 3.0]
    assert power_trace(schedule).power.tolist() == [173.0]


def test_a_node_switched_off_while_it_wakes():
    """A job that is cut before its node is awake leaves it to be off again: no instant counts twice."""
    one = Hardware((Cluster((SLEEPY, SLEEPY)),))
    cut = {"begin": 5.0, "end": 5.0}
    schedule = run(one, [(0, [0], 0.0, 9.0), (1, [1], 4.0, 5.0, cut)], sleeps=[(1, 1.0, 4.0), (1, 5.0, 8.0)])
    found = energy(schedule)
    assert found.per_node[1] == pytest.approx(22.5 + (3 + 3) * 3 + 70 + 70)
    assert found.per_job.tolist() == [9 * 170.0, 0.0]
    assert power_trace(schedule).energy == pytest.approx(found.total)


def test_power_by_a_curve():
    """A node with a curve draws pidle, or by tasks and bandwidth; what it draws is shared by task."""
    node = Node((QUAD,), power=999.0, power_curve=CURVE)
    schedule = run(
        Hardware((Cluster((node,)),)),
        [(0, [0, 1], 0.0, 3.0, {"bandwidth": 1e9, "end": 2.0}), (1, [2], 1.0, 2.0, {"bandwidth": 2e9})],
        submit=[0.0, 0.0],
    )

    def drawn(n, q):
        return 5 + 3 * q - 0.5 * q**2 + 4 * n + 0.1 * n**2 + 0.25 * q * n

    found = energy(schedule)
    first, second, third = drawn(2, 2), drawn(3, 4), drawn(2, 0)
    assert found.total == pytest.approx(first + second + third)
    assert found.per_job.tolist() == pytest.approx([first + second * 2 / 3 + third, second / 3])
    assert power_trace(schedule).power.tolist() == pytest.approx([first, second, third])
    assert node_power(node, [0.0], processes=3, bandwidth=4e9) == pytest.approx(second)
    assert idle_power(node) == curve_power(CURVE, 0, 0) == 2.0


def test_power_now_is_what_is_added_up():
    """The formula that an engine asks gives the power at each step of a run."""
    assert node_power(Node((QUAD, QUAD), power=7.0), [300.0, None]) == 7 + 350 + 2.5
    assert idle_power(Node((QUAD, QUAD), power=7.0)) == 12.0
    assert curve_power(PowerCurveV2(p00=1, p20=-5), 1, 9e9) == 0.0


def test_machines_without_figures_have_no_energy(small_cluster):
    """Where nothing is said of power, energy is not 0 but unknown; elsewhere every key is there."""
    schedule = small_cluster.schedule
    assert not says_power(schedule.instance.hardware)
    found = measure(schedule)
    assert "energy" not in found
    assert "peak_power" not in found
    # 4 cores x 10 s, 5 + 6 core-seconds, 4 x 10 of 8 cores x 22 s; of a and c no task runs for 4 + 5 + 8 s.
    assert found["core_utilization"] == pytest.approx(91 / 176)
    assert found["blocked_share"] == pytest.approx((2 * 2 + 5 + 8) / 91)
    assert found["communication_volume"] == 3e6
    assert found["exploitation"] == pytest.approx((32e9 + 20e9 + 64e9) / (12e9 * 22))
    assert found["mean_user_slowdown"] == pytest.approx((1 + 1 + 2) / 3)
    assert found["mean_relative_execution_time"] == 1.0
    # Its slowest task takes 8 s alone and 10 s here; 5 of 6; 8 of 8.
    assert found["mean_speed_factor"] == pytest.approx((0.8 + 5 / 6 + 1) / 3)
    assert found["max_contention_slowdown"] == pytest.approx(1.25)


def test_a_run_without_cores_has_neither():
    """A plain machine's schedule has no energy, and says so when asked."""
    plain = Instance.of(Workload.from_columns(submit_time=[0], run_time=[1], processors=[1]), 1)
    for ask in (energy, power_trace):
        with pytest.raises(InputError, match="needs a run on nodes"):
            ask(Schedule(plain, np.zeros(1)))


@st.composite
def runs(draw):
    """Return runs on a machine of three unlike nodes: two processors, one that sleeps, one with a curve."""
    nodes = (
        Node((QUAD, replace(QUAD, static_power=7.0)), power=3.0),
        SLEEPY,
        Node((QUAD,), power_curve=CURVE),
    )
    hardware = Hardware((Cluster(nodes),))
    rows, free = [], np.zeros(hardware.cores)
    wake = draw(st.integers(0, 9)) if draw(st.booleans()) else None
    if wake is not None:
        free[8] = wake
    for job in range(draw(st.integers(1, 6))):
        for processor in sorted(draw(st.sets(st.integers(0, 3), min_size=1))):
            first, last = hardware.first_core_of_processor[processor : processor + 2]
            cores = np.arange(first, draw(st.integers(first + 1, last)))
            start = float(free[cores].max())
            start += 0 if processor == 2 else draw(st.integers(0, 3))
            wakes = processor == 2 and wake is not None and start == wake
            begin = start + (2.0 if wakes else 0.0)
            end = begin + draw(st.integers(1, 5))
            release = end + draw(st.integers(0, 4))
            free[cores] = release
            bandwidth = draw(st.sampled_from([0.0, 1e8, 2e9]))
            odd = {"begin": begin, "end": end, "level": draw(st.integers(0, 1)), "bandwidth": bandwidth}
            rows.append((job, cores.tolist(), start, float(release), odd))
    return run(hardware, rows, sleeps=[] if wake is None else [(1, 0.0, float(wake))])


@given(runs())
def test_energy_adds_up(schedule):
    """By node, by job and idle, and as the integral of power over time, the energy is one."""
    found, trace = energy(schedule), power_trace(schedule)
    assert found.per_node.sum() == pytest.approx(found.total, rel=1e-12)
    assert found.per_job.sum() + found.idle == pytest.approx(found.total, rel=1e-9)
    assert trace.energy == pytest.approx(found.total, rel=1e-9)
    assert (found.per_job >= 0).all()
    assert (found.per_node >= 0).all()
    assert (np.diff(trace.time) > 0).all()
    span = trace.end - trace.time[0]
    assert trace.power.min() - 1e-9 <= found.total / span <= trace.peak + 1e-9


@pytest.mark.slow
@given(runs())
def test_power_over_time_is_that_of_the_nodes(schedule):
    """At any instant the power is the sum of the formula of each node for what is held in it then."""
    trace, held, hardware = power_trace(schedule), schedule.holdings, schedule.instance.hardware
    off, wakes = (math.inf, math.inf) if schedule.sleeps is None else (0.0, schedule.sleeps.wake[0])
    for time, power in zip(trace.time.tolist(), trace.power.tolist(), strict=True):
        expected = 0.0
        for number, node in enumerate(hardware.nodes):
            if number == 1 and off <= time < wakes + 2.0:
                expected += 3.0 if time < wakes else 70.0
                continue
            here = (hardware.node_of_processor[held.processor] == number) & (held.start <= time)
            here &= time < held.release
            dynamic = [None] * len(node.processors)
            for row in np.flatnonzero(here):
                place = held.processor[row] - hardware.first_processor[number]
                level = LEVELS[held.level[row]].power
                cores = held.first_core[row + 1] - held.first_core[row]
                dynamic[place] = (dynamic[place] or 0.0) + cores * 100.0 * level
            asked = (held.tasks * held.bandwidth)[here & (time < held.end)].sum()
            expected += node_power(node, dynamic, processes=held.tasks[here].sum(), bandwidth=asked)
        assert power == pytest.approx(expected, rel=1e-9)
