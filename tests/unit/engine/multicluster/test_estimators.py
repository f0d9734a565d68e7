"""Every estimator on a busy multicluster, where its forecasts decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine.reference import simulate
from echelon.engine.system_model import Multicluster
from echelon.policies import ESTIMATORS, estimator_named
from echelon.policies.estimators.line import deviation

SPECS = [kind.name for kind in ESTIMATORS if kind.name != "request"]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_runs_share_nothing(spec, busy):
    """Two runs of one scenario forecast and start every job alike, and jobs handed out have a forecast."""
    scenario = busy(1, local="easy", estimator=spec, jobs=36)
    first, second = simulate(scenario), simulate(scenario)
    assert np.array_equal(first.start_time, second.start_time)
    for one, other in zip(first.forecasts, second.forecasts, strict=True):
        assert np.array_equal(one.wait, other.wait, equal_nan=True)
        assert np.array_equal(one.run, other.run, equal_nan=True)
    assert (~np.isnan(first.forecasts[0].run)).sum() > 20


@pytest.mark.slow
def test_who_is_watched_changes_nothing(busy):
    """Estimators asked beside the run's own leave the run as it is, and say what they say alone."""
    scenario = busy(2, local="fcfs", estimator="sdpn")
    watched = tuple(estimator_named(spec) for spec in SPECS)
    alone = simulate(scenario)
    beside = simulate(
        replace(
            scenario,
            system_model=Multicluster(scenario.broker, replace(scenario.multicluster, watched=watched)),
        )
    )
    assert np.array_equal(alone.start_time, beside.start_time)
    assert [one.estimator for one in beside.forecasts] == ["sdpn", *SPECS]
    assert np.array_equal(beside.forecasts[0].wait, beside.forecasts[1 + SPECS.index("sdpn")].wait, True)


@pytest.mark.slow
def test_a_correction_helps_where_the_model_misses_something(busy):
    """Where tasks that share a node disturb each other, which Hanzich's product leaves out, errors shrink."""
    scenario = busy(3, local="fcfs", estimator="hanzich")
    rules = replace(
        scenario.multicluster,
        two_phase=False,
        co_allocation=None,
        execution=replace(scenario.multicluster.execution, interference=4.0),
        watched=(estimator_named("corrected:of=hanzich:window=8:ra=0.5:spread=2"),),
    )
    schedule = simulate(replace(scenario, system_model=Multicluster(scenario.broker, rules)))
    run = schedule.end_time - schedule.start_time
    plain, corrected = (
        deviation([pair for pair in zip(said.run.tolist(), run.tolist(), strict=True) if pair[0] >= 0])
        for said in schedule.forecasts
    )
    assert corrected < plain
