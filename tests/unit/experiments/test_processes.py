"""Work in several processes: the same as in one."""

from __future__ import annotations

import math

import pytest

from echelon.experiments.processes import in_processes


def test_order_is_kept_and_progress_told():
    """What is found is in the order of the tasks, however many processes there are."""
    for processes in (1, 2):
        told = []
        found = in_processes(
            math.factorial,
            [5, 3, 4],
            processes=processes,
            progress=lambda *done, told=told: told.append(done),
        )
        assert found == [120, 6, 24]
        assert told == [(1, 3), (2, 3), (3, 3)]


def test_nothing_to_do():
    """Without tasks nothing is started."""
    assert in_processes(math.factorial, []) == []


@pytest.mark.parametrize("processes", [1, 2])
def test_what_goes_wrong_is_raised(processes):
    """An exception in a task is raised here."""
    with pytest.raises(ValueError, match="negative"):
        in_processes(math.factorial, [3, -1], processes=processes)
