"""The two engines agree, start for start and site for site, on grids under a broker."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.compiled.grid.brokers import numbers_of
from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.model import ESTIMATES, Instance, Platform
from echelon.policies import (
    ORDERS,
    STRATEGIES,
    Admissible,
    Conservative,
    Easy,
    FirstFit,
    Information,
    NoBackfill,
    Plan,
    Policy,
    broker_named,
    policy,
)
from echelon.testing import crowd
from echelon.testing.strategies import fixed_orders, grids, policies

OFTEN = settings()
"""As many examples as the profile draws: workloads by a seed, below, hold many times the jobs."""
SELDOM = examples(40)

SUMS = [
    kind for kind in STRATEGIES if kind.information < Information.SCHEDULES and numbers_of(kind()) is not None
]
"""Those of counts and sums that kernels know."""

FORESIGHTED = [
    kind for kind in STRATEGIES if kind.information == Information.SCHEDULES and numbers_of(kind())
]
"""Those of schedules that kernels know."""

FORESEEN = (
    NoBackfill(),
    FirstFit(),
    Easy(),
    Easy(),
    Easy(reservations=2),
    Easy(candidates=ORDERS[4]),
    Easy(fit="best-fit"),
    Conservative(),
    Conservative(),
    Plan(),
)
"""Local policies whose schedules can be foreseen; two are drawn twice as often."""

states = st.sampled_from(("planned", "actual"))
admissibilities = st.builds(Admissible, st.sampled_from((1.0, 1.0, 0.5, 0.2)), st.booleans())


def brokers_of_sums():
    """Return a strategy for brokers that look at counts and sums."""
    return st.builds(lambda kind, state: kind(grid_state=state), st.sampled_from(SUMS), states)


@st.composite
def brokers_of_schedules(draw):
    """Return a strategy for brokers that look at schedules by plan, with all their parameters."""
    kind, state = draw(st.sampled_from(FORESIGHTED)), draw(states)
    if kind.name == "mct":
        return kind(grid_state=state, of=draw(st.sampled_from(("before", "after", "job"))))
    if kind.name == "mst":
        return kind(grid_state=state)
    return kind(grid_state=state, jobs=draw(st.sampled_from(("present", "assigned"))))


def look_ahead_policies():
    """Return a strategy for local policies whose schedules can be foreseen."""
    return st.builds(Policy.of, fixed_orders(), st.sampled_from(FORESEEN))


@st.composite
def crowded_grids(draw, max_jobs=400):
    """Return a strategy for hundreds of jobs on few sites, drawn by a seed."""
    sizes = draw(st.sampled_from(((4, 8, 16, 20), (5, 5, 5, 20), (64, 100, 128), (20,), (1, 1))))
    seed, load = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from((0.9, 1.5, 10.0)))
    case = crowd(seed, draw(st.integers(100, max_jobs)), processors=max(sizes), load=load)
    return Instance.of(case.workload, Platform.of_sizes(sizes), estimates=draw(st.sampled_from(ESTIMATES)))


def both(instance, local, broker, *, admissible=None, seed=0):
    """Return the schedules of both engines, seen to be the same."""
    scenario = Scenario(
        instance, local, seed=seed, system_model=tree_of_sites(broker, admissible or Admissible())
    )
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    different = np.flatnonzero((expected.start_time != found.start_time) | (expected.site != found.site))
    assert not len(different), (
        f"{broker}, {admissible}, {local.name}: first {different[0]} of {len(different)}"
    )
    assert expected.counts["passes"] == found.counts["passes"]
    assert expected.counts["events"] == found.counts["events"]
    return found


@OFTEN
@given(grids(), policies(), brokers_of_sums(), admissibilities, st.integers(0, 3))
def test_brokers_of_sums_agree(instance, local, broker, admissible, seed):
    """Counts and sums, under both grid states, any local policy, on small grids full of ties and bursts."""
    both(instance, local, broker, admissible=admissible, seed=seed)


@SELDOM
@given(crowded_grids(), policies(), brokers_of_sums(), admissibilities)
def test_brokers_of_sums_agree_on_long_queues(instance, local, broker, admissible):
    """Hundreds of jobs crowd on few sites, which must be given more room."""
    both(instance, local, broker, admissible=admissible)


@OFTEN
@given(grids(), look_ahead_policies(), brokers_of_schedules(), admissibilities)
def test_brokers_of_schedules_agree(instance, local, broker, admissible):
    """Schedules by plan, under both grid states, on small grids full of ties and bursts."""
    both(instance, local, broker, admissible=admissible)


@SELDOM
@given(crowded_grids(max_jobs=150), look_ahead_policies(), brokers_of_schedules(), admissibilities)
def test_brokers_of_schedules_agree_on_long_queues(instance, local, broker, admissible):
    """Schedules of long queues are foreseen alike."""
    both(instance, local, broker, admissible=admissible)


@pytest.mark.parametrize("kind", SUMS, ids=lambda kind: kind.name)
def test_every_strategy_of_sums_agrees(kind):
    """Each strategy, under each grid state, on one crowd."""
    instance = Instance.of(crowd(3, 200, processors=8, load=3).workload, Platform.of_sizes((2, 4, 4, 8)))
    for state in ("planned", "actual"):
        both(instance, policy("easy"), kind(grid_state=state), admissible=Admissible(0.6))


def test_many_small_sites():
    """Two hundred sites, most of them idle: the clock finds the few that something happens at."""
    instance = Instance.of(
        crowd(5, 300, processors=6, load=30).workload, Platform.of_sizes([*[1, 2, 3] * 66, 6])
    )
    for words in ("mpl", "lbal-w", "random", "mlp:grid-state=planned"):
        both(instance, policy("conservative"), broker_named(words))


def test_a_single_job():
    """One job on one processor starts at once."""
    instance = Instance.of(crowd(1, 1, processors=1).workload, Platform.of_sizes([1]))
    assert both(instance, policy("fcfs"), broker_named("mpl")).wait_time.tolist() == [0.0]
