"""Reports on time-shared machines: rows of processes, cores in use, what is read back from files."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.plotting import plot_gantt, plot_site_load, plot_sites, plot_utilization
from echelon.reports import RunTables
from echelon.reports.folder import read_folder
from echelon.reports.page_data.charts import chart_data
from echelon.reports.report import report_page
from echelon.reports.result_report import run_tables

JOBS = "sinapad:interval=3:jobs=24"


def run_of(broker: str):
    """Return a result on the four types of machines, where jobs share cores."""
    return ec.simulate(JOBS, platform="sinapad-rau", broker=broker, seed=1)


@pytest.fixture(scope="module")
def replicated():
    """Return a run in which some job had two copies."""
    result = run_of("wqr")
    assert result.replicas is not None
    return result


def tables(result) -> RunTables:
    """Return what a report shows of a result."""
    return run_tables(result, manifest(result))


def test_every_process_has_a_row_of_its_own():
    """No two processes overlap in a row, and all machines have as many rows a core as the fullest needs."""
    result = run_of("cpu-load")
    run = tables(result)
    rows = run.rows_per_core
    assert rows == result.metrics["max_processes_per_core"] > 1
    assert run.chart_platform().sizes.tolist() == [rows] * 8
    assert run.chart_platform(rows + 2).processors == 8 * (rows + 2)
    page = json.loads(chart_data([run], ["x"]).json)["runs"][0]
    assert (page["processors"], page["capacity"]) == (8 * rows, 8)
    assert page["sites"]["cores"] == [1] * 8
    assert run.busy().value.max() <= 8


def test_runs_are_drawn_equally_high():
    """Of several runs the fullest says how many rows a core has."""
    runs = [tables(run_of(broker)) for broker in ("cpu-load", "wall-time")]
    drawn = json.loads(chart_data(runs, ["a", "b"]).json)["runs"]
    assert drawn[0]["processors"] == drawn[1]["processors"] == 8 * max(run.rows_per_core for run in runs)


def test_copies_are_drawn_where_they_ran(replicated):
    """The Gantt has a piece a copy, the page their sites' table; copies do not make more processors busy."""
    run = tables(replicated)
    drawn = chart_data([run], ["x"])
    assert not drawn.thinned
    assert set(json.loads(drawn.json)["runs"][0]["gantt"]) == {
        "count",
        "first",
        "height",
        "job",
        "start",
        "run",
    }
    assert len(run.at_sites[0]) == len(replicated.replicas)
    page = report_page([run], title="copies")
    for said in ("Processes of the machines over time", "Work wasted by replicas", "loads averaged"):
        assert said in page


def test_what_is_read_back_is_what_was_run(replicated, tmp_path):
    """A folder's tables give the same rows, work and busy cores."""
    write_run(replicated, tmp_path, manifest(replicated))
    (again,) = read_folder(tmp_path)
    run = tables(replicated)
    assert again.sites.platform.is_immediate
    assert np.array_equal(again.work, run.work)
    assert again.capacity == run.capacity == 3.75
    assert np.array_equal(again.busy(weighted=True).value, run.busy(weighted=True).value)
    assert again.chart_platform() == run.chart_platform()


@pytest.mark.parametrize(
    ("column", "value"), [("site", "nowhere"), ("row", 99), ("row", -1), ("end_time", -5.0), ("row", 0.5)]
)
def test_wrong_copies_are_refused(replicated, column, value):
    """A copy of no job, at no site or that ends before it starts is told."""
    result = replicated
    wrong = result.replicas.with_columns(pl.lit(value).alias(column))
    with pytest.raises(InputError):
        RunTables(result.jobs, result.metrics, manifest(result), replicas=wrong)
    with pytest.raises(InputError, match="missing: row"):
        RunTables(result.jobs, result.metrics, manifest(result), replicas=wrong.drop("row"))


@pytest.mark.slow
def test_figures_of_shared_machines(replicated):
    """Processors in use are at most those there are, rows are of processes, work is counted by parts."""
    busy = plot_utilization(replicated).collections[0].get_paths()[0].vertices
    assert busy[:, 1].max() <= 100
    rows = tables(replicated).chart_platform().processors
    assert plot_gantt(replicated).get_ylim() == (0, rows)
    assert plot_site_load(replicated).images[0].get_array().max() <= 100 + 1e-9
    assert plot_sites({"wqr": replicated}, quantity="utilization") is not None
