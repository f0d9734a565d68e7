"""The naive simulator of the benchmarks: as exact as our engines, or its speed would compare nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from echelon.engine.compiled import simulate
from echelon.engine.contract import Scenario
from echelon.model import Instance, Workload
from echelon.policies import policy_named
from echelon.workloads import read_workload

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

pytest.importorskip("simpy", reason="SimPy is installed for benchmarks only")


@pytest.fixture
def naive(script: Callable[[str], ModuleType]) -> ModuleType:
    """Return the naive simulator."""
    return script("naive_simpy")


def starts(naive: ModuleType, policy: str, instance: Instance) -> list[float]:
    columns = (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
    rows = zip(range(len(instance)), *(column.tolist() for column in columns), strict=True)
    found = getattr(naive, policy)([naive.Job(*row) for row in rows], instance.processors)
    return [found[number] for number in range(len(instance))]


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["fcfs", "easy"])
def test_it_starts_every_job_of_a_real_log_when_the_engine_does(naive: ModuleType, policy: str):
    """On KTH-SP2 the naive simulator and the compiled engine give the same start for every job."""
    instance = Instance.of(read_workload("kth-sp2"), 100)
    ours = simulate(Scenario(instance, policy_named(policy))).start_time
    assert starts(naive, policy, instance) == ours.tolist()


@pytest.mark.parametrize("policy", ["fcfs", "easy"])
@pytest.mark.parametrize("seed", range(20))
def test_it_agrees_where_events_of_one_time_abound(naive: ModuleType, policy: str, seed: int):
    """With times drawn from a few whole numbers, so that most events coincide, starts are equal too."""
    rng = np.random.default_rng(seed)
    run_time = rng.integers(1, 6, 80)
    workload = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 60, 80)),
        run_time=run_time,
        requested_time=run_time + rng.integers(0, 3, 80),
        processors=rng.integers(1, 9, 80),
    )
    instance = Instance.of(workload, 8)
    ours = simulate(Scenario(instance, policy_named(policy))).start_time
    assert starts(naive, policy, instance) == ours.tolist()
