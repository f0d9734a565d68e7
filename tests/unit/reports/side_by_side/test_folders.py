"""Several folders to one page and one table."""

from __future__ import annotations

import json

import polars as pl
import pytest

from echelon import Workload, compare, report_folders, simulate
from echelon.errors import InputError, UnknownNameError
from echelon.experiments import manifest, write_run
from echelon.experiments.folders.comparison_folder import write_comparison
from echelon.reports.page_data.charts import page_clock
from echelon.reports.side_by_side.folders import read_folders


@pytest.fixture
def folders(tmp_path):
    """Return a run, a comparison of the same two jobs, and a run of three other ones."""
    two = Workload.from_columns(name="two", submit_time=[0, 1], run_time=[10, 5], processors=[2, 1])
    three = Workload.from_columns(
        name="three", submit_time=[0, 1, 2], run_time=[9, 9, 9], processors=[1, 1, 1]
    )
    for name, jobs in (("run", two), ("other", three)):
        result = simulate(jobs, processors=2, policy="easy")
        write_run(result, tmp_path / name, manifest(result))
    found = compare(two, policies=["fcfs", "sjf"], processors=2)
    write_comparison(found, tmp_path / "both", [manifest(result) for result in found.results])
    return tmp_path


@pytest.mark.slow
def test_runs_and_comparisons_in_any_mix(folders):
    """All runs stand on one page and in one table; runs of other jobs are marked and not compared."""
    page = report_folders(folders / "both", folders / "run", folders / "other", out=folders / "out")
    table = pl.read_csv(folders / "out" / "metrics.csv")
    assert table["run"].to_list() == [
        "workload=two + fcfs",
        "workload=two + shortest-first",
        "workload=two + easy",
        "workload=three + easy",
    ]
    assert table["job_set"].to_list() == [1, 1, 1, 2]
    assert table["jobs"].to_list() == [2, 2, 2, 3]
    text = page.path.read_text(encoding="utf-8")
    assert "4 runs compared · 2 jobs and others · 2 processors" in text
    assert "Runs of other jobs have none, and no value is marked as the best. The jobs of these runs" in text
    assert 'id="summary-table" role="table" data-sets="1,1,1,2">' in text
    assert "The jobs of these runs differ; compare values only within" in text
    assert "cannot be compared job by job" in text
    assert "★</span>" not in text


@pytest.mark.slow
def test_runs_of_the_same_jobs_are_compared(folders):
    """Without other jobs there is no column of job sets, and the best values are marked."""
    page = report_folders(folders / "both", folders / "run", out=folders / "out")
    assert "job_set" not in pl.read_csv(folders / "out" / "metrics.csv").columns
    text = page.path.read_text(encoding="utf-8")
    assert "★ marks the best" in text
    assert "<title>fcfs · shortest-first · easy on two</title>" in text


@pytest.mark.parametrize(
    ("named", "out", "sentence"),
    [
        ([], "out", "at least one folder, got none"),
        (["run", "run"], "out", "run: is named twice, expected different folders"),
        (["both", "both/fcfs"], "out", "fcfs: is a part of .*both, which is named, too; leave one"),
        (["run", "none"], "out", "none: is not a folder"),
        (["run", "."], "out", "has no run.json"),
        (["run", "both"], "other", "other, --out: holds a run, whose files the page and the table would"),
        (["run", "other"], "both", "both, --out: holds a comparison"),
        (["run", "other"], "run/jobs.csv", "jobs.csv: cannot be created as a folder"),
    ],
)
def test_wrong_folders_are_one_sentence(folders, named, out, sentence):
    """What is wrong with a folder is said by its name, and what is there stays."""
    if named == ["run", "."]:
        (folders / "empty").mkdir()
        named = ["run", "empty"]
    with pytest.raises(InputError, match=sentence):
        report_folders(*(folders / name for name in named), out=folders / out)
    assert not (folders / "out").exists()
    assert not (folders / "both" / "report.html").exists()


@pytest.mark.slow
def test_a_time_zone_is_for_the_runs_that_have_dates(folders):
    """One of two logs has dates: they are in the zone, and the page says that the other one has none."""
    file = folders / "run" / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"unix_start_time": 8e8}))
    found = read_folders([folders / "run", folders / "other"], timezone="Europe/Madrid")
    assert [run.time_zone for run in found.runs] == ["Europe/Madrid", None]
    said = f"Dates are in Europe/Madrid; {found.runs[1].name}: the log has no dates, so times are in seconds."
    assert found.sentences[-1] == said
    page = report_folders(folders / "run", folders / "other", out=folders / "out", timezone="Europe/Madrid")
    text = page.path.read_text(encoding="utf-8")
    assert said in text
    assert '"name":"Europe/Madrid"' in text
    assert page_clock(found.runs)["name"] == "Europe/Madrid"
    with pytest.raises(InputError, match="it has no dates; leave the time zone out"):
        report_folders(folders / "both", folders / "other", out=folders / "none", timezone="Europe/Madrid")
    with pytest.raises(UnknownNameError, match="Europe/Madrd"):
        report_folders(folders / "run", out=folders / "none", timezone="Europe/Madrd")
    assert not (folders / "none").exists()


@pytest.mark.slow
def test_folders_of_an_earlier_version(folders):
    """Fewer columns and fewer keys are no hindrance: what is not there is not shown."""
    (folders / "run" / "jobs.parquet").unlink(missing_ok=True)
    jobs = pl.read_csv(folders / "run" / "jobs.csv")
    kept = ["job_id", "submit_time", "start_time", "end_time", "processors"]
    jobs.select(kept).write_csv(folders / "run" / "jobs.csv")
    (folders / "run" / "run.json").write_text('{"policy": "easy", "jobs_simulated": 2}')
    report_folders(folders / "both", folders / "run", out=folders / "out")
    table = pl.read_csv(folders / "out" / "metrics.csv")
    assert table["run"].to_list() == ["workload=two + fcfs", "workload=two + shortest-first", "easy"]
    jobs.select(kept[:-1]).write_csv(folders / "run" / "jobs.csv")
    with pytest.raises(InputError, match=r"run.*processors"):
        report_folders(folders / "both", folders / "run", out=folders / "out")
