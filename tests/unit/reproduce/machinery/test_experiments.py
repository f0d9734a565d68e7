"""Setups that are run with several seeds."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.experiments.processes import Processes
from echelon.reproduce.machinery.experiments import measure_by_seed

CALLS = []


def measure(setup: str, seed: int) -> list[float]:
    """Note the call, and return two numbers."""
    CALLS.append((setup, seed))
    return [float(len(setup)), float(seed)]


@pytest.mark.parametrize("tasks", [None, 1, 2, 7])
def test_setups_that_are_alike_are_run_once(tasks):
    """Every case has a row a seed, however seeds are split, and a setup of two cases is run once."""
    CALLS.clear()
    with Processes(1) as processes:
        found = measure_by_seed(
            {"one": "a", "two": "bb", "same": "a"}, 3, measure, processes, tasks_a_setup=tasks
        )
    assert sorted(CALLS) == [(setup, seed) for setup in ("a", "bb") for seed in range(3)]
    assert found["same"] is found["one"]
    np.testing.assert_array_equal(found["two"], [[2, 0], [2, 1], [2, 2]])
