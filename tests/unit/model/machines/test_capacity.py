"""Capacity: how many tasks a node holds, and when that is enough."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.model import Demand, TaskGroup
from echelon.model.machines.capacity import capacity, enough, per_node


def of(tasks, memory=0.0, **kind):
    """Return the demand of equal tasks."""
    return Demand((TaskGroup(tasks, 1.0, memory),), **kind)


def test_a_task_takes_a_core_and_memory():
    """The scarcer of the two counts; memory without limit is enough for any task, a small one too."""
    cores, memory = np.array([4, 4, 4, 0]), np.array([10.0, 3.0, np.inf, np.inf])
    assert capacity(cores, memory, of(1, 4.0)).tolist() == [2, 0, 4, 0]
    assert capacity(cores, memory, of(1, 1e-9)).tolist() == [4, 4, 4, 0]
    assert capacity(cores, memory, of(1)).tolist() == [4, 4, 4, 0]


def test_the_largest_task_stands_for_all():
    """Memory is set aside as if every task were the largest."""
    demand = Demand((TaskGroup(3, 1.0, 1.0), TaskGroup(1, 1.0, 5.0)))
    assert capacity(np.array([4]), np.array([10.0]), demand).tolist() == [2]


@pytest.mark.parametrize(
    ("demand", "tasks", "fits"),
    [
        (of(4, sequential=True), 4, True),
        (of(5, sequential=True), 5, False),
        (of(9), 9, True),
        (of(10), 10, False),
        (of(6, nodes=2), 6, True),
        (of(7, nodes=2), 7, False),
        (of(6, nodes=3), 6, True),
        (of(7, nodes=3), 7, False),
        (of(6, tasks_per_node=2), 6, True),
        (of(7, tasks_per_node=2), 7, False),
        (of(8, sequential=True), 4, True),
    ],
)
def test_what_is_enough(demand, tasks, fits):
    """One node for a sequential job, equal shares where nodes are named, no more than it takes of each."""
    assert enough(np.array([4, 2, 3]), demand, tasks) == fits


def test_shares_are_rounded_up():
    """Seven tasks in two nodes need room for four in each."""
    assert per_node(of(7, nodes=2), 7) == 4
    assert per_node(of(7, tasks_per_node=3), 7) == 3
