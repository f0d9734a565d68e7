"""Work in several processes: the same as in one."""

from __future__ import annotations

import math

import pytest

from echelon.experiments.processes import Processes


@pytest.mark.slow
def test_order_is_kept_and_progress_told():
    """What is found is in the order of the tasks, however many processes there are; they serve again."""
    for most in (1, 2):
        with Processes(most) as processes:
            for tasks in ([5, 3, 4], [4, 3, 5]):
                told = []
                found = processes.each(math.factorial, tasks, lambda *done, told=told: told.append(done))
                assert found == [math.factorial(task) for task in tasks]
                assert told == [(1, 3), (2, 3), (3, 3)]


def test_nothing_to_do():
    """Without tasks nothing is started."""
    with Processes() as processes:
        assert processes.each(math.factorial, []) == []


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 2])
def test_what_goes_wrong_is_raised(most):
    """An exception in a task is raised here, and the processes can still be used."""
    with Processes(most) as processes:
        with pytest.raises(ValueError, match="negative"):
            processes.each(math.factorial, [3, -1])
        assert processes.each(math.factorial, [1, 2]) == [1, 2]
