"""What is printed of the world, and how near ours come to it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from echelon.experiments.processes import Processes
from echelon.reproduce.multicluster.evidence import SLOPE
from echelon.reproduce.multicluster.experiments import MulticlusterSettings
from echelon.reproduce.multicluster.fit import (
    SLOPES,
    TARGETS,
    Candidate,
    distance,
    fit_listing,
    search_candidates,
    search_listing,
)
from echelon.reproduce.multicluster.setups import FITTED
from echelon.reproduce.multicluster.tables import estimate_tables


def test_targets_are_the_printed_numbers(as_printed):
    """Evidence that is as printed is at no distance; one that is off by a tenth counts."""
    reached = {target: target.measure(as_printed) for target in SLOPES}
    assert [target.printed for target in TARGETS[:4]] == [0.01, 0.24, 2.3658, 1.3424]
    assert distance(reached) == pytest.approx(0, abs=1e-9)
    assert distance({**reached, SLOPES[0]: 1.1 * SLOPES[0].printed}) == pytest.approx(np.log(1.1) / 6.25)
    key = ("shared", "run", "Li")
    values = as_printed.accuracy[key].copy()
    values[:, SLOPE] = 3.0
    changed = dataclasses.replace(as_printed, accuracy={**as_printed.accuracy, key: values})
    listing = fit_listing({"ours": as_printed, "other": changed})
    row = next(row for row in listing.rows if row[1] == "slope of Li, run, shared")
    assert row[2:] == pytest.approx((1.6726, 1.6726, 3.0))
    assert listing.rows[-1][2] == 0
    assert listing.rows[-1][4] > 0.05


def test_cells_that_were_fitted_are_not_counted(as_printed):
    """What the world was fitted to is shown apart, and so is what table 3.10 prints again."""
    tables = {table.name: table for table in estimate_tables(as_printed)}
    worked_back = [
        figure
        for table in tables.values()
        for figure in table.figures
        if figure.apart is not None and figure.apart.kind == "worked back"
    ]
    assert len(worked_back) == len(TARGETS) == 12
    again = [figure for figure in tables["table 3.10"].figures if figure.apart is not None]
    assert len(again) == 4 * 3 - 2
    assert len(tables["table 3.4"].counted) == 18 - 3


@pytest.mark.slow
def test_a_search_tells_worlds_apart():
    """Owners that cost more make runs beside them longer, and what cannot matter changes nothing."""
    some = [Candidate("use", 0.4, 1.0), Candidate("use", 0.4, 2.5), Candidate("use", 0.4, 2.5, decides=False)]
    with Processes(1) as processes:
        found = search_candidates(some, seeds=1, jobs=120, processes=processes)
    cheap, dear, at_once = (found[one] for one in some)
    slope = {(target.table, target.estimator): target for target in SLOPES}
    high = slope["3.6", "Li"]
    assert dear[high] < cheap[high] < 1
    assert dear[slope["3.4", "Smith"]] > cheap[slope["3.4", "Smith"]] > 1
    assert at_once != dear
    listing = search_listing({one: values for one, values in found.items() if np.isfinite(distance(values))})
    assert [len(row) for row in listing.rows] == [len(listing.heads)] * len(listing.rows)


def test_the_world_of_the_study_is_among_those_looked_at():
    """The fitted world is one of the candidates; quick or not."""
    for quick in (False, True):
        found = MulticlusterSettings.of(quick=quick).candidates
        assert FITTED.execution in {one.world.execution for one in found}
