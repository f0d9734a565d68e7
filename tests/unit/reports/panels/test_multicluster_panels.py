"""The panels of multiclusters: clusters and owners, forecasts, nodes; elsewhere they are not there."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest

from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.model.schedules.features import there
from echelon.reports import report_page
from echelon.reports.facts import assumptions
from echelon.reports.folder import read_folder
from echelon.reports.panels import clusters, forecasts, migration, nodes, site_load, sites
from echelon.reports.result_report import run_tables
from echelon.reports.run_names import run_names

REJECTED = {"dropped": [{"reason": "a stay beyond 60 s", "count": 2, "first": "7"}]}


@pytest.fixture
def run(shared_result):
    """Return the tables of the run in tests/conftest.py."""
    return run_tables(shared_result, manifest(shared_result) | REJECTED)


def cells(html):
    """Return the rows of the tables in some HTML, as texts."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


def test_clusters_and_their_owners(run):
    """Every cluster has a row, the busiest first, and what was rejected is listed with its reason."""
    body = clusters.PANEL.content([run], ["run"]).body
    assert cells(body)[1:] == [
        ["large", "3", "4", "1", "46.7 %", "1", "11.1 %", "10 s", "1.00 ×"],
        ["small", "2", "4", "1", "53.3 %", "1.25", "50.0 %", "30 s", "1.50 ×"],
    ]
    assert "2 with a stay beyond 60 s (first: job 7)" in body


def test_accuracy_is_a_table(run):
    """An estimator is named once; deviations are percent, costs milliseconds."""
    content = forecasts.PANEL.content([run], ["run"])
    rows = cells(content.body)[1:]
    assert rows[1] == ["", "run", "3", "15.6 %", "0.855", "0.949", "24.7 %", "2 ms"]
    assert [row[0] for row in rows] == ["sdpn", "", "", "smith", "", ""]
    drawn = content.data[0]["estimators"]
    assert [each["name"] for each in drawn] == ["sdpn", "smith"]
    assert drawn[1]["slope"] == {"wait": 1, "run": 2}


def test_deviations_of_rounding_are_none(run):
    """What forecasts miss by the rounding of floating point is written as 0, not as a power of ten."""
    actual = there(run.forecasts)["real_run"]
    exact = there(run.forecasts).with_columns(run=actual * (1 + 4e-16))
    rows = cells(forecasts.PANEL.content([replace(run, forecasts=exact)], ["run"]).body)
    assert {row[3] for row in rows if row[1] == "run"} == {"0.00 %"}


def test_many_forecasts_are_thinned(run, monkeypatch):
    """Of more forecasts than a chart draws, every so many are there, and the page says so."""
    monkeypatch.setattr(forecasts, "MOST_POINTS", 2)
    content = forecasts.PANEL.content([run], ["run"])
    assert content.data[0]["estimators"][0]["blocks"][0]["n"] == 2
    assert "at most 2 forecasts" in content.body


def test_nodes_have_slots_and_owners(run):
    """The table of nodes has what shared nodes have; the map's rows are nodes of clusters."""
    data = nodes.PANEL.content([run], ["run"]).data
    table = data["tables"][0]
    assert table["name"][0] == "large node 2"
    assert table["slots"] == [2] * 5
    assert table["owner_slowdown"].count(None) == 3
    assert data["runs"][0]["rows"][0] == "small node 0"


def test_sites_are_there_and_homes_are_not(run):
    """Work counts where tasks ran; a page on where jobs came from would say nothing."""
    found = sites.PANEL.content([run], ["run"]).data[0]
    assert dict(zip(found["name"], found["area"], strict=True)) == {"small": 40, "large": 42}
    assert site_load.PANEL.content([run], ["run"]) is not None
    assert migration.PANEL.content([run], ["run"]) is None


def test_runs_elsewhere_have_no_such_panels(make_run):
    """A run on one machine has neither clusters nor forecasts."""
    plain = make_run()
    assert clusters.PANEL.content([plain], ["plain"]) is None
    assert forecasts.PANEL.content([plain], ["plain"]) is None


@pytest.mark.slow
def test_the_page_is_made_of_a_folder(shared_result, tmp_path):
    """What is read back from files gives the same page as the result itself."""
    told = manifest(shared_result) | REJECTED
    write_run(shared_result, tmp_path, told)
    page = report_page(read_folder(tmp_path), title="two")
    assert page == report_page([run_tables(shared_result, told)], title="two")
    assert "2 clusters · 5 shared nodes · 10 task slots" in page
    assert "two: 2 clusters with 5 shared nodes for 10 parallel tasks at once" in page
    for file in tmp_path.glob("*.parquet"):
        file.unlink()
    assert "10 task slots" in report_page(read_folder(tmp_path), title="two")


def test_one_cluster_is_a_multicluster(run):
    """Where all nodes are of one site, the page has nodes and forecasts, and no sites."""
    alone = run.places.filter(pl.col("row") != 2).with_columns(row=pl.Series([0, 1, 2]))
    small = replace(
        run,
        jobs=run.jobs.filter(pl.col("sites") == 1).head(2).with_columns(site=pl.lit("small")),
        nodes=run.nodes.filter(pl.col("site") == "small"),
        places=alone.head(2),
        forecasts=run.forecasts.filter(pl.col("row") < 2),
        run={"policy": "fcfs"},
    )
    page = report_page([small], title="one")
    assert "1 cluster · 2 shared nodes · 4 task slots" in page
    assert sites.PANEL.content([small], ["one"]) is None


def test_wrong_forecasts_are_refused(run):
    """A table of forecasts that people edited is told in one sentence."""
    with pytest.raises(InputError, match="missing: seconds"):
        replace(run, forecasts=run.forecasts.drop("seconds"))
    with pytest.raises(InputError, match="expected a finite number of at least 0, got -1"):
        replace(run, forecasts=run.forecasts.with_columns(wait=pl.lit(-1.0)))


def test_global_queues_tell_runs_apart(run):
    """Where broker and policy are the same, runs are called by all but the policy."""
    other = replace(run, run={**run.run, "label": "nb limit=1 + tat + fcfs"})
    assert run_names([run, other]) == ["nb.rs limit=3 + tat", "nb limit=1 + tat"]
    assert run_names([run]) == ["nb.rs limit=3 + tat + fcfs"]


def test_what_was_assumed_is_told(run):
    """Upper queue, co-allocation, owners and the past are among what was assumed."""
    told = {
        **run.run,
        **{"co_allocate": "optimal", "two_phase": True, "longest_stay": 60, "history": "past.db"},
        **{"past_experiences": 1200, "local_users": "xwin:share=0.3", "execution": "time-shared:noise=0.1"},
    }
    page = assumptions([replace(run, run=told)], ["one"])
    assert "<dd>nb.rs, queues of clusters of at most 3 jobs; jobs are rejected after 60 s</dd>" in page
    assert "<dd>optimal, also of jobs that wait in clusters (two phases)</dd>" in page
    assert "<dd>1,200 jobs of past.db</dd>" in page
    assert "<dd>shared with other tasks and the owners of the nodes (time-shared:noise=0.1)</dd>" in page
    assert "<dd>xwin:share=0.3</dd>" in page
