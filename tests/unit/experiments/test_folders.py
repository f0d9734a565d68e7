"""Run folders and comparison folders."""

from __future__ import annotations

import json

import polars as pl
import pytest

from echelon import compare, simulate
from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.experiments.folders.comparison_folder import folder_names, write_comparison
from echelon.experiments.folders.results_folder import FURTHER_FILES
from echelon.experiments.folders.run_folder import RUN_FILES, make_folder
from echelon.metrics import TRACED


def test_a_run_leaves_the_files_listed(four_jobs, tmp_path):
    """No more and no fewer than the list says, all of them readable."""
    result = simulate(four_jobs, policy="easy")
    folder = write_run(result, tmp_path / "new" / "run", manifest(result))
    assert sorted(path.name for path in folder.iterdir()) == sorted(RUN_FILES)
    assert pl.read_parquet(folder / "jobs.parquet").equals(result.jobs)
    assert json.loads((folder / "metrics.json").read_text()) == result.metrics
    assert (folder / "jobs.csv").read_text().splitlines()[1] == (
        "1,0,0,100,100,100,3,0,100,1.0,cluster,completed,1"
    )


def test_a_second_run_replaces_the_first(four_jobs, tmp_path):
    """The files of a folder are those of the last run."""
    for policy in ("fcfs", "easy"):
        result = simulate(four_jobs, policy=policy)
        write_run(result, tmp_path, manifest(result))
    assert json.loads((tmp_path / "run.json").read_text())["policy"] == "easy"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(RUN_FILES)


def test_segments_are_written_if_there_are_any(four_jobs, tmp_path):
    """A preemptive run leaves its segments in two more files; a run after it takes them away."""
    result = simulate(four_jobs, policy="srtf:switch=1")
    write_run(result, tmp_path, manifest(result))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(RUN_FILES + FURTHER_FILES["segments"])
    assert pl.read_parquet(tmp_path / "segments.parquet").equals(result.segments)
    assert pl.read_csv(tmp_path / "segments.csv").height == len(result.schedule.segments)
    plain = simulate(four_jobs)
    assert plain.segments is None
    write_run(plain, tmp_path, manifest(plain))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(RUN_FILES)


def test_holdings_are_written_inside_a_cluster(powered_cluster, four_jobs, tmp_path):
    """A run on nodes leaves what jobs held of them, and a row a node; a run after it takes them away."""
    write_run(powered_cluster, tmp_path, manifest(powered_cluster))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        RUN_FILES + FURTHER_FILES["holdings"] + FURTHER_FILES["power"]
    )
    assert pl.read_parquet(tmp_path / "holdings.parquet").equals(powered_cluster.holdings)
    assert pl.read_csv(tmp_path / "nodes.csv").height == 2
    assert pl.read_parquet(tmp_path / "power.parquet").equals(powered_cluster.power)
    assert (tmp_path / "holdings.csv").read_text().splitlines()[1] == "1,0,0,0,0-1,2,0,0,8,10,0"
    plain = simulate(four_jobs)
    write_run(plain, tmp_path, manifest(plain))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(RUN_FILES)


def test_traces_are_written_if_asked_for(four_jobs, tmp_path):
    """Traces are one more file, which a run without them takes away."""
    result = simulate(four_jobs)
    write_run(result, tmp_path, manifest(result), traces=True)
    table = pl.read_csv(tmp_path / "traces.csv")
    assert table.columns == ["time", *TRACED]
    assert table["mean_wait"][-1] == pytest.approx(result.metrics["mean_wait"])
    write_run(result, tmp_path, manifest(result))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(RUN_FILES)


def test_a_file_in_place_of_the_folder(four_jobs, tmp_path):
    """A folder that cannot be made is told by its name."""
    (tmp_path / "taken").write_text("")
    result = simulate(four_jobs)
    with pytest.raises(InputError, match="taken: cannot be created as a folder"):
        write_run(result, tmp_path / "taken", manifest(result))


def test_a_comparison_has_a_folder_a_policy(four_jobs, tmp_path):
    """Run folders, and the metrics of all side by side in both forms."""
    found = compare(four_jobs, policies=["fcfs", "easy:sjf"])
    write_comparison(found, tmp_path, [manifest(result) for result in found.results])
    assert json.loads((tmp_path / "easy-shortest-first" / "run.json").read_text())["policy"] == (
        "easy:shortest-first"
    )
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert metrics == {result.policy: result.metrics for result in found.results}
    table = pl.read_csv(tmp_path / "metrics.csv")
    assert table["policy"].to_list() == ["fcfs", "easy:shortest-first"]
    assert table["jobs"].to_list() == [3, 3]


def test_folder_names():
    """Names are plain, never leave the folder, and never collide, even where case does not count."""
    words = ["easy", "easy:sjf", "EASY", "a/b", "a:b", "a-b", "../..", "é", "x" * 200]
    names = folder_names(words)
    assert names[:6] == ["easy", "easy-sjf", "EASY-2", "a-b", "a-b-2", "a-b-3"]
    assert names[6:8] == ["policy", "policy-2"]
    assert len(names[8]) == 80
    assert len({name.lower() for name in names}) == len(names)


def test_a_page_of_an_earlier_run_is_taken_out(tmp_path):
    """A report that shows other numbers than the files beside it does not stay."""
    (tmp_path / "report.html").write_text("of an earlier run")
    make_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []
