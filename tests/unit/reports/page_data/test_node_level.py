"""The data of a page on a run inside a cluster, from a result and from files."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest

from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.reports import RunTables
from echelon.reports.folder import read_folder
from echelon.reports.page_data.charts import chart_data
from echelon.reports.panels import nodes, power
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
    steps = run.busy()
    assert list(zip(steps.time.tolist(), steps.value.tolist(), strict=True)) == [
        (0, 6), (5, 5), (6, 4), (10, 0), (12, 4), (22, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_files_give_the_same_page(powered_cluster, tmp_path, kind):
    """The folder of a run, with or without its Parquet files, has all that the page shows."""
    run = run_tables(powered_cluster, manifest(powered_cluster))
    write_run(powered_cluster, tmp_path, run.run)
    if kind == "csv":
        for file in tmp_path.glob("*.parquet"):
            file.unlink()
    (again,) = read_folder(tmp_path)
    first, second = (json.loads(chart_data([one], ["fcfs"]).json) for one in (run, again))
    assert second["runs"][0]["gantt"].keys() == first["runs"][0]["gantt"].keys()
    assert second["runs"][0]["nodes"] == first["runs"][0]["nodes"]
    assert second["runs"][0]["power"] == first["runs"][0]["power"]
    assert first["runs"][0]["power"]["cap"] is None
    assert second["blocks"] == first["blocks"]


def test_wrong_files_are_refused(run):
    """Holdings of a core that the nodes lack are refused with one sentence."""
    with pytest.raises(InputError, match="core 7 is not one of 4"):
        RunTables(run.jobs, run.metrics, run.run, holdings=run.holdings, nodes=run.nodes.head(1))
    with pytest.raises(InputError, match="ascending times, got less in row 2"):
        RunTables(run.jobs, run.metrics, run.run, power=wrong_power())
    odd = run.nodes.with_columns(utilization=pl.lit("much"))
    with pytest.raises(InputError, match="got 'much' in row 1"):
        RunTables(run.jobs, run.metrics, run.run, holdings=run.holdings, nodes=odd)
    with pytest.raises(InputError, match=r"sleep_after: run\.json: expected int or float, got str"):
        RunTables(run.jobs, run.metrics, {"sleep_after": "long"})


def wrong_power():
    return pl.DataFrame({"time": [5.0, 4.0], "power": [1.0, 1.0], "idle_power": [0.0, 0.0]})


def test_the_panel_of_power(powered_cluster):
    """It has energy, what of it was idle, when most was drawn, the dearest job and the nodes switched off."""
    tables = run_tables(powered_cluster, {**manifest(powered_cluster), "power_cap": 200.0})
    body = power.PANEL.content([tables], ["fcfs"]).body
    told = dict(re.findall(r'data-value="([^"]*)">([^<]*)</td>', body))
    for value, text in {"2594": "2.594 kJ", "150": "150 W", "5": "5 s", "200": "200 W"}.items():
        assert told[value] == text
    assert 'data-value="Most energy of a job (J)"' in body
    assert '<td data-value="1089.16667">1.089 kJ</td>' in body
    assert 'Job with the most energy</th><td data-value="1">job 1</td>' in body
    assert '<td data-value="1">1 time</td>' in body
    assert 'data-value="Time off, all nodes together (s)"' in body
    assert power.PANEL.content([run_tables(powered_cluster, {})], ["fcfs"]).body.count("<tr>") == 12


def test_the_panel_of_nodes(powered_cluster, run):
    """It has the load of each node over time and what each ran; runs without nodes are not compared."""
    data = nodes.PANEL.content([run], ["fcfs"]).data
    assert data["runs"][0]["rows"] == ["node 0", "node 1"]
    assert data["tables"][0]["node"] == [1, 0]
    assert data["tables"][0]["type"] == ["fast", "thin"]
    assert "energy" not in data["tables"][0]
    powered = nodes.PANEL.content([run_tables(powered_cluster, {})], ["fcfs"]).data
    assert powered["tables"][0]["energy"] == [1584, 1010]
    plain = RunTables(run.jobs, run.metrics, {})
    assert nodes.PANEL.content([run, plain], ["a", "b"]).data is None
    assert nodes.PANEL.content([plain], ["b"]) is None


def test_many_nodes_share_rows(run):
    """Of 1,000 nodes five are a row of the map, and the table lists those with most core-seconds."""
    many = pl.DataFrame({"node": np.arange(1000)}).with_columns(
        cores=4,
        first_core=4 * pl.col("node"),
        processor_cores=pl.lit("4"),
        busy_core_time=pl.col("node").cast(float),
        jobs=1,
        utilization=0.5,
    )
    tables = RunTables(run.jobs, run.metrics, run.run, holdings=run.holdings, nodes=many)
    content = nodes.PANEL.content([tables], ["fcfs"])
    assert content.data["runs"][0]["rows"][:2] == ["nodes 0-4", "nodes 5-9"]
    assert content.data["tables"][0]["node"][0] == 999
    assert "each row of the map is 5 of them" in content.body
