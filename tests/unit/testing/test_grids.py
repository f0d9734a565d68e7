"""Tiny grids and crowds for several sites."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import UnknownNameError
from echelon.policies import broker_named, policy
from echelon.testing import GRID_CASES, grid_case, grid_crowd


def test_tiny_grids():
    """Every job of a tiny grid fits its largest site, is at home where the case says, and runs."""
    for tiny in GRID_CASES:
        instance = tiny.instance()
        assert instance.dropped == (), tiny.name
        assert instance.home_site.tolist() == list(tiny.homes), tiny.name
        assert tiny.sites == tuple(sorted(tiny.sites))
        assert grid_case(tiny.name) is tiny
        schedule = simulate(
            Scenario(instance, policy("easy"), system_model=tree_of_sites(broker_named("mpl")))
        )
        assert np.isfinite(schedule.start_time).all(), tiny.name


def test_largest_only():
    """Two jobs of the case have no choice, whatever the rule."""
    instance = grid_case("largest-only").instance()
    for spec in ("random", "mpl", "mct"):
        schedule = simulate(
            Scenario(instance, policy("fcfs"), system_model=tree_of_sites(broker_named(spec)))
        )
        assert schedule.site[[2, 4]].tolist() == [2, 2]


def test_an_unknown_grid():
    """A misspelled name is refused with the nearest one."""
    with pytest.raises(UnknownNameError, match="did you mean 'burst'"):
        grid_case("brust")


def test_grid_crowds():
    """Equal seeds give equal crowds, at the load that was wanted of all sites, of known and unknown home."""
    packed = grid_crowd(1, 500, sites=(8, 2, 4), load=2)
    assert packed == grid_crowd(1, 500, sites=(8, 2, 4), load=2)
    assert packed != grid_crowd(2, 500, sites=(8, 2, 4), load=2)
    assert packed.sites == (8, 2, 4)
    assert set(packed.instance().home_site.tolist()) == {-1, 0, 1, 2}
    table = packed.workload
    area = (table.run_time * table.processors).sum()
    assert area / (14 * table.submit_time.max()) == pytest.approx(2, rel=0.1)
