"""Busy runs on a small multicluster."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.system_model import tree_of_sites
from echelon.model import Application, Applications, Instance, Workload
from echelon.platforms import platform_named
from echelon.policies import broker_named, estimator_named, policy
from echelon.policies.coallocation.registry import co_allocation_named
from echelon.policies.global_queue.registry import global_queue, queue_limit
from echelon.workloads.local_users import local_users_named


def _busy(seed, *, local, estimator="sdpn", jobs=80):
    """Return jobs of all sizes on three clusters: owners move, jobs talk, some need several clusters."""
    generator = np.random.default_rng(seed)
    catalog = (Application("cpu", 1.0, 1e6), Application("net", 0.5, 4e7, 6e6))
    workload = Workload.from_columns(
        submit_time=np.sort(generator.integers(0, 10 * jobs, jobs)).astype(float),
        run_time=generator.integers(10, 200, jobs).astype(float),
        processors=generator.integers(1, 8, jobs),
    )
    workload = replace(workload, applications=Applications(catalog, generator.integers(0, 2, jobs)))
    return Scenario(
        Instance.of(workload, platform_named("cisne-555")),
        policy(local),
        system_model=tree_of_sites(
            broker_named("tat"),
            rules=MulticlusterRules(
                global_queue("nb.rs"),
                queue_limit(2),
                co_allocation=co_allocation_named("heuristic"),
                two_phase=True,
                local_users=local_users_named("xwin:share=0.5:period=50"),
            ),
        ),
        estimator=estimator_named(estimator),
    )


@pytest.fixture
def busy():
    """Return the function that makes the scenario of a busy run."""
    return _busy
