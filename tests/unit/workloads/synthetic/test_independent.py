"""Poisson and lognormal models: their moments are those their parameters say."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.workloads import generate


def test_poisson_gaps_are_exponential():
    """Mean and standard deviation are the mean gap, and so is the memory: none."""
    gaps = np.diff(generate("poisson", 200_000, seed=1, mean_gap=500).submit_time)
    assert gaps.mean() == pytest.approx(500, rel=0.01)
    assert gaps.std() == pytest.approx(500, rel=0.01)
    assert np.corrcoef(gaps[1:], gaps[:-1])[0, 1] == pytest.approx(0, abs=0.01)


def test_lognormal_gaps_have_their_mean_and_spread():
    """The mean is the mean gap, and ln(gap) spreads as said; gaps so long that seconds do not matter."""
    gaps = np.diff(generate("lognormal", 200_000, seed=1, mean_gap=1e5, gap_spread=1).submit_time)
    assert gaps.mean() == pytest.approx(1e5, rel=0.02)
    assert np.log(gaps).std() == pytest.approx(1, rel=0.01)


def test_run_times_have_their_median_and_spread():
    """Both hold where the cut is far."""
    runs = generate("poisson", 200_000, seed=1, median_run=5000, run_spread=1.2, longest_run=1e9).run_time
    assert np.median(runs) == pytest.approx(5000, rel=0.02)
    assert np.log(runs).std() == pytest.approx(1.2, rel=0.01)


def test_no_spread_makes_all_run_times_equal():
    """With a spread of 0 every job runs the median."""
    runs = generate("poisson", 100, median_run=60, run_spread=0).run_time
    assert set(runs.tolist()) <= {59.0, 60.0}


def test_run_times_end_at_the_cut():
    """Longer ones are redrawn, even where half of all are."""
    runs = generate("poisson", 10_000, median_run=100, longest_run=100).run_time
    assert runs.max() <= 100
    assert runs.min() >= 1
