"""What is kept of a cluster between two changes is what is there."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from echelon.engine import reference
from echelon.engine.multicluster.forecasting.snapshot import SnapshotCache


@pytest.mark.slow
@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy", "easy:wfp3"])
@pytest.mark.parametrize("estimator", ["sdpn", "hanzich"])
def test_a_kept_picture_is_a_fresh_one(local, estimator, busy, monkeypatch):
    """Each snapshot that an estimator gets in a busy run is the one that a look at all jobs gives."""
    seen, take = [], SnapshotCache.take

    def checked(snapshots, now, job, slowdown=None):
        was_kept = snapshots._state is not None
        kept = take(snapshots, now, job, slowdown)
        snapshots.forget()
        fresh = take(snapshots, now, job, slowdown)
        for field in fields(kept):
            np.testing.assert_array_equal(getattr(kept, field.name), getattr(fresh, field.name))
        seen.append(len(kept.nodes) if was_kept else 0)
        return kept

    monkeypatch.setattr(SnapshotCache, "take", checked)
    reference.simulate(busy(1, local=local, estimator=estimator, jobs=36))
    assert sum(tasks > 0 for tasks in seen) > 20
    assert max(seen) > 10
