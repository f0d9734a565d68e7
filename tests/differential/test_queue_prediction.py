"""The prediction of a queue against the run itself: where nothing is unknown, forecasts come true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import reference
from echelon.engine.compiled.multicluster import simulate as compiled
from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.system_model import tree_of_sites
from echelon.execution.time_shared import TimeShared
from echelon.model import (
    Application,
    Applications,
    Instance,
    Platform,
    SharedCluster,
    Site,
    SocialContract,
    Workload,
    Workstation,
)
from echelon.policies import broker_named, estimator_named, policy
from echelon.policies.global_queue.registry import global_queue, queue_limit

CATALOG = (
    Application("cpu", 1.0, 100.0),
    Application("mixed", 0.7, 300.0, 4.0),
    Application("net", 0.4, 200.0, 9.0),
)


def scenario(seed, n_jobs, *, mpl, local, cpu):
    """Return jobs on one cluster of unequal nodes, whose memory is short and whose links saturate."""
    generator = np.random.default_rng(seed)
    kinds = [
        Workstation(float(power), int(processors), 1000.0, float(link))
        for power, processors, link in zip(
            generator.choice([0.5, 0.8, 1.0], 8),
            generator.integers(1, 3, 8),
            generator.choice([6.0, 12.0, np.inf], 8),
            strict=True,
        )
    ]
    contract = SocialContract(mpl, memory=0.6, bandwidth=float(generator.choice([1.5, np.inf])))
    workload = Workload.from_columns(
        submit_time=np.sort(generator.integers(0, 300, n_jobs)).astype(float),
        run_time=generator.integers(1, 120, n_jobs).astype(float),
        processors=generator.integers(1, 9, n_jobs),
    )
    workload = replace(workload, applications=Applications(CATALOG, generator.integers(0, 3, n_jobs)))
    platform = Platform((Site("here", SharedCluster(tuple(kinds), contract)),))
    return Scenario(
        Instance.of(workload, platform),
        policy(local),
        system_model=tree_of_sites(
            broker_named("tat"),
            rules=MulticlusterRules(
                global_queue("fcfs"), queue_limit("unlimited"), execution=TimeShared(cpu=cpu)
            ),
        ),
        estimator=estimator_named("sdpn"),
    )


@examples(60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 25),
    st.integers(1, 4),
    st.sampled_from(["fcfs", "first-fit"]),
    st.sampled_from(["count", "use"]),
)
def test_what_is_forecast_of_the_last_job_happens(seed, n_jobs, mpl, local, cpu):
    """No owner, interference or noise, and nobody after it: it waits and runs as SDPN says."""
    asked = scenario(seed, n_jobs, mpl=mpl, local=local, cpu=cpu)
    runs = [reference.simulate(asked), compiled.simulate(asked)]
    for schedule in runs:
        (said,) = schedule.forecasts
        submit = schedule.instance.submit_time
        last = len(submit) - 1
        wait = schedule.start_time[last] - submit[last]
        run = schedule.end_time[last] - schedule.start_time[last]
        assert (said.wait[last], said.run[last]) == pytest.approx((wait, run), rel=1e-9, abs=1e-9)
    first, second = runs
    assert np.array_equal(first.start_time, second.start_time)
    assert np.array_equal(first.end_time, second.end_time)
    assert np.array_equal(first.forecasts[0].wait, second.forecasts[0].wait, equal_nan=True)
