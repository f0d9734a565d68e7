"""The mix of jobs for the global experiment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from echelon.reproduce.irmasim.setups import Mix


def test_drawn_within_its_ranges():
    """Sizes, work, volumes and shares are where the mix says; sequential jobs fit a node."""
    demands = Mix().draw(0).demands
    mpi = ~demands.sequential
    assert 0.3 < mpi.mean() < 0.7
    assert demands.size.min() >= 1
    assert demands.size.max() <= 16
    assert demands.size[mpi].min() >= 2
    assert ((demands.operations >= 1e9) & (demands.operations <= 16e9)).all()
    assert ((demands.communication_volume[mpi] >= 1e6) & (demands.communication_volume[mpi] <= 1e8)).all()
    assert ((demands.compute_share[mpi] >= 0) & (demands.compute_share[mpi] <= 1)).all()
    assert not demands.communication_volume[~mpi].any()


def test_other_ranges_change_nothing_else():
    """With another compute share the jobs are the same but for it; another seed is another mix."""
    one, other = (replace(Mix(), compute_share=share).draw(3).demands for share in ((0.5, 1), (0.1, 0.1)))
    mpi = ~one.sequential
    assert np.array_equal(one.operations, other.operations)
    assert np.array_equal(one.communication_volume, other.communication_volume)
    assert set(other.compute_share[mpi].tolist()) == {0.1}
    assert Mix().draw(3) == Mix().draw(3)
    assert Mix().draw(3) != Mix().draw(4)
