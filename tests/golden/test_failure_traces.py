"""The public failure traces of LANL: what `echelon info` says of them is what the literature prints.

Javadi, Kondo, Iosup and Epema, JPDC 2013, print of LANL05 in the Failure Trace Archive up times of 1779.99 h,
Weibull .48 / 816.60 h, and repair times of 5.92 h, Weibull .58 / 2.18 h, lognormal .05 / 1.42. Digits beyond
those were computed by an independent script. The files are found through ECHELON_DATA; without them these
tests skip.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from echelon.availability.fits import failure_summary
from echelon.availability.traces import read_failure_trace

HOUR = 3600.0
FTA = "FTA-event_trace.tab.xz"
LANL = "LA-UR-05-7318-failure-data-1996-2005.csv.xz"


def summary(name):
    """Return what a file says, found in a folder of ECHELON_DATA or in its folder ``failures``."""
    for folder in filter(None, os.environ.get("ECHELON_DATA", "").split(os.pathsep)):
        for place in (Path(folder), Path(folder) / "failures"):
            if (place / name).is_file():
                return failure_summary(read_failure_trace(place / name))
    pytest.skip(f"{name} is in no folder of ECHELON_DATA")


@pytest.fixture(scope="module")
def fta():
    return summary(FTA)


@pytest.fixture(scope="module")
def lanl():
    return summary(LANL)


def law(sample, name):
    return sample.fit(name).law


def test_the_failure_trace_archive(fta):
    """3,577 nodes; times up and down, Weibull and lognormal laws, to the printed digits."""
    assert fta.nodes == 3577
    assert round(fta.up.mean / HOUR, 3) == 1779.990
    up, down = law(fta.up, "weibull"), law(fta.down, "weibull")
    assert (round(up.shape, 4), round(up.scale / HOUR, 3)) == (0.4822, 816.603)
    assert round(fta.down.mean / HOUR, 3) == 5.885
    assert (round(down.shape, 4), round(down.scale / HOUR, 4)) == (0.5767, 2.1799)
    repair = law(fta.down, "lognormal")
    assert (round(repair.mu, 4), round(repair.sigma, 4)) == (0.0483, 1.4159)
    # The paper's mean of repairs leaves those of no length out.
    assert round(fta.down.mean_positive / HOUR, 2) == 5.92


def test_no_outage_of_a_node_overlaps_in_the_archive(fta):
    """Keyed by node_id, not by name, no two intervals of a node overlap."""
    assert "overlapping" not in {one.kind for one in fta.trace.anomalies}


def test_the_file_of_the_laboratory(lanl):
    """20,131 positive gaps of nodes with mean 1,763.3 h, and repairs, with their laws."""
    assert (lanl.failures, lanl.nodes) == (23739, 3577)
    assert lanl.between.n - lanl.between.zeros == 20131
    assert round(lanl.between.mean_positive / HOUR, 1) == 1763.3
    between, repair = law(lanl.between, "weibull"), law(lanl.down, "weibull")
    assert (round(between.shape, 3), round(between.scale / HOUR, 1)) == (0.489, 819.4)
    assert round(lanl.down.mean_positive / HOUR, 3) == 5.920
    assert (round(repair.shape, 3), round(repair.scale / HOUR, 3)) == (0.578, 2.193)
    lognormal = law(lanl.down, "lognormal")
    assert (round(lognormal.mu, 4), round(lognormal.sigma, 4)) == (0.0593, 1.4024)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("20", (2478, 13.17, 0.647, 9.55)),
        ("18", (3997, 7.33, 0.817, 6.63)),
        ("2", (7104, 10.65, 0.738, 11.47)),
    ],
)
def test_single_systems(lanl, system, expected):
    """Failures and times between them of three systems as a whole."""
    one = {each.name: each for each in lanl.systems}[system]
    fitted = law(one.between, "weibull")
    mtbf, scale = round(one.between.mean / HOUR, 2), round(fitted.scale / HOUR, 2)
    assert (one.failures, mtbf, round(fitted.shape, 3), scale) == expected


def test_repairs_of_system_20_and_zero_gaps_of_system_2(lanl):
    """Mean 210.0 and median 75 minutes; one incident on many nodes makes 1,707 gaps of 0 on system 2."""
    systems = {each.name: each for each in lanl.systems}
    assert (round(systems["20"].down.mean / 60, 1), systems["20"].down.median / 60) == (210.0, 75.0)
    assert systems["2"].between.zeros == 1707
