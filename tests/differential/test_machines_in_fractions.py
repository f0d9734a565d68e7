"""Machines without queues: the engine beside a slow program that plays them in exact fractions."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.model import Monitoring, Platform, Site, TimeSharedMachine
from echelon.model.streams import stream

sys.path.insert(0, str(Path(__file__).parent))
from fluid_machines import Found, play

NEAR = 1e-9
"""Values that floats and fractions may tell apart: no choice between them is wrong."""

MACHINES = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from([1.0, 0.5, 0.25, 2.0])), min_size=1, max_size=4
)
JOBS = st.lists(
    st.tuples(
        st.sampled_from([0, 0, 0, 3, 20, 20, 41, 65, 130, 400]),  # submit
        st.integers(1, 3),  # processes
        st.integers(1, 150),  # run time
        st.integers(1, 2),  # application
    ),
    min_size=1,
    max_size=14,
)


def simulated(jobs, machines, broker, *, decision, experience, phase):
    """Return the engine's run of `jobs` on `machines`, whose sites keep this order."""
    largest = max(cores for cores, _ in machines)
    workload = ec.Workload.from_columns(
        submit_time=[job[0] for job in jobs],
        processors=[min(job[1], largest) for job in jobs],
        run_time=[job[2] for job in jobs],
        executable=[job[3] for job in jobs],
    )
    sites = tuple(Site(f"m{k}", TimeSharedMachine(cores, speed)) for k, (cores, speed) in enumerate(machines))
    return ec.simulate(
        workload,
        platform=Platform(sites),
        broker=broker,
        monitoring=Monitoring(phase=phase),
        decision_time=decision,
        experience=experience,
        seed=7,
    )


def played(result, *, decision, experience, phase) -> Found:
    """Return what the slow program makes of the same jobs at the machines that the engine chose."""
    workload, sites = result.workload, result.platform.sites
    first = [0.0] * len(sites)
    if phase == "random":
        # Drawn by size, so that another order of the sites changes no load.
        drawn = (15.0 * stream(7, "monitoring").random(len(sites))).tolist()
        for moment, site in zip(drawn, result.platform.by_size.tolist(), strict=True):
            first[site] = moment
    columns = (
        workload.submit_time,
        workload.processors,
        workload.run_time,
        workload.int_column("executable"),
    )
    return play(
        [(Fraction(s), int(p), Fraction(r), int(a)) for s, p, r, a in zip(*columns, strict=True)],
        [(site.processors, Fraction(site.resource.speed)) for site in sites],
        result.schedule.site.tolist(),
        decision_time=Fraction(decision),
        period=Fraction(15),
        phases=[Fraction(time) for time in first],
        warm=experience == "warm",
    )


@pytest.mark.parametrize("broker", ["wall-time", "cpu-load"])
@examples(60)
@given(
    machines=MACHINES,
    jobs=JOBS,
    told=st.fixed_dictionaries(
        {
            "decision": st.sampled_from([0.0, 0.5, 0.75, 7.0]),
            "experience": st.sampled_from(["warm", "cold"]),
            "phase": st.sampled_from(["zero", "random"]),
        }
    ),
)
@example(
    # A random phase more or less makes the last choice another one.
    machines=[(2, 0.25), (1, 1.0)],
    jobs=[(0, 1, 3, 1), (0, 1, 2, 1), *[(0, 1, 1, 1)] * 6],
    told={"decision": 0.75, "experience": "warm", "phase": "random"},
)
def test_the_engine_plays_as_fractions_do(broker, machines, jobs, told):
    """Every dispatch, every end and every choice of the engine is that of the slow program."""
    result = simulated(jobs, machines, broker, **told)
    found = played(result, **told)
    schedule = result.schedule
    np.testing.assert_allclose(schedule.start_time, [float(time) for time in found.start], rtol=1e-12)
    np.testing.assert_allclose(schedule.end_time, [float(time) for time in found.end], rtol=1e-9)
    for choice in found.choices:
        size = int(result.instance.size[choice.job])
        fitting = [k for k, site in enumerate(result.platform.sites) if site.processors >= size]
        by = choice.published_per_core if broker == "cpu-load" else choice.estimated_time
        # An application that a machine has never run comes first.
        values = {site: float(value) if (value := by[site]) is not None else 0.0 for site in fitting}
        least = min(values.values())
        near = [site for site in fitting if values[site] <= least + NEAR * max(1.0, abs(least))]
        chosen = int(schedule.site[choice.job])
        assert chosen in near


def test_the_slow_program_by_hand():
    """Two equal jobs at one core end at twice their time; the load seen is 15 s old, and corrected."""
    found = play(
        [
            (Fraction(0), 1, Fraction(60), 1),
            (Fraction(0), 1, Fraction(60), 1),
            (Fraction(15), 1, Fraction(30), 1),
        ],
        [(1, Fraction(1)), (1, Fraction(1, 2))],
        [0, 0, 1],
        decision_time=Fraction(0),
        period=Fraction(15),
        phases=[Fraction(0), Fraction(0)],
        warm=True,
    )
    assert found.end == [120, 120, 75]
    # At 15 s the published load of two jobs is 2 x 15 / 60, and what is missing of each is 45 / 60.
    assert found.choices[2].published_per_core == [Fraction(1, 2), 0]
    assert found.choices[2].estimated_time == [50 * 3, 100]
