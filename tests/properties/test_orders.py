"""The queue's total order: key, submit time, position, whichever way it is computed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import Scenario
from echelon.engine.queue.ranking import draws, ranks
from echelon.engine.reference import simulate
from echelon.policies import Easy, Order, Policy
from echelon.testing.strategies import crowded_instances, fixed_orders, instances

check = examples(150)


class Draws:
    """A view that only draws."""

    def __init__(self, numbers):
        self.numbers = numbers

    def draw(self, job):
        return self.numbers[job.position]


def by_sorting(instance, order, seed):
    """Return the position of each job in Python's sort by (key, submit time, position)."""
    view = Draws(draws(instance, seed).tolist())
    key = {job: (order(job, view), job.submit_time, job.position) for job in instance.jobs()}
    queue = sorted(instance.jobs(), key=key.get)
    places = {job.position: place for place, job in enumerate(queue)}
    return [places[position] for position in range(len(instance))]


@check
@given(st.one_of(instances(), crowded_instances()), fixed_orders(), st.integers(0, 5))
def test_ranks_are_places_in_the_sorted_queue(instance, order, seed):
    """Computed for whole columns, each order gives the places that sorting jobs one by one gives."""
    assert ranks(instance, order, seed).tolist() == by_sorting(instance, order, seed)


@check
@given(instances(), fixed_orders(), st.integers(0, 5))
def test_columns_and_jobs_rank_alike(instance, order, seed):
    """A rule computed for whole columns and the same rule computed job by job give the same ranks."""
    single = Order(order.name, order.rule, "none", columnar=False)
    assert ranks(instance, order, seed).tolist() == ranks(instance, single, seed).tolist()


@check
@given(instances(), fixed_orders(), st.sampled_from((None, Easy(), Easy(reservations=2))))
def test_sorting_before_each_pass_changes_nothing(instance, order, backfill):
    """A rule that reads the clock without using it is sorted again in every pass, to the same schedule."""

    def reads_the_clock(job, view):
        return order.rule(job, view) if view.now >= 0 else 0

    changing = Order("changing", reads_the_clock, "none")
    assert ranks(instance, changing, 0) is None
    fresh = simulate(Scenario(instance, Policy.of(changing, backfill)))
    once = simulate(Scenario(instance, Policy.of(order, backfill)))
    assert fresh.start_time.tolist() == once.start_time.tolist()


@check
@given(instances(), st.integers(0, 1000))
def test_draws_depend_on_the_seed_alone(instance, seed):
    """The random numbers are in [0, 1), the same for the same seed, and not those of the next seed."""
    first = draws(instance, seed)
    assert ((first >= 0) & (first < 1)).all()
    assert np.array_equal(first, draws(instance, seed))
    assert not np.array_equal(first, draws(instance, seed + 1))
