"""The ten measures of the grid study, by its symbols."""

import numpy as np
import pytest

from echelon.metrics import GRID_STUDY, GRID_STUDY_MAIN, measure, metric_named
from echelon.model import Instance, Schedule, Workload

WTA_AND_WWT = {
    "Grid 1": ([100, 49, 35, 2513, 909, 35], [378, 187, 130, 9483, 3429, 132]),
    "Grid 2": ([135, 74, 457, 271, 55], [700, 384, 2378, 1411, 287]),
    "Grid 3": ([28, 112, 111, 34], [28, 112, 112, 34]),
}
"""Degradations printed for the strategies whose rounding does not hide the ratio."""


def schedule():
    """Return two jobs on 4 processors: 2 wide, waits 10 s, runs 30 s; and 4 wide, waits 40 s, runs 5 s."""
    workload = Workload.from_columns(submit_time=[0.0, 0.0], run_time=[30.0, 5.0], processors=[2, 4])
    return Schedule(Instance.of(workload, 4), np.array([10.0, 40.0]))


def test_the_ten_measures_by_hand():
    """Every symbol is the value that its printed formula gives."""
    found = measure(schedule())
    assert {symbol: found[name] for symbol, name in GRID_STUDY.items()} == pytest.approx(
        {
            "rho": 45 / 30,
            "SD": (40 / 30 + 45 / 5) / 2,
            "SD_b": (40 / 30 + 45 / 10) / 2,
            "Th": 2 / 45,
            "TA": (40 + 45) / 2,
            "U": 80 / (45 * 4),
            "t_w": 25,
            "WTA": (2 * 40 + 4 * 45) / 2,
            "WTA_w": (60 * 40 + 20 * 45) / 2,
            "WWT_s": (2 * 10 + 4 * 40) / 2,
        },
        rel=1e-12,
    )
    assert found["total_wait"] == 50


def test_directions():
    """Throughput and utilization are better when high, all others when low."""
    better = {symbol: metric_named(name).better for symbol, name in GRID_STUDY.items()}
    assert {symbol for symbol, which in better.items() if which == "high"} == {"Th", "U"}
    assert set(better.values()) == {"low", "high"}
    assert set(GRID_STUDY_MAIN) <= set(GRID_STUDY)


@pytest.mark.parametrize("grid", WTA_AND_WWT)
def test_the_weight_of_wta_is_the_size(grid):
    """The printed degradations of WTA and WWT_s stand in one ratio a grid, as the weight size makes them."""
    turnaround, wait = (np.array(row, dtype=float) for row in WTA_AND_WWT[grid])
    # Both are rounded to whole percents, so each ratio is known to lie in an interval; one value is in all.
    low = ((wait - 0.5) / (turnaround + 0.5)).max()
    high = ((wait + 0.5) / (turnaround - 0.5)).min()
    assert low <= high
