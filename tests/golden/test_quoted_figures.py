"""Figures that pages quote from logs that do not come with the package."""

from __future__ import annotations

import pytest

import echelon as ec


@pytest.mark.parametrize(
    ("log", "moved", "mean_wait"),
    [("kth-sp2", 0.016, 0.00004), ("SDSC-SP2-1998-4.2-cln.swf.gz", 0.060, 0.002)],
)
def test_what_the_rule_of_passes_moves(log, moved, mean_wait, data_file):
    """Under `pyss` as many starts and as much of the mean wait differ as the page on semantics says."""
    jobs = ec.read_workload(log if log == "kth-sp2" else data_file(log))
    instant, pyss = (ec.simulate(jobs, policy="easy", cycles=cycles) for cycles in ("instant", "pyss"))
    differ = (instant.jobs["start_time"] != pyss.jobs["start_time"]).mean()
    assert differ == pytest.approx(moved, abs=0.0005)
    change = abs(pyss.metrics["mean_wait"] / instant.metrics["mean_wait"] - 1)
    assert change == pytest.approx(mean_wait, rel=0.1)
