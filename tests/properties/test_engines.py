"""The two engines agree, start for start, whatever the jobs, the policy and the rules of time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import CYCLES, Scenario
from echelon.model import ESTIMATES
from echelon.policies import ORDERS, Conservative, Easy, FirstFit, NoBackfill, Plan, Policy, Selective
from echelon.testing import CASES, crowd
from echelon.testing.strategies import crowded_instances, dynamic_orders, fixed_orders, instances, scenarios

OFTEN = examples(300)
SELDOM = examples(25)

BACKFILLS = {
    "none": NoBackfill(),
    "first-fit": FirstFit(),
    "easy": Easy(),
    "two reservations": Easy(reservations=2),
    "three reservations, own candidates": Easy(reservations=3, candidates=ORDERS[4]),
    "own candidates": Easy(candidates=ORDERS[6]),
    "best-fit": Easy(fit="best-fit"),
    "best-fit among random candidates": Easy(candidates=ORDERS[-1], fit="best-fit"),
    "conservative": Conservative(),
    "plan": Plan(),
    "selective": Selective(2.0),
    "selective, adaptive": Selective(),
}


def assert_engines_agree(scenario):
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    moved = np.flatnonzero(expected.start_time != found.start_time)
    assert not len(moved), (
        f"{scenario.policy.name}, cycles {scenario.cycles}: first {moved[0]} of {len(moved)}"
    )


@OFTEN
@given(scenarios())
def test_engines_agree(scenario):
    """Every start is the same on small workloads full of ties, bursts and wrong estimates."""
    assert_engines_agree(scenario)


@OFTEN
@given(scenarios(crowded_instances(min_jobs=5, max_jobs=60, processors=(2, 3, 5, 8, 20))))
def test_engines_agree_on_crowds(scenario):
    """Every start is the same where many jobs compete for few processors."""
    assert_engines_agree(scenario)


@examples(100)
@given(scenarios(instances(max_jobs=60, max_processors=70)))
def test_engines_agree_on_larger_machines(scenario):
    """Every start is the same when dozens of jobs run at once."""
    assert_engines_agree(scenario)


@examples(100)
@given(scenarios(instances(max_jobs=40, max_processors=1)))
def test_engines_agree_on_one_processor(scenario):
    """Every start is the same on the smallest machine, where no two jobs run at once."""
    assert_engines_agree(scenario)


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
def test_every_combination_agrees(order, backfill):
    """Each order with each backfilling agrees on half of the tiny cases, and on two crowds under every rule.

    Every order and every backfilling meets all tiny cases, one half in one combination and one in the next.
    Each crowd is run under three pairs of rules, of estimates and of cycles, which hold each rule once: which
    pairs changes from one backfilling to the next, and from one crowd to the other. The other pairs are drawn
    above.
    """
    policy = Policy.of(order, BACKFILLS[backfill])
    place = list(BACKFILLS).index(backfill)
    tiny, crowds = cases(place % 3)
    for instance, cycles in [*tiny[(place + ORDERS.index(order)) % 2 :: 2], *crowds]:
        assert_engines_agree(Scenario(instance, policy, cycles=cycles, seed=7))


@cache
def cases(turn):
    """Return tiny cases and crowds with rules of cycles, made once; `turn` says which rules come together."""
    small, large = (
        {estimates: case.instance(estimates) for estimates in ESTIMATES}
        for case in (crowd(1, 24, processors=6), crowd(2, 45, processors=12, load=3))
    )
    return [(tiny.instance("raise"), "instant") for tiny in CASES], [
        *((small[estimates], CYCLES[(k + turn + 1) % 3]) for k, estimates in enumerate(ESTIMATES)),
        *((large[estimates], CYCLES[(k + turn) % 3]) for k, estimates in enumerate(ESTIMATES)),
    ]


@examples(60)
@given(
    crowded_instances(),
    fixed_orders(),
    st.sampled_from((NoBackfill(), FirstFit(), Easy(), Easy(fit="best-fit"), Easy(candidates=ORDERS[4]))),
    st.sampled_from(CYCLES),
)
def test_engines_agree_on_long_queues(instance, order, backfill, cycles):
    """Every start is the same with queues of hundreds of jobs, so many blocks of the compiled lists."""
    assert_engines_agree(Scenario(instance, Policy.of(order, backfill), cycles=cycles))


@SELDOM
@given(
    crowded_instances(min_jobs=150, max_jobs=350),
    dynamic_orders(),
    st.sampled_from((NoBackfill(), FirstFit(), Easy(), Easy(fit="best-fit"), Conservative(), Selective(2.0))),
    st.sampled_from(CYCLES),
)
def test_engines_agree_on_long_queues_sorted_anew(instance, order, backfill, cycles):
    """Every start is the same when queues of hundreds of jobs are sorted again as time passes."""
    assert_engines_agree(Scenario(instance, Policy.of(order, backfill), cycles=cycles))


@SELDOM
@given(
    crowded_instances(min_jobs=150, max_jobs=350),
    fixed_orders(),
    st.sampled_from((Easy(reservations=2), Easy(reservations=40, candidates=ORDERS[4]), Plan())),
    st.sampled_from(CYCLES),
)
def test_engines_agree_on_many_reservations(instance, order, backfill, cycles):
    """Every start is the same when each pass lays out a profile of many segments."""
    assert_engines_agree(Scenario(instance, Policy.of(order, backfill), cycles=cycles))


@SELDOM
@given(crowded_instances(min_jobs=150, max_jobs=450), fixed_orders(), st.sampled_from(CYCLES))
def test_engines_agree_on_many_promises(instance, order, cycles):
    """Every start is the same when hundreds of promises are kept and compressed."""
    assert_engines_agree(Scenario(instance, Policy.of(order, Conservative()), cycles=cycles))
