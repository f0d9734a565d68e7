"""The study's rules in whole runs: what stale loads do, and what corrected ones prevent."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Monitoring, Workload
from echelon.policies import broker_named, policy
from echelon.testing import machines


def sites_of(spec, submits, *, cores=(1, 1, 1), rules=None, seconds=600.0):
    """Return the site of every job of one application, all `seconds` long."""
    table = Workload.from_columns(
        submit_time=submits,
        run_time=[seconds] * len(submits),
        processors=[1] * len(submits),
        executable=[1] * len(submits),
    )
    instance = Instance.of(table, machines(cores, [1.0] * len(cores)))
    told = rules or ImmediateRules(monitoring=Monitoring(phase="zero"))
    scenario = Scenario(instance, policy("fcfs"), system_model=tree_of_sites(broker_named(spec), rules=told))
    return simulate(scenario).site.tolist()


def test_stale_loads_send_all_jobs_of_a_period_to_one_machine():
    """What is published every 15 s does not change in between: the jobs of one period go together."""
    chosen = np.array(
        sites_of("cpu-load", [16.0 + 1.0 * k for k in range(14)] + [31.0 + k for k in range(14)])
    )
    assert set(chosen[:14]) == {0}
    assert len(set(chosen[14:])) == 1
    assert set(chosen[14:]) != {0}


def test_wall_time_spreads_jobs_of_one_instant():
    """Each job counts as soon as it is sent: equal idle machines take turns."""
    assert sites_of("wall-time", [0.0] * 6) == [0, 1, 2, 0, 1, 2]
    assert sites_of("wall-time", [100.0, 140.0]) == [0, 1]


@pytest.mark.slow
def test_frequencies_of_a_lottery_in_a_run():
    """4,000 jobs go to machines of speeds 1, 1/2, 1/4 and 1/8 as 8 : 4 : 2 : 1 (chi-square, fixed seed)."""
    count = 4000
    table = Workload.from_columns(
        submit_time=np.arange(count) * 100.0, run_time=[1.0] * count, processors=[1] * count
    )
    instance = Instance.of(table, machines((1,) * 4, (1.0, 0.5, 0.25, 0.125)))
    scenario = Scenario(
        instance,
        policy("fcfs"),
        seed=3,
        system_model=tree_of_sites(broker_named("lottery"), rules=ImmediateRules()),
    )
    seen = np.bincount(simulate(scenario).site, minlength=4)
    assert scipy.stats.chisquare(seen, np.array([8, 4, 2, 1]) / 15 * count).pvalue > 0.01
    assert scipy.stats.chisquare(seen).pvalue < 1e-6


def test_a_machine_of_more_cores_takes_more():
    """Up to one process a core no process competes, so the first machine is filled before others share."""
    # Sites by cores: 1, 3. Alone 600 s each; the second is level until it has three.
    assert sites_of("wall-time", [0.0] * 5, cores=(1, 3)) == [0, 1, 1, 1, 1]


@pytest.mark.parametrize("spec", ["lottery", "lottery-load", "wall-time"])
def test_cold_runs_explore(spec):
    """With nothing known and no job ended, rules that go by history have only the unknown to choose from."""
    cold = ImmediateRules(experience="cold", monitoring=Monitoring(phase="zero"))
    chosen = sites_of(spec, [float(k) for k in range(12)], rules=cold)
    assert spec != "wall-time" or set(chosen) == {0}
    assert spec == "wall-time" or set(chosen) == {0, 1, 2}
