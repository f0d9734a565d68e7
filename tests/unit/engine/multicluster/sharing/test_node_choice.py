"""Which nodes take the tasks of a job."""

import numpy as np

from echelon.engine.multicluster.sharing.node_choice import best_nodes, rooms


def room(need=(10.0, 5.0), **changes):
    """Return rooms of four nodes that have room for just such a task."""
    figures = {
        "tasks": np.array([1, 1, 1, 1]),
        "mpl": 2,
        "processors": np.full(4, 0.5),
        "memory": np.full(4, 10.0),
        "demand": np.full(4, 15.0),
        "ceiling": np.full(4, 20.0),
    }
    return rooms(need, **(figures | changes)).tolist()


def test_a_node_that_has_just_enough_takes_the_task():
    """All limits may be reached."""
    assert room() == [True] * 4


def test_each_limit_keeps_a_task_out():
    """Too many tasks, no processor, too little memory, too much asked for on the link."""
    assert room(tasks=np.array([2, 0, 1, 1])) == [False, True, True, True]
    assert room(processors=np.array([1, 0.0, 1, 1])) == [True, False, True, True]
    assert room(memory=np.array([10, 10, 9.9, np.inf])) == [True, True, False, True]
    assert room(demand=np.array([15, 15, 15, 15.1])) == [True, True, True, False]


def test_rounding_keeps_no_task_out():
    """What was added and taken off again counts as equal."""
    assert room(memory=np.full(4, 10 - 1e-12), demand=np.full(4, 15 + 1e-12)) == [True] * 4


def test_a_task_without_memory_needs_none():
    """A node whose free memory is 0, or by rounding below, takes it."""
    assert room(need=(0.0, 5.0), memory=np.full(4, -1e-12)) == [True] * 4


def chosen(size, **changes):
    """Return the nodes chosen among five equal ones with room."""
    figures = {
        "room": np.ones(5, dtype=bool),
        "tasks": np.zeros(5, dtype=np.int64),
        "memory": np.ones(5),
        "gamma": np.ones(5),
    }
    nodes = best_nodes(size, **(figures | changes))
    return None if nodes is None else nodes.tolist()


def test_the_order_of_nodes():
    """Fewest tasks, then most memory, then most effective power, then the lowest index; given ascending."""
    assert chosen(2) == [0, 1]
    assert chosen(2, gamma=np.array([0.5, 1, 0.5, 1, 0.5])) == [1, 3]
    assert chosen(2, memory=np.array([1, 2, 1, 1, 3]), gamma=np.array([1, 0.1, 1, 1, 0.1])) == [1, 4]
    assert chosen(2, tasks=np.array([1, 0, 0, 1, 1]), memory=np.array([9, 1, 1, 9, 9])) == [1, 2]


def test_too_few_nodes_with_room():
    """None if the job does not fit; exactly enough are enough."""
    room = np.array([True, False, True, False, True])
    assert chosen(4, room=room) is None
    assert chosen(3, room=room) == [0, 2, 4]
