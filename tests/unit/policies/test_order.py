"""The decorator that makes an order, and the built-in orders on four jobs."""

from __future__ import annotations

import pytest

from echelon.engine.ranking import ranks
from echelon.errors import InputError
from echelon.model import Instance, Workload
from echelon.policies import Order, order
from echelon.policies.order import BY_NAME, order_named

FOUR = Instance.of(
    Workload.from_columns(submit_time=[3, 2, 1, 1], run_time=[8, 2, 4, 8], processors=[2, 4, 2, 1]), 4
)


@pytest.mark.parametrize(
    ("name", "queue"),
    [
        ("fcfs", [2, 3, 1, 0]),
        ("largest-first", [1, 2, 0, 3]),
        ("smallest-first", [3, 2, 0, 1]),
        ("longest-first", [3, 0, 2, 1]),
        ("shortest-first", [1, 2, 3, 0]),
        ("better-fit", [1, 0, 2, 3]),
        ("smallest-area-first", [2, 3, 1, 0]),
    ],
)
def test_built_in_orders(name, queue):
    """Each order sorts by its own key, then by submit time, then by position."""
    rank = ranks(FOUR, order_named(name), 0).tolist()
    assert sorted(range(4), key=rank.__getitem__) == queue


def test_random_order_draws_by_job():
    """A random order is another for another seed, and each job keeps its number."""
    found = {tuple(ranks(FOUR, BY_NAME["random"], seed).tolist()) for seed in range(40)}
    assert len(found) > 10
    assert ranks(FOUR, BY_NAME["random"], 3).tolist() == ranks(FOUR, BY_NAME["random"], 3).tolist()


def test_order_of_five_lines():
    """The decorator keeps name, source and the docstring's first sentence, and the rule can be called."""

    @order("my-area", source="none")
    def my_area(job, view):
        """Sort by processors times planned time, in processor-seconds; the smallest first.

        More to say.
        """
        return job.processors * job.planned_time

    assert isinstance(my_area, Order)
    assert (my_area.name, my_area.source) == ("my-area", "none")
    assert my_area.summary == (
        "Sort by processors times planned time, in processor-seconds; the smallest first."
    )
    assert my_area(FOUR.jobs()[0], None) == 16
    assert ranks(FOUR, my_area, 0).tolist() == ranks(FOUR, order_named("saf"), 0).tolist()


def test_tuple_keys():
    """A tuple of numbers orders by its parts, in turn."""

    @order("small-then-long", source="none")
    def small_then_long(job, view):
        """Fewest processors, then longest planned time, in seconds."""
        return job.processors, -job.planned_time

    assert ranks(FOUR, small_then_long, 0).tolist() == [1, 3, 2, 0]


def test_an_order_has_two_parameters_and_a_docstring():
    """A rule of another form is refused when it is made."""
    with pytest.raises(InputError, match=r"one: an order takes \(job, view\), got \(job\)"):
        order("one", source="none")(lambda job: 0)
    with pytest.raises(InputError, match="mute: an order needs a docstring"):
        order("mute", source="none")(lambda job, view: 0)
