"""Jobs that wait for others: what must hold in every engine, under every policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echelon.engine import compiled, reference
from echelon.engine.contract import PASSES, Scenario
from echelon.model import Instance, Workload
from echelon.policies import Policy, broker_named, policy
from echelon.testing.dependent import check_releases, dependent
from echelon.testing.strategies import grids, instances, orders, reference_backfills, scenarios

check = settings(max_examples=60, deadline=None, derandomize=True)
BROKERS = ("mpl", "mct", "mct:belief=execution", "random")
PEERS = ("exchange", "exchange:latency=2:refresh=5", "common-pool:refresh=3", "stealing:latency=1:refresh=4")


def run(scenario):
    """Run in the reference engine, and in the compiled one if it can: the same."""
    schedule = reference.simulate(scenario)
    if compiled.supports(scenario) is None:
        fast = compiled.simulate(scenario)
        assert np.array_equal(fast.start_time, schedule.start_time)
        assert np.array_equal(fast.instance.submit_time, schedule.instance.submit_time)
    return schedule


@check
@given(scenario=scenarios(dependent(instances())), backfill=reference_backfills(), order=orders())
def test_jobs_join_when_they_are_released(scenario, backfill, order):
    """On one machine, under every order, backfilling and rule of passes: never before, never later."""
    scenario = replace(scenario, policy=Policy.of(order, backfill))
    check_releases(scenario.instance, run(scenario))


@check
@given(instance=dependent(grids()), broker=st.sampled_from(BROKERS), words=st.sampled_from(("easy", "fcfs")))
def test_jobs_join_when_they_are_released_on_grids(instance, broker, words):
    """By what really happens, whatever schedule the broker believes in."""
    scenario = Scenario(instance, policy(words), broker=broker_named(broker))
    check_releases(instance, run(scenario))


@check
@given(instance=dependent(grids()), arrangement=st.sampled_from(PEERS))
def test_jobs_join_when_they_are_released_without_a_broker(instance, arrangement):
    """Other sites know of a job so long after its release as after a submission."""
    scenario = Scenario(instance, policy("fcfs"), broker=broker_named(arrangement))
    check_releases(instance, run(scenario))


@pytest.mark.parametrize("passes", PASSES)
def test_a_chain_by_hand(passes):
    """Three jobs in a row on one processor, one that answers after 5 s, and a stranger between."""
    jobs = Workload.from_columns(
        submit_time=[0, 1, 90, 12],
        run_time=[10, 20, 5, 3],
        processors=[1, 1, 1, 1],
        preceding_job=[-1, 1, 2, -1],
        think_time=[-1, -1, 5, -1],
    )
    schedule = run(Scenario(Instance.of(jobs, 1), policy("fcfs"), passes=passes))
    # Job 2 joins when 1 ends, at 10, before 4 at 12; 3 follows 2 at 35 and need not wait for its 90 s.
    assert schedule.instance.submit_time.tolist() == [0, 10, 35, 12]
    assert schedule.start_time.tolist() == [0, 10, 35, 30]
