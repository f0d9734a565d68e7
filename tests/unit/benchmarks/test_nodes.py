"""The part of the benchmarks' page on nodes: what is measured, and what the page says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


@pytest.fixture
def nodes(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("nodes")


def test_jobs_of_the_large_machine_offer_their_load(nodes: ModuleType) -> None:
    """They ask for 0.8 of the cores, and none for more than is said."""
    workload, hardware = nodes.on_large(10_000, 2000, 512)
    assert hardware.cores == 10_000
    work = (workload.run_time * workload.processors).sum()
    assert work / (workload.submit_time.max() * hardware.cores) == pytest.approx(nodes.LARGE_LOAD, rel=0.01)
    assert workload.processors.max() <= 512


def test_both_contentions_have_something_to_slow_down(nodes: ModuleType) -> None:
    """Sequential and MPI jobs on 480 cores with memory curves, links, and volumes for both."""
    workload, hardware = nodes.contended()
    demands = workload.demands
    assert hardware.cores == 480
    assert 0.2 < demands.sequential.mean() < 0.3
    assert (demands.communication_volume[~demands.sequential] > 0).all()
    assert all(processor.memory_curve is not None for processor in hardware.processors)


def test_what_was_not_measured_is_said(nodes: ModuleType) -> None:
    """A cell without a figure shows its reason; a figure stands with its events and instants a second."""
    found = {
        "engine": "compiled", "jobs": 100_000, "seconds": [10.0], "peak_mb": 1500.0,
        "counts": {"events": 200_000, "passes": 190_000},
    }  # fmt: skip
    text = nodes.section(
        [
            nodes.NodeCell("large", "first-fit", found),
            nodes.NodeCell("large", "best-fit", None, "> 180 s"),
            nodes.NodeCell("grow", "1000", {"same": 1.84, "larger": 2.0, "mean_size": 15.7}),
        ]
    )
    assert "| first-fit | compiled | 100,000 | 10.0 | 20,000 | 19,000 | 1,500 |" in text
    assert "| best-fit | – | – | > 180 s |" in text
    assert "| 1,000 | 1.8 | 2.0 | 16 |" in text
    assert "480 cores" not in text
