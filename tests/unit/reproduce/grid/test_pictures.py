"""What the report on the grid study draws."""

from __future__ import annotations

import numpy as np

from echelon.reproduce import Bars
from echelon.reproduce.grid.data import METRICS
from echelon.reproduce.grid.pictures import pictures
from echelon.reproduce.grid.two_levels import TwoLevels


def test_pictures_of_all_that_was_run(as_printed):
    """Degradations, ranks, profiles, sweep, bounds and migration are there, each under a name of its own."""
    names = [one.name for one in pictures(as_printed.two, as_printed.one, {"Grid 1": {0.5: [1.0] * 9}})]
    assert len(set(names)) == len(names)
    assert {
        "degradation-grid-1-rho",
        "mean-degradation-grid-3",
        "critical-difference-grid-2",
        "profile-grid-3",
        "sweep-grid-1",
        "bounds-on-line",
        "migration-jobs-grid-1",
        "one-level-grid-2",
    } <= set(names)


def test_where_somebody_never_waits_there_are_no_bars(as_printed):
    """A best wait of 0 makes all others infinitely worse: that is not drawn, and all else is."""
    found = as_printed.two["Grid 1"]
    without = found.without.copy()
    without[METRICS.index("t_w"), :, 4] = 0.0
    drawn = pictures({"Grid 1": TwoLevels(without, found.with_)}, {}, {})
    names = {one.name for one in drawn if isinstance(one, Bars)}
    assert names == {"degradation-grid-1-rho", "degradation-grid-1-SDb"}
    assert np.isfinite(without).all()
