"""Runs on trees of sites of several kinds, from the simulation to the page and back from the folder."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.model.schedules.mixed import mixed_platform

import echelon as ec
from echelon.experiments import manifest, write_run
from echelon.model import Platform
from echelon.model.schedules.features import Feature, features_of
from echelon.reports import report_page
from echelon.reports.folder import read_folder
from echelon.reports.result_report import run_tables
from echelon.reports.run_traces import SHOWN, run_traces

COUNT, NODES, DESK, _ = mixed_platform().sites
TREES = {
    "counts and nodes": (COUNT, NODES),
    "nodes and a desk": (NODES, DESK),
    "all but owners": (COUNT, NODES, DESK),
    "counts and a desk": (COUNT, DESK),
}


@pytest.fixture(scope="module", params=TREES)
def result(request):
    """Return a run of 60 jobs on a tree of sites of several kinds."""
    platform = Platform(TREES[request.param], "tree")
    return ec.simulate("lublin:jobs=60,processors=4,seed=3", platform=platform, broker="mct", policy="easy")


def test_the_run_has_what_its_sites_have(result):
    """Features follow from the kinds of sites, and are the same by the schedule and by its tables."""
    found = features_of(result.schedule)
    sites = result.platform.sites
    assert (Feature.TIME_SHARING in found) == (DESK in sites)
    assert (Feature.CORES in found) == (NODES in sites)
    assert run_tables(result, manifest(result)).has == found


def test_sites_add_up_to_the_run(result):
    """All jobs are at a site; the sites' utilizations, weighted by capacity, have the run's as their mean."""
    table, speed = result.sites, np.array([site.speed for site in result.platform.sites])
    assert table["jobs"].sum() == 60
    capacity = result.platform.sizes * speed
    mean = (table["utilization"].to_numpy() * capacity).sum() / capacity.sum()
    assert mean == pytest.approx(result.metrics["utilization"])


@pytest.mark.slow
def test_the_page_is_the_same_from_the_folder(result, tmp_path):
    """What a folder tells has all panels of the run itself, and its traces end at the metrics."""
    run = run_tables(result, manifest(result))
    write_run(result, tmp_path, manifest(result))
    (again,) = read_folder(tmp_path)
    assert again.has == run.has
    pages = [report_page([one], title="x") for one in (run, again)]
    assert pages[0].count("<section") == pages[1].count("<section") > 10
    assert not any("Not on this page" in page for page in pages)
    found = run_traces(again, [again.float_column("end_time").max()])
    last = {name: found[name].value[-1] for name in SHOWN}
    assert last == pytest.approx({name: result.metrics[name] for name in SHOWN})
