"""Whether a job fits into a cluster of shared nodes."""

from __future__ import annotations

import pytest

from echelon.engine import reference
from echelon.engine.multicluster.cluster import SlotCluster


@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy"])
def test_a_job_fits_where_it_would_get_nodes(local, busy, monkeypatch):
    """Counting nodes with room says the same as choosing among them."""
    answers, counted = [], SlotCluster.fits

    def checked(cluster, job, where=None):
        answer = counted(cluster, job, where)
        if where is None:
            chosen = cluster.places.among(job, cluster.cores, cluster.memory)
            assert job.position in cluster.reservations or answer == (chosen is not None)
            answers.append(answer)
        return answer

    monkeypatch.setattr(SlotCluster, "fits", checked)
    reference.simulate(busy(2, local=local))
    assert set(answers) == {True, False}
