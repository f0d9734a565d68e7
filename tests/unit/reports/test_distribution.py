"""The distribution of waits."""

from __future__ import annotations

import numpy as np

from echelon.reports.distribution import share_waiting_longer, wait_axis


def test_share_waiting_longer_counts_jobs():
    """A job that waits exactly as long as asked does not wait longer."""
    shares = share_waiting_longer(np.array([0.0, 10.0, 10.0, 100.0]), np.array([1.0, 10.0, 99.0, 100.0]))
    assert shares.tolist() == [0.75, 0.25, 0.25, 0.0]


def test_axis_ends_at_the_longest_wait_of_all():
    """The axis serves all runs, and is there even when nobody waits."""
    axis = wait_axis([np.array([5.0]), np.array([0.0, 5000.0])], points=3)
    np.testing.assert_allclose(axis, [1.0, 5000**0.5, 5000.0])
    assert wait_axis([np.zeros(2)])[-1] == 10.0
