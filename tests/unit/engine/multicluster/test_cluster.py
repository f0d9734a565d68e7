"""Whether a job fits into a cluster of shared nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.multicluster import rules
from echelon.engine.multicluster.cluster import SlotCluster
from echelon.model import Application, Applications, Instance, Workload
from echelon.platforms import platform_named
from echelon.policies import broker_named, estimator_named, policy
from echelon.policies.coallocation.named import co_allocation_named
from echelon.policies.upper_queue.named import queue_limit, upper_queue
from echelon.workloads.local_users import local_users_named


def scenario(seed, *, local, estimator="sdpn", owners="xwin:share=0.5:period=50", two_phase=True):
    """Return jobs of all sizes on three clusters: owners move, jobs talk, some need several clusters."""
    generator, n_jobs = np.random.default_rng(seed), 80
    catalog = (Application("cpu", 1.0, 1e6), Application("net", 0.5, 4e7, 6e6))
    workload = Workload.from_columns(
        submit_time=np.sort(generator.integers(0, 800, n_jobs)).astype(float),
        run_time=generator.integers(10, 200, n_jobs).astype(float),
        processors=generator.integers(1, 8, n_jobs),
    )
    workload = replace(workload, applications=Applications(catalog, generator.integers(0, 2, n_jobs)))
    return Scenario(
        Instance.of(workload, platform_named("cisne-555")),
        policy(local),
        broker=broker_named("tat"),
        estimator=estimator_named(estimator),
        multicluster=rules.MulticlusterRules(
            upper_queue("nb.rs"),
            queue_limit(2),
            co_allocation=co_allocation_named("heuristic"),
            two_phase=two_phase,
            local_users=local_users_named(owners),
        ),
    )


@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy"])
def test_a_job_fits_where_it_would_get_nodes(local, monkeypatch):
    """Counting nodes with room says the same as choosing among them."""
    answers, counted = [], SlotCluster.fits

    def checked(cluster, job, where=None):
        answer = counted(cluster, job, where)
        if where is None:
            chosen = cluster.places.among(job, cluster.cores, cluster.memory)
            assert job.position in cluster.promises or answer == (chosen is not None)
            answers.append(answer)
        return answer

    monkeypatch.setattr(SlotCluster, "fits", checked)
    reference.simulate(scenario(2, local=local))
    assert set(answers) == {True, False}
