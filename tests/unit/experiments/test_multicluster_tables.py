"""What a run on a multicluster leaves: tables, columns, files."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from echelon.experiments import manifest, write_run
from echelon.experiments.folders.results_folder import FURTHER_FILES
from echelon.experiments.folders.run_folder import run_files
from echelon.experiments.tables.columns import (
    ACCURACY_COLUMNS,
    COLUMNS,
    FORECAST_COLUMNS,
    PLACE_COLUMNS,
    SHARED_NODE_COLUMNS,
    SITE_COLUMNS,
)


def names(columns):
    """Return the names of listed columns."""
    return [column.name for column in columns]


def on_a_multicluster(columns):
    """Return those of listed columns that such a run has."""
    return [column for column in columns if not column.only or "multicluster" in column.only]


def test_tables_are_those_listed(shared_result):
    """The tables and the lists of their columns agree."""
    assert shared_result.jobs.columns == names(on_a_multicluster(COLUMNS))
    assert shared_result.sites.columns == names(on_a_multicluster(SITE_COLUMNS))
    assert shared_result.nodes.columns == names(SHARED_NODE_COLUMNS)
    assert shared_result.places.columns == names(on_a_multicluster(PLACE_COLUMNS))
    assert shared_result.forecasts.columns == names(FORECAST_COLUMNS)
    assert shared_result.accuracy.columns == names(ACCURACY_COLUMNS)


def test_jobs_tell_where_they_were_and_what_was_said(shared_result):
    """A job counts at the cluster with most of its tasks; one that nobody was asked about has no forecast."""
    jobs = shared_result.jobs
    assert jobs["site"].to_list() == ["small", "small", "large", "large"]
    assert jobs["nodes"].to_list()[2] == "small: 1; large: 0-2"
    assert jobs["sites"].to_list() == [1, 1, 2, 1]
    assert jobs["run_time"].to_list() == [10, 10, 10, 12]
    assert jobs["dedicated_time"].to_list() == [10, 10, 4, 12]
    assert jobs["delivered_time"].to_list() == [0, 1, 20, 8]
    assert jobs["forecast_wait"].to_list() == [0, 0, None, 4]
    assert jobs["forecast_run"].to_list() == [10, 5, None, 12]


def test_places_and_forecasts_have_a_row_each(shared_result):
    """A job in two clusters has two places; forecasts that were not given have no row."""
    places = shared_result.places
    assert places.filter(pl.col("row") == 2)["nodes"].to_list() == ["1", "0-2"]
    assert places["tasks"].sum() == 8
    forecasts = shared_result.forecasts
    assert forecasts["estimator"].to_list() == ["sdpn"] * 3 + ["smith"] * 3
    assert forecasts["row"].to_list() == [0, 1, 3] * 2
    assert forecasts["real_wait"].to_list() == [0, 1, 0] * 2


def test_accuracy_by_hand(shared_result):
    """Every estimator has its deviations, and what a forecast cost it on average."""
    table = shared_result.accuracy
    assert table["quantity"].to_list() == ["wait", "run", "turnaround"] * 2
    assert table["deviation"].to_list()[:3] == pytest.approx([5, 5 / 32, 10 / 33])
    assert table["seconds"].to_list() == pytest.approx([0.002] * 3 + [0.1] * 3)
    smith = table.row(4, named=True)
    assert smith["slope"] == pytest.approx(2)
    assert smith["corrected_deviation"] == pytest.approx(0)


def test_a_job_never_handed_to_a_cluster(shared_run, result_of):
    """One that started from the upper queue was delivered never; its time in it ends with its start."""
    delivered = shared_run.delivered.copy()
    delivered[2] = float("nan")
    result = result_of(replace(shared_run, delivered=delivered))
    assert result.jobs["delivered_time"].to_list() == [0, 1, None, 8]
    assert result.metrics["mean_upper_wait"] == pytest.approx(18 / 4)


def test_files_of_a_run(shared_result, result_of, tmp_path):
    """The folder holds the tables; those of an earlier run with more to tell are gone."""
    write_run(shared_result, tmp_path, manifest(shared_result))
    written = {path.name for path in tmp_path.iterdir()}
    assert written == set(run_files(shared_result))
    assert written.issuperset({*FURTHER_FILES["places"], *FURTHER_FILES["forecasts"], "sites.csv"})
    assert pl.read_parquet(tmp_path / "places.parquet").equals(shared_result.places)
    silent = result_of(replace(shared_result.schedule, forecasts=()))
    assert silent.accuracy is None
    write_run(silent, tmp_path, manifest(silent))
    assert {path.name for path in tmp_path.iterdir()} == written.difference(FURTHER_FILES["forecasts"])
