"""The decorator that makes an order, and the built-in orders on four jobs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.engine.queue.ranking import ranks
from echelon.errors import InputError
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    Processor,
    TaskGroup,
    Workload,
)
from echelon.policies import Order, order, policy_named
from echelon.policies.order import order_named

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


NEEDS = (
    Demand((TaskGroup(2, 1.0, 5.0, 80.0), TaskGroup(1, 1.0, 9.0, 10.0))),
    Demand((TaskGroup(4, 1.0, 7.0, 30.0),), sequential=True),
    Demand((TaskGroup(2, 1.0, 9.0, 20.0),)),
    Demand((TaskGroup(1, 1.0, 0.0, 0.0),)),
)
NODE = Node((Processor((Core(1.0),) * 4),))


@pytest.mark.parametrize(
    ("name", "queue"),
    [
        ("low-memory", [3, 1, 2, 0]),
        # By planned times of 8, 2, 4 and 8 s: 10, 15, 5 and 0 bytes a second.
        ("low-memory-bandwidth", [3, 2, 0, 1]),
        ("low-memory-volume", [3, 2, 1, 0]),
    ],
)
def test_orders_by_what_tasks_ask_of_memory(name, queue):
    """Each sorts by the largest of a job's tasks, then by submit time, then by position; ranks are static."""
    columns = {"submit_time": [3, 2, 1, 1], "run_time": [8, 2, 4, 8], "processors": [3, 4, 2, 1]}
    workload = replace(
        Workload.from_columns(**columns, requested_time=[8, 2, 4, 8]), demands=Demands.of(NEEDS)
    )
    rank = ranks(Instance.of(workload, Hardware((Cluster((NODE,)),))), order_named(name), 0).tolist()
    assert sorted(range(4), key=rank.__getitem__) == queue


def test_memory_of_a_log_stands_for_a_demand():
    """Without demands the logged memory counts, unknown as 0; of bandwidth nothing is known."""
    workload = Workload.from_columns(
        submit_time=[0, 0, 1], run_time=[1, 1, 1], processors=[1, 1, 1], requested_memory=[40, 30, -1]
    )
    instance = Instance.of(workload, 4)
    assert ranks(instance, order_named("low-memory"), 0).tolist() == [2, 1, 0]
    assert ranks(instance, order_named("low-memory-bandwidth"), 0).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("FIARR", "fcfs"),
        ("SHORT", "shortest-first"),
        ("SMALL", "smallest-first"),
        ("RANDM", "random"),
        ("LRMEM", "low-memory"),
        ("LRMBW", "low-memory-bandwidth"),
        ("low_mem_ops", "low-memory-volume"),
    ],
)
def test_codes_of_irmasim_are_known(code, name):
    """Its codes name orders, alone and after a backfilling, in any letters."""
    assert order_named(code).name == order_named(code.lower()).name == name
    assert policy_named(code).order.name == policy_named(f"easy:{code}").order.name == name


def test_random_order_draws_by_job():
    """A random order is another for another seed, and each job keeps its number."""
    found = {tuple(ranks(FOUR, order_named("random"), seed).tolist()) for seed in range(40)}
    assert len(found) > 10
    assert ranks(FOUR, order_named("random"), 3).tolist() == ranks(FOUR, order_named("random"), 3).tolist()


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
