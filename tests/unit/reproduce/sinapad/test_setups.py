"""Setups of the SINAPAD study: machines, jobs and orders, and what is measured of a run."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from echelon.experiments.processes import Processes
from echelon.experiments.scenario import scenario_of
from echelon.experiments.simulation import run_scenario
from echelon.reproduce.sinapad.evidence import Case, Reading
from echelon.reproduce.sinapad.experiments import (
    FINISHED,
    SinapadSettings,
    extended_cases,
    order_cases,
    paced_cases,
    reading_cases,
    study_cases,
)
from echelon.reproduce.sinapad.setups import (
    DEVIATION,
    EXECUTION,
    INTERLEAVED,
    REPLICATED,
    SIMULTANEOUS,
    TO_SLOWEST,
    Setup,
    jobs_of,
    measure_setups,
    measures_of,
    platform_of,
    schedule_of,
    study_setup,
)


def test_the_cases_of_the_study():
    """Eight scenarios, two ways of submission, five policies; at once all decide at one pace."""
    cases = study_cases()
    assert len(cases) == 80
    assert {setup.decision for case, setup in cases.items() if case.mode == SIMULTANEOUS} == {0.831}
    assert study_setup("RH", INTERLEAVED, "Lottery").decision == 0.372
    assert len(paced_cases()) == 40
    assert {case.reading for case in reading_cases(quick=False)} > set(FINISHED)
    assert set(extended_cases(quick=True)) < set(extended_cases(quick=False))


def test_machines_are_listed_anew_in_every_repetition():
    """Another order a seed, the same for all policies; or the fastest, or the slowest first."""
    orders = {platform_of("RAU", "any", seed).names for seed in range(8)}
    assert len(orders) > 4
    assert platform_of("RAU", "any", 3) == platform_of("RAU", "any", 3)
    assert platform_of("RAU", "fastest first", 3).names[0] == "r1-1"
    assert platform_of("RAU", "slowest first", 3).names[0] == "r4-2"


def test_measures_are_those_of_metrics():
    """What is measured quickly is what `echelon.metrics` says."""
    setup = Setup("RAB", 20.0, "wqr", 0.1)
    scenario = scenario_of(
        jobs_of(setup, 4),
        platform=platform_of("RAB", "any", 4),
        broker="wqr",
        decision_time=0.1,
        seed=4,
    )
    metrics = run_scenario(scenario, engine="reference").metrics
    found = measures_of(schedule_of(setup, 4))
    names = ("mean_execution", "std_execution", "mean_turnaround", "makespan", "replicated_share")
    assert found[:5] == pytest.approx([metrics[name] for name in names])
    assert found[REPLICATED] > 0


def test_loads_are_exact_by_hand():
    """Two jobs on one machine at once take twice as long; all that is idle is taken first."""
    alone = measures_of(schedule_of(Setup("RH", 0.0, "wall-time", 0.0, ":jobs=10:variation=0"), 0))
    assert (alone[EXECUTION], alone[DEVIATION]) == (60, 0)
    doubled = measures_of(schedule_of(Setup("RH", 0.0, "wall-time", 0.0, ":jobs=20:variation=0"), 0))
    assert (doubled[EXECUTION], doubled[DEVIATION]) == (120, 0)


def test_the_slowest_machines_are_those_of_least_speed():
    """In RAU they are the last two of a list that begins with the fastest, the first two of the other."""
    for listed, places in (("fastest first", (6, 7)), ("slowest first", (0, 1))):
        setup = Setup("RAU", 20.0, "random", 0.0, ":jobs=16", listed=listed)
        share = np.isin(schedule_of(setup, 0).site, places).mean()
        assert 0 < share < 0.5
        assert measures_of(schedule_of(setup, 0))[TO_SLOWEST] == share


def test_orders_of_machines_are_run_for_those_that_break_ties():
    """The load alone has three readings besides, the wall time two, and lotteries none."""
    cases = order_cases()
    assert Counter(key.case.policy for key in cases) == {"CPULoad": 48, "WallTime": 32}
    drawn = cases[Reading("ties drawn", Case("RAU", INTERLEAVED, "CPULoad"))]
    assert drawn == study_setup("RAU", INTERLEAVED, "CPULoad")._replace(broker="cpu-load:ties=random")


@pytest.mark.slow
def test_lotteries_know_no_order_of_machines():
    """The slow machines draw as many jobs at the end of a list as at its beginning."""
    drawn = {
        listed: sum(
            measures_of(schedule_of(Setup("RAE", 20.0, "lottery", 0.372, ":jobs=40", listed=listed), seed))[
                TO_SLOWEST
            ]
            for seed in range(50)
        )
        / 50
        for listed in ("fastest first", "slowest first")
    }
    # r4 has 1 ticket of 66 a machine: 2 of 66; the deviation of 2,000 such draws is 0.4 %.
    assert drawn["fastest first"] == pytest.approx(2 / 66, abs=0.0125)
    assert drawn["slowest first"] == pytest.approx(2 / 66, abs=0.0125)


def test_how_ended_jobs_are_taken_out_matters_little():
    """The readings of fin_ratio run, and differ where jobs come and go."""
    found = [
        measures_of(schedule_of(Setup("RAU", 20.0, "wall-time", monitoring=f"linear:ended={word}"), 1))
        for word in ("ran", "full", "none")
    ]
    assert len({row[EXECUTION] for row in found}) > 1
    assert max(row[EXECUTION] for row in found) < 2 * min(row[EXECUTION] for row in found)


def test_seeds_are_in_their_order_whoever_runs_them():
    """A table has a row a seed, alike setups are one, and parts of seeds are put together."""
    one = Setup("RH", 20.0, "random")
    with Processes(1) as processes:
        found = measure_setups({"a": one, "b": one}, 6, processes)
    assert found["a"] is found["b"]
    assert found["a"].shape == (6, 6)
    assert np.array_equal(found["a"][5], measures_of(schedule_of(one, 5)))


def test_settings_have_bounds():
    """One repetition has no interval; decisions are timed often enough for one."""
    with pytest.raises(ValueError, match="from 2 to 10000"):
        SinapadSettings(1)
    assert SinapadSettings(100).few == 30
    assert SinapadSettings(5, quick=True).few == 3
    assert SinapadSettings(5, quick=True).timings >= 5
