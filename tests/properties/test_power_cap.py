"""A power cap: what a run draws, added up afterwards, is never above what its engine was allowed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.metrics import energy, power_trace
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    FrequencyLevel,
    Hardware,
    Node,
    Platform,
    Processor,
    Site,
    Sleep,
    TaskGroup,
)

LEVELS = (FrequencyLevel(1.0, 1.0), FrequencyLevel(0.5, 0.2))
BIG = Processor((Core(2e9, dynamic_power=40.0),) * 3, static_power=30.0, idle_share=0.5, levels=LEVELS)
SMALL = Processor((Core(1e9, dynamic_power=10.0),) * 2, static_power=10.0)
SLEEPY = Sleep(after=2.0, power=1.0, wake_time=3.0, wake_power=60.0)
MACHINE = Hardware((Cluster((Node((BIG, SMALL), power=5.0), Node((BIG,), power=5.0, sleep=SLEEPY))),))

jobs = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 4), st.integers(1, 20), st.booleans()),
    min_size=1,
    max_size=8,
)


def workload(rows):
    """Return jobs from rows of submit time, tasks, thousand million operations, sequential or not."""
    submit, tasks, giga, sequential = zip(*sorted(rows), strict=True)
    demands = [
        Demand((TaskGroup(n, g * 1e9),), sequential=one)
        for n, g, one in zip(tasks, giga, sequential, strict=True)
    ]
    plain = ec.Workload.from_columns(
        submit_time=submit,
        run_time=np.ones(len(rows)),
        requested_time=np.full(len(rows), 60.0),
        processors=tasks,
    )
    return replace(plain, demands=Demands.of(demands))


@examples(50)
@given(
    jobs,
    st.sampled_from([250.0, 300.0, 400.0]),
    st.sampled_from(["highest", "lowest", "capped"]),
    st.sampled_from(["fcfs", "easy", "first-fit"]),
)
def test_a_cap_is_kept(rows, cap, governor, policy):
    """The exact power over time stays at or below the cap, whatever sleeps, wakes up or runs slower."""
    platform = Platform((Site("site", MACHINE),))
    run = ec.simulate(workload(rows), platform=platform, policy=policy, power_cap=cap, governor=governor)
    trace = power_trace(run.schedule)
    assert trace.peak <= cap * (1 + 1e-12)
    assert trace.energy == pytest.approx(energy(run.schedule).total)
    held = run.schedule.holdings
    scaled = np.array([len(processor.levels) > 1 for processor in MACHINE.processors])[held.processor]
    assert set(held.level[scaled].tolist()) <= {"highest": {0}, "lowest": {1}, "capped": {0, 1}}[governor]
