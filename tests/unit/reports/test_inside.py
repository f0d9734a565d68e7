"""The data of a page on a run inside a cluster, from a result and from files."""

from __future__ import annotations

import json

import pytest

from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.reports import RunTables
from echelon.reports.charts import _busy, chart_data
from echelon.reports.folder import read_folder
from echelon.reports.result_report import run_tables


@pytest.fixture
def run(small_cluster):
    """Return the tables of the run."""
    return run_tables(small_cluster, manifest(small_cluster))


def test_the_page_has_a_piece_for_all_that_has_the_same_times(run):
    """Six holdings of three jobs at six times are six pieces, with what wakes up and what is blocked."""
    page = json.loads(chart_data([run], ["fcfs"]).json)
    told, blocks = page["runs"][0], page["blocks"]
    assert {name: blocks[number]["n"] for name, number in told["gantt"].items()} == dict.fromkeys(
        ("count", "first", "height", "job", "start", "run", "waking", "blocked"), 6
    )
    assert blocks[told["nodes"]["cores"]]["n"] == 2
    assert told["nodes"]["types"] == ["fast", "thin"]
    assert {"speed_factor", "communication_volume"} <= told["columns"].keys()


def test_busy_cores_are_those_held(run):
    """A core counts until it is given back, not until its job ends."""
    steps = _busy(run)
    assert list(zip(steps.time.tolist(), steps.value.tolist(), strict=True)) == [
        (0, 6), (5, 5), (6, 4), (10, 0), (12, 4), (22, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_files_give_the_same_page(small_cluster, run, tmp_path, kind):
    """The folder of a run, with or without its Parquet files, has all that the page shows."""
    write_run(small_cluster, tmp_path, run.run)
    if kind == "csv":
        for file in tmp_path.glob("*.parquet"):
            file.unlink()
    (again,) = read_folder(tmp_path)
    first, second = (json.loads(chart_data([one], ["fcfs"]).json) for one in (run, again))
    assert second["runs"][0]["gantt"].keys() == first["runs"][0]["gantt"].keys()
    assert second["runs"][0]["nodes"] == first["runs"][0]["nodes"]
    assert second["blocks"] == first["blocks"]


def test_wrong_files_are_refused(run):
    """Holdings of a core that the nodes lack are refused with one sentence."""
    with pytest.raises(InputError, match="core 7 is not one of 4"):
        RunTables(run.jobs, run.metrics, run.run, holdings=run.holdings, nodes=run.nodes.head(1))
