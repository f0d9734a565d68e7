"""The table of a study's runs: from the files of a store made by hand."""

import json
import shutil

import polars as pl
import pytest
from tests.unit.experiments.study.stores import HandMade, product

from echelon.errors import InputError
from echelon.experiments.study.results.export import export_jobs, export_runs
from echelon.experiments.study.results.run_table import failed_entries, run_table
from echelon.experiments.study.store.log import read_log


def test_a_row_a_run_with_axes_settings_and_metrics(tmp_path):
    """Axes come first, as numbers where they are, then settings, the key, seconds, and every metric."""
    made = HandMade(tmp_path)
    key = made.add({"policy": "easy", "load": 0.8}, {"jobs": 5, "mean_wait": 2.5}, settings={"first": 100})
    made.add({"policy": "fcfs", "load": 1}, {"jobs": 5, "mean_wait": 3})
    table = run_table(tmp_path)
    assert table.columns == [
        *("policy", "load", "workload", "first", "key", "seconds", "engine_seconds", "chance"),
        *("jobs", "mean_wait"),
    ]
    assert table.row(0) == ("easy", 0.8, "model", 100, key, 0.5, 0.25, None, 5, 2.5)
    assert table.row(1)[:4] == ("fcfs", 1.0, "model", None)
    assert table.schema["jobs"] == pl.Int64
    assert table.schema["mean_wait"] == pl.Float64


def test_one_case_has_one_row(tmp_path):
    """A run found again counts once, with the time of its making; one of other labels is another case."""
    made = HandMade(tmp_path)
    key = made.add({"policy": "easy"}, {"jobs": 1}, seconds=2.0)
    settings = {"workload": "model", "policy": "easy"}
    made.log({"policy": "easy"}, settings, key=key, ending="kept", seconds=0.01)
    made.log({"policy": "EASY"}, settings, key=key, ending="kept", seconds=0.01)
    table = run_table(tmp_path)
    assert table["policy"].to_list() == ["easy", "EASY"]
    assert table["seconds"].to_list() == [2.0, 0.01]


def test_a_case_that_was_run_again_is_its_last_run(tmp_path):
    """Of a case whose input changed between two runs the second counts, or the one found again last."""
    made = HandMade(tmp_path)
    before = made.add({"policy": "easy"}, {"mean_wait": 5.0})
    made.add({"policy": "fcfs"}, {"mean_wait": 9.0})
    made.add({"policy": "easy"}, {"mean_wait": 7.0, "mean_response": 7.0}, results="2")
    assert run_table(tmp_path).select("policy", "mean_wait").rows() == [("easy", 7.0), ("fcfs", 9.0)]
    made.log({"policy": "easy"}, {"workload": "model", "policy": "easy"}, key=before, ending="kept")
    assert run_table(tmp_path)["mean_wait"].to_list() == [5.0, 9.0]


def test_failures_are_those_not_run_since(tmp_path):
    """A case that failed and then ran is no failure; the last failure comes first."""
    made = HandMade(tmp_path)
    made.fail({"policy": "a"}, "too little memory")
    made.fail({"policy": "b"}, "no such policy")
    made.fail({"policy": "c"}, "no such order")
    made.add({"policy": "b"}, {"jobs": 1})
    entries = list(read_log(tmp_path / "log.jsonl"))
    assert [entry.labels["policy"] for entry in failed_entries(entries)] == ["c", "a"]
    assert run_table(tmp_path)["policy"].to_list() == ["b"]


def test_torn_lines_and_removed_runs_are_left_out(tmp_path):
    """A line cut by a kill and a run removed by hand cost a row, not the table."""
    made = HandMade(tmp_path)
    keys = [made.add({"policy": name}, {"jobs": 1}) for name in ("a", "c")]
    shutil.rmtree(tmp_path / "runs" / keys[0][:2] / keys[0])
    with (tmp_path / "log.jsonl").open("a") as log:
        log.write('{"ending": "do')
    assert run_table(tmp_path)["policy"].to_list() == ["c"]


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "Expecting property"), ("[1]", "a JSON object"), ('{"x": "1"}', "x is '1'"), (None, "No such")],
)
def test_damaged_metrics_are_an_error(tmp_path, content, said):
    """A mean of fewer runs than there were looks like any other: the file is named, and what to do."""
    made = HandMade(tmp_path)
    key = made.add({"policy": "a"}, {"jobs": 1})
    file = tmp_path / "runs" / key[:2] / key / "metrics.json"
    file.unlink() if content is None else file.write_text(content)
    with pytest.raises(InputError) as caught:
        run_table(tmp_path)
    for phrase in (str(file), said, "remove the folder of this run and run the study again"):
        assert phrase in str(caught.value)


def test_a_study_without_runs_has_an_empty_table(tmp_path):
    """Nothing was run yet: no row, and the columns that every table has."""
    HandMade(tmp_path)
    assert run_table(tmp_path).columns == ["key", "seconds", "engine_seconds", "chance"]
    assert run_table(tmp_path).is_empty()


def test_metrics_that_runs_lack_are_null(tmp_path):
    """A metric of one run alone, null or absent elsewhere, is null there."""
    made = HandMade(tmp_path)
    made.add({"policy": "a"}, {"energy": 5.5, "jobs": 1})
    made.add({"policy": "b"}, {"energy": None, "jobs": 1})
    made.add({"policy": "c"}, {"jobs": 1})
    assert run_table(tmp_path)["energy"].to_list() == [5.5, None, None]


def test_lists_and_mixed_settings_are_json(tmp_path):
    """A setting that is a list, or of several kinds, is told as JSON; names stay as they are."""
    made = HandMade(tmp_path)
    made.add({"policy": "a"}, {"jobs": 1}, settings={"metrics": ["x.py:m"], "queue_limit": 3})
    made.add({"policy": "b"}, {"jobs": 1}, settings={"queue_limit": "stable"})
    table = run_table(tmp_path)
    assert table["metrics"].to_list() == ['["x.py:m"]', None]
    assert table["queue_limit"].to_list() == ["3", "stable"]


def test_a_metric_called_like_an_axis_keeps_both(tmp_path):
    """The axis has the name, the metric a longer one."""
    made = HandMade(tmp_path)
    made.add({"load": 0.8}, {"load": 0.75})
    table = run_table(tmp_path)
    assert (table["load"][0], table["metric_load"][0]) == (0.8, 0.75)


@pytest.mark.parametrize("label", ["nan", "inf", "0x10", "easy"])
def test_words_that_are_no_plain_numbers_stay_words(tmp_path, label):
    """An axis is one of numbers only if every label is a finite one."""
    made = HandMade(tmp_path)
    made.add({"limit": label}, {"jobs": 1})
    made.add({"limit": "3"}, {"jobs": 1})
    assert run_table(tmp_path)["limit"].to_list() == [label, "3"]


def test_export_of_runs(tmp_path):
    """CSV and Parquet hold the table; another ending is refused."""
    product(tmp_path / "study")
    table = run_table(tmp_path / "study")
    assert export_runs(tmp_path / "study", tmp_path / "runs.parquet") == 24
    assert pl.read_parquet(tmp_path / "runs.parquet").equals(table)
    assert export_runs(tmp_path / "study", tmp_path / "runs.csv") == 24
    assert pl.read_csv(tmp_path / "runs.csv")["mean_wait"].to_list() == table["mean_wait"].to_list()
    with pytest.raises(InputError, match=r"must end in .csv or .parquet"):
        export_runs(tmp_path / "study", tmp_path / "runs.xlsx")


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_export_of_jobs(tmp_path, ending):
    """Every job of every run has a row with the run's axes; columns that only some runs have are null."""
    made = HandMade(tmp_path / "study")
    made.add({"policy": "easy", "processors": 4}, {"jobs": 5})
    more = pl.DataFrame({"job_id": ["x"], "processors": [3], "energy": [1.5]})
    made.add({"policy": "fcfs", "processors": 4}, {"jobs": 1}, jobs=more)
    path = tmp_path / f"jobs.{ending}"
    assert export_jobs(tmp_path / "study", path) == 6
    found = pl.read_parquet(path) if ending == "parquet" else pl.read_csv(path)
    assert found["policy"].to_list() == ["easy"] * 5 + ["fcfs"]
    assert found["job_id"].to_list() == ["1", "2", "3", "4", "5", "x"]
    assert found["job_processors"].to_list() == [1, 1, 1, 1, 1, 3]
    assert found["energy"].to_list() == [None] * 5 + [1.5]


def test_no_jobs_no_file(tmp_path):
    """A study without runs has no jobs to export, and nothing is written."""
    HandMade(tmp_path / "study")
    with pytest.raises(InputError, match="has no run yet"):
        export_jobs(tmp_path / "study", tmp_path / "jobs.parquet")
    assert not (tmp_path / "jobs.parquet").exists()


def test_log_lines_of_a_later_release_are_left_out(tmp_path):
    """A line with keys that nobody knows is left out, not an error."""
    made = HandMade(tmp_path)
    made.add({"policy": "a"}, {"jobs": 1})
    with (tmp_path / "log.jsonl").open("a") as log:
        log.write(json.dumps({"ending": "done", "color": "red"}) + "\n")
    assert len(run_table(tmp_path)) == 1
