"""What is measured: each program takes a workload and returns what it did, timed by `measure`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.model import Instance

POLICIES = ("fcfs", "easy", "conservative")
SIMULATORS = ("compiled", "reference", "naive")
NAIVE_POLICIES = ("fcfs", "easy")
BOTH, REFERENCE = ("compiled", "reference"), ("reference",)
MORE_POLICIES = {
    "easy:wfp3": BOTH,
    "easy:unicef": BOTH,
    "easy:multifactor": BOTH,
    "selective": BOTH,
    "slack": REFERENCE,
    "relaxed": REFERENCE,
    "easy + average": REFERENCE,
    "srtf": REFERENCE,
    "preemptive-priority:order=shortest-first:aging=0.1": REFERENCE,
    "round-robin:quantum=3600": REFERENCE,
}
"""Measured on `MORE_TRACES` alone, and by which engines; ``+`` parts a policy and an estimator."""

MORE_TRACES = ("kth-sp2", "sdsc-sp2")


def simulator(name: str, policy: str, instance: Instance) -> Callable[[], tuple[Any, Mapping[str, int]]]:
    """Return a call that simulates `instance` and returns (start times in its order, counted work).

    What a call needs in addition to the instance is prepared here, outside the time measured: an engine's
    kernels are loaded, the naive simulator's jobs are made from the columns.
    """
    if name == "naive":
        return _naive(policy, instance)
    from echelon.engine.contract import Scenario
    from echelon.policies import policy_named
    from echelon.policies.estimators import estimator

    spec, _, predicted = policy.partition(" + ")

    def scenario(jobs: Instance) -> Scenario:
        return Scenario(jobs, policy_named(spec), estimator=estimator(predicted or "request"))

    if name == "compiled":
        from echelon.engine.compiled import simulate

        simulate(scenario(_three_jobs()))
    else:
        from echelon.engine.reference import simulate

    def run() -> tuple[Any, Mapping[str, int]]:
        schedule = simulate(scenario(instance))
        return schedule.start_time, schedule.counts

    return run


def _naive(policy: str, instance: Instance) -> Callable[[], tuple[Any, Mapping[str, int]]]:
    import naive_simpy
    import numpy as np

    columns = (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
    rows = zip(range(len(instance)), *(column.tolist() for column in columns), strict=True)
    jobs = [naive_simpy.Job(*row) for row in rows]
    program = {"fcfs": naive_simpy.fcfs, "easy": naive_simpy.easy}[policy]

    def run() -> tuple[Any, Mapping[str, int]]:
        starts = program(jobs, instance.processors)
        return np.array([starts[number] for number in range(len(jobs))]), {}

    return run


def _three_jobs() -> Instance:
    from echelon.model import Instance, Workload

    workload = Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[100, 100, 50], requested_time=[100, 100, 50], processors=[3, 4, 1]
    )
    return Instance.of(workload, 4)


def fingerprint(starts: Any) -> str:
    """Return what equal start times, and only they, have in common."""
    import numpy as np

    return hashlib.sha256(np.ascontiguousarray(starts, dtype=np.float64).tobytes()).hexdigest()
