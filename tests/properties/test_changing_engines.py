"""The two engines agree where the machine changes: attempts, processors and what became of each job."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.availability import Changes, CheckpointRule
from echelon.engine import compiled, reference
from echelon.engine.compiled.dynamic_machine import simulate as kernels
from echelon.engine.compiled.dynamic_machine import state
from echelon.engine.compiled.dynamic_machine.planning import plan_state
from echelon.engine.contract import Scenario
from echelon.errors import DeadlockError, InputError
from echelon.model import Holdings, Instance, OutageKind, Outages, Reservation, Workload
from echelon.policies import Easy, Policy, policy
from echelon.policies.order import order_named

sys.path.insert(0, str(Path(__file__).parent))
from changing_nodes import crowded_nodes, random_nodes
from changing_scenarios import ALL, random_scenario

SEEDS = st.integers(0, 10**6)
ATTEMPTS = ("job", "start", "end", "reason", "work", "overhead")
CORES = tuple(one.name for one in fields(Holdings))
HELD = ("job", "start", "end", "first", "node")


def assert_engines_agree(scenario):
    """Compare everything that a run of `scenario` leaves, if kernels know it and any job starts."""
    if not scenario.machine_changes or compiled.supports(scenario) is not None:
        return
    expected, found = outcome(reference, scenario), outcome(compiled, scenario)
    assert (expected is None) == (found is None)
    if expected is None:
        return
    for one, other, columns in (
        (expected.attempts, found.attempts, ATTEMPTS),
        (expected.numbered, found.numbered, HELD),
        (expected.holdings, found.holdings, CORES),
        (expected, found, ("start_time", "end_time", "status")),
        (expected.outages, found.outages, ("start", "end", "node")),
        (expected.instance, found.instance, ("kept", "submit_time", "run_time", "planned_time", "killed")),
    ):
        assert (one is None) == (other is None)
        for name in columns if one is not None else ():
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    assert (expected.recorded is None) == (found.recorded is None)
    assert (expected.first_reserved is None) == (found.first_reserved is None)
    if expected.first_reserved is not None:
        np.testing.assert_array_equal(expected.first_reserved, found.first_reserved)
    assert expected.instance.dropped == found.instance.dropped


def outcome(engine, scenario):
    """Return the schedule, None if no job ever starts, or one waits for a reservation that always slides."""
    try:
        return engine.simulate(scenario)
    except (DeadlockError, InputError):
        return None


@pytest.mark.parametrize("what", sorted(ALL))
@examples(100)
@given(SEEDS)
def test_engines_agree_on_one_kind_of_change(what, seed):
    """All that a run leaves is the same where the machine changes for one reason, or jobs do."""
    assert_engines_agree(random_scenario(seed, frozenset((what, "failures"))))


@examples(600)
@given(SEEDS)
def test_engines_agree_on_machines_that_change(seed):
    """All that a run leaves is the same where everything happens at once, full of ties."""
    assert_engines_agree(random_scenario(seed))


@pytest.mark.parametrize("what", sorted(ALL))
@examples(60)
@given(SEEDS)
def test_engines_agree_on_plain_nodes_that_change(what, seed):
    """All that a run leaves is the same on nodes of which jobs take the first free cores."""
    assert_engines_agree(random_nodes(seed, frozenset((what, "failures")), plain=True))


@examples(300)
@given(SEEDS)
def test_engines_agree_on_nodes_that_change(seed):
    """All that a run leaves is the same where jobs ask for nodes and memory, under each node search."""
    assert_engines_agree(random_nodes(seed))


@examples(200)
@given(SEEDS)
def test_engines_agree_on_crowded_nodes(seed):
    """All that a run leaves is the same where many jobs wait behind heads that ask for nodes and memory."""
    assert_engines_agree(crowded_nodes(seed))


@pytest.mark.parametrize("checkpoint", [None, CheckpointRule(3.0, 1.0)])
def test_engines_agree_on_a_job_that_is_cut_when_it_begins(checkpoint):
    """It joins at its deadline, and accepts a limit of no time: it starts, and has never run."""
    table = Workload.from_columns(
        submit_time=[0, 5, 7], run_time=[9, 4, 4], requested_time=[9, 4, 4], processors=[1, 2, 1],
        deadline=[-1, 5, -1], minimum_time=[-1, 0, -1],
    )  # fmt: skip
    changes = Changes(Outages.of([(20, 30, [0], OutageKind.FAIL, -np.inf, 0)]), checkpoint=checkpoint)
    scenario = Scenario(Instance.of(table, 3), policy("easy"), changes=changes)
    assert compiled.supports(scenario) is None
    assert_engines_agree(scenario)
    assert compiled.simulate(scenario).instance.kept.tolist() == [0, 2]


@pytest.mark.parametrize("begin", [0.0, 5.0])
@pytest.mark.parametrize("engine", [reference, compiled])
def test_the_best_fit_whose_reservation_is_on(engine, begin):
    """At 10 one processor is free: of two jobs of one size the later one, which names it, takes it."""
    table = Workload.from_columns(
        submit_time=[0, 0, 1, 2, 3], run_time=[100, 10, 50, 20, 20], requested_time=[100, 10, 50, 20, 20],
        processors=[3, 1, 4, 1, 1], user=[1, 1, 2, 1, 2], reservation=[-1, -1, 1, -1, 1],
    )  # fmt: skip
    table = replace(table, names={**table.names, "reservation": ("alpha",)})
    kept = Reservation("alpha", begin, 1000.0, (0, 1, 2, 3), users=("1",))
    easy = Policy.of(order_named("fcfs"), Easy(fit="best-fit"))
    scenario = Scenario(Instance.of(table, 4), easy, changes=Changes(reservations=(kept,)))
    assert compiled.supports(scenario) is None
    assert engine.simulate(scenario).start_time.tolist() == [0, 0, 100, 30, 10]


@pytest.mark.parametrize("reserving", ["conservative", "selective", "plan", "easy"])
@examples(200)
@given(SEEDS)
def test_engines_agree_on_reserved_starts_where_machines_change(reserving, seed):
    """All that a run leaves is the same where starts are reserved and everything happens at once."""
    assert_engines_agree(random_scenario(seed, reserving=reserving))


@pytest.mark.parametrize("what", sorted(ALL))
@examples(60)
@given(SEEDS)
def test_engines_agree_on_reserved_starts_under_one_kind_of_change(what, seed):
    """All that a run leaves is the same where the machine changes for one reason, or jobs do."""
    assert_engines_agree(random_scenario(seed, frozenset((what, "failures")), "conservative"))


@pytest.mark.parametrize("reserving", ["conservative", "plan"])
@examples(40)
@given(SEEDS)
def test_a_plan_that_is_full_is_continued(reserving, seed):
    """A run is the same whether or not its plan had to grow on the way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan_state, "_FIRST", 1)
        assert_engines_agree(random_scenario(seed, reserving=reserving))


@pytest.mark.parametrize("reserving", ["", "conservative"])
@examples(40)
@given(SEEDS)
def test_a_log_that_is_full_is_continued(reserving, seed):
    """A run is the same whether or not its log of attempts had to grow on the way."""
    scenario = random_scenario(seed, frozenset(("failures", "maintenance")), reserving)
    if not scenario.machine_changes or compiled.supports(scenario) is not None:
        return
    expected = outcome(compiled, scenario)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "fresh_state", with_short_log)
        found = outcome(compiled, scenario)
    assert (expected is None) == (found is None)
    if expected is not None:
        np.testing.assert_array_equal(expected.attempts.start, found.attempts.start)
        np.testing.assert_array_equal(expected.numbered.node, found.numbered.node)


def with_short_log(n_jobs, processors, course):
    """Return a fresh state whose log has room for one cycle, no more."""
    fresh = state.fresh_state(n_jobs, processors, course)
    return fresh._replace(
        attempts=fresh.attempts[: processors + 2].copy(), intervals=fresh.intervals[: processors + 2].copy()
    )
