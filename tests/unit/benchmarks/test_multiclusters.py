"""The benchmark of multiclusters: what is measured is what the page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


@pytest.fixture
def multiclusters(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("multiclusters")


def test_snapshots_are_of_full_clusters(multiclusters: ModuleType) -> None:
    """Nearly every place is taken, so many jobs wait, and one more is asked about."""
    for kind in multiclusters.KINDS.values():
        for picture in multiclusters.snapshots(5, **kind):
            assert len(picture.nodes) > 0.95 * multiclusters.NODES * multiclusters.MPL
            assert len(picture.size) - picture.running == 6


def test_a_run_asks_every_cluster_about_every_job(multiclusters: ModuleType) -> None:
    """TAT compares forecasts of all clusters, each made once."""
    found = multiclusters.ran(2, jobs=30)
    assert (found.clusters, found.jobs) == (2, 30)
    assert found.forecasts == 60
    assert found.seconds > 0


def test_the_jobs_offer_their_load(multiclusters: ModuleType) -> None:
    """Their work is that of all nodes while they are submitted."""
    instance = multiclusters.scenario(5, "sdpn").instance
    work = (instance.run_time * instance.size).sum()
    capacity = (instance.submit_time.max() - instance.submit_time.min()) * 5 * multiclusters.NODES
    assert work / capacity == pytest.approx(multiclusters.LOAD, rel=0.05)
