"""The two engines agree, start for start and release for release, where jobs wait for others to end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.model import ESTIMATES, Instance, Platform
from echelon.policies import (
    ORDERS,
    Conservative,
    Easy,
    FirstFit,
    NoBackfill,
    Plan,
    Policy,
    Selective,
    broker_named,
    policy,
)
from echelon.policies.decentralized.exchange import CommonPool, Exchange
from echelon.policies.decentralized.stealing import Stealing
from echelon.testing import crowd
from echelon.testing.dependent_jobs import DAGS, dag, dependent
from echelon.testing.strategies import grids, instances, scenarios

OFTEN = settings()
"""As many examples as the profile draws: workloads by a seed, below, hold many times the jobs."""
SELDOM = examples(40)

BY_RELEASE = ("f1", "f2", "f3", "f4")
"""Orders that ask when a job is submitted: they are in the reference engine then."""
ALL_ORDERS = [order for order in ORDERS if order.name not in BY_RELEASE]
BACKFILLS = {
    "none": NoBackfill(),
    "first-fit": FirstFit(),
    "easy": Easy(),
    "three reservations, own candidates": Easy(reservations=3, candidates=ORDERS[4]),
    "candidates that change": Easy(candidates=next(order for order in ORDERS if order.name == "wfp3")),
    "best-fit": Easy(fit="best-fit"),
    "best-fit among random candidates": Easy(candidates=ORDERS[-1], fit="best-fit"),
    "conservative": Conservative(),
    "plan": Plan(),
    "selective": Selective(2.0),
    "selective, adaptive": Selective(),
}


def arrangements():
    """Return a strategy for the arrangements without a broker, with what communication costs."""
    costs = {
        "latency": st.sampled_from((0.0, 0.0, 1.0, 1 / 3)),
        "refresh": st.sampled_from((0.0, 0.0, 0.1, 5.0, 1000.0)),
    }
    return st.one_of(
        st.builds(Exchange, algorithm=st.sampled_from(("easy", "fcfs", "list")), **costs),
        st.builds(Stealing, fit=st.sampled_from(("first-fit", "best-fit")), **costs),
        st.builds(CommonPool, **costs),
    )


def both(scenario):
    """Return the schedule of the compiled engine, seen to be that of the reference engine."""
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    moved = expected.start_time != found.start_time
    if expected.site is not None:
        moved |= expected.site != found.site
    assert not moved.any(), f"{scenario.policy.name}, {scenario.cycles}: first {np.flatnonzero(moved)[0]}"
    assert np.array_equal(expected.instance.submit_time, found.instance.submit_time)
    assert expected.counts["passes"] == found.counts["passes"]
    return found


def is_known(scenario):
    """Return whether every order of `scenario` does without submit times."""
    orders = (scenario.policy.order, getattr(scenario.policy.scheduler, "candidates", None))
    return not any(order and order.name in BY_RELEASE for order in orders)


@OFTEN
@given(scenarios(dependent(instances())).filter(is_known))
def test_engines_agree(scenario):
    """Under any policy and rule of cycles, on small workloads full of ties, most without think times."""
    both(scenario)


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("shape", DAGS)
def test_every_backfilling_agrees_on_every_shape(shape, backfill):
    """Chains, diamonds, trees and loose edges, with think times of fractions, under every rule of cycles."""
    for seed, order in enumerate(ALL_ORDERS):
        case = crowd(seed, 40, processors=6, load=2)
        instance = dag(case.instance(ESTIMATES[seed % len(ESTIMATES)]), shape, seed)
        both(
            Scenario(
                instance, Policy.of(order, BACKFILLS[backfill]), cycles=CYCLES[seed % len(CYCLES)], seed=7
            )
        )


@SELDOM
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(DAGS),
    st.sampled_from(ALL_ORDERS),
    st.sampled_from(sorted(BACKFILLS)),
    st.sampled_from(CYCLES),
)
def test_engines_agree_on_long_queues(seed, shape, order, backfill, cycles):
    """Hundreds of jobs that are released in bursts, so that lists have many blocks."""
    instance = dag(crowd(seed, 300, processors=16, load=4).instance("raise"), shape, seed)
    both(Scenario(instance, Policy.of(order, BACKFILLS[backfill]), cycles=cycles))


@SELDOM
@given(
    dependent(grids()),
    st.sampled_from(("mpl", "mlb", "lbal-w", "random", "round-robin", "mst", "mct", "mwt", "mwct-w", "mta")),
    st.sampled_from(("planned", "actual")),
    st.sampled_from(("easy", "first-fit:sjf", "conservative", "easy(reservations=2)", "plan:saf")),
)
def test_brokers_agree(instance, broker, state, local):
    """Released by what happens, while the broker may believe in a schedule of its own."""
    both(
        Scenario(
            instance, policy(local), system_model=tree_of_sites(broker_named(f"{broker}:grid-state={state}"))
        )
    )


@SELDOM
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(DAGS),
    st.sampled_from(("mpl", "mct", "mwt")),
    st.sampled_from(("planned", "actual")),
)
def test_brokers_agree_on_long_queues(seed, shape, broker, state):
    """Sites run out of room and are given more, between the ENDs of an instant and its SUBMITs."""
    case = crowd(seed, 200, processors=8, load=4)
    instance = dag(Instance.of(case.workload, Platform.of_sizes((4, 8))), shape, seed)
    both(
        Scenario(
            instance,
            policy("conservative"),
            system_model=tree_of_sites(broker_named(f"{broker}:grid-state={state}")),
        )
    )


@OFTEN
@given(dependent(grids()), arrangements())
def test_sites_without_a_broker_agree(instance, arrangement):
    """Exchange, stealing and the common pool, with fresh or stale news and free or slow transfers."""
    both(Scenario(instance, policy("fcfs"), system_model=tree_of_sites(arrangement)))


@SELDOM
@given(st.integers(0, 2**32 - 1), st.sampled_from(DAGS), arrangements())
def test_sites_without_a_broker_agree_on_long_queues(seed, shape, arrangement):
    """Hundreds of jobs that are numbered as they are released."""
    case = crowd(seed, 200, processors=8, load=4)
    instance = dag(Instance.of(case.workload, Platform.of_sizes((4, 8))), shape, seed)
    both(Scenario(instance, policy("fcfs"), system_model=tree_of_sites(arrangement)))
