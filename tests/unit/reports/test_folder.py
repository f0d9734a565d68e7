"""read_folder: from files back to tables."""

from __future__ import annotations

import json

import polars as pl
import pytest

from echelon import Workload, compare, simulate
from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.experiments.folders.comparison_folder import write_comparison
from echelon.reports.folder import read_folder


@pytest.fixture
def two_jobs() -> Workload:
    """Return two jobs that do not fit together."""
    return Workload.from_columns(name="two", submit_time=[0, 1], run_time=[10, 5], processors=[2, 1])


def test_a_run(two_jobs, tmp_path):
    """A run folder gives the run it was written from, from Parquet or else from CSV."""
    result = simulate(two_jobs, processors=2)
    write_run(result, tmp_path, manifest(result))
    for _ in range(2):
        (run,) = read_folder(tmp_path)
        assert run.jobs["start_time"].to_list() == [0, 10]
        assert (run.metrics, run.run) == (result.metrics, manifest(result) | run.run)
        (tmp_path / "jobs.parquet").unlink(missing_ok=True)


def test_a_comparison(two_jobs, tmp_path):
    """Its runs come in the order asked for; folders of an earlier comparison are left out."""
    for policies in (["easy"], ["sjf", "fcfs"]):
        found = compare(two_jobs, policies=policies, processors=2)
        write_comparison(found, tmp_path, [manifest(result) for result in found.results])
    assert [run.policy for run in read_folder(tmp_path)] == ["shortest-first", "fcfs"]


def test_waits_of_an_earlier_version_are_all_time_in_the_queue(tmp_path):
    """Waits up to the first start, of 17 s by four jobs, become 26 s in the metrics; ready times go."""
    four = Workload.from_columns(submit_time=[0, 1, 2, 3], run_time=[8, 4, 9, 5], processors=[1, 1, 1, 1])
    result = simulate(four, processors=1, policy="srtf")
    write_run(result, tmp_path, manifest(result))
    metrics = {name: value for name, value in result.metrics.items() if not name.endswith("_response")}
    metrics |= {"mean_wait": 4.25, "total_wait": 17.0, "mean_ready_time": 6.5, "max_ready_time": 15.0}
    (tmp_path / "metrics.json").write_text(json.dumps(metrics))
    (run,) = read_folder(tmp_path)
    assert run.metrics == result.metrics
    assert (run.metrics["mean_wait"], run.metrics["mean_response"]) == (6.5, 4.25)


def enlarged(file):
    """Give a job of the table a run time of 30 digits, and leave no other table."""
    file.write_text(file.read_text().replace(",10,10,", f",10,{'9' * 30},"))
    file.with_suffix(".parquet").unlink()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda folder: (folder / "run.json").write_text("["), "run.json: is damaged"),
        (
            lambda folder: (folder / "run.json").write_text("[]"),
            r"got \[\], expected a JSON object",
        ),
        (lambda folder: (folder / "run.json").unlink(), "has no run.json"),
        (
            lambda folder: (folder / "run.json").write_text('{"jobs_simulated": 2, "dropped": 3}'),
            "test_damage.*, dropped: run.json: expected list",
        ),
        (lambda folder: (folder / "metrics.json").unlink(), "metrics.json: cannot be read"),
        (
            lambda folder: (folder / "metrics.json").write_text('{"jobs": 2, "mean_wait": "abc"}'),
            "metrics.json, mean_wait: is damaged: got 'abc', expected a number",
        ),
        (lambda folder: (folder / "jobs.parquet").write_bytes(b"PAR1"), "jobs.parquet: is damaged"),
        (lambda folder: (folder / "jobs.parquet").write_bytes(b""), "jobs.parquet: is damaged"),
        (lambda folder: (folder / "jobs.parquet").write_bytes(bytes(99)), "jobs.parquet: is damaged"),
        (lambda folder: [(folder / f"jobs.{end}").unlink() for end in ("csv", "parquet")], "holds neither"),
        (
            lambda folder: (
                pl.read_csv(folder / "jobs.csv")
                .with_columns(user=pl.lit([1]))
                .write_parquet(folder / "jobs.parquet")
            ),
            "user: is damaged: expected numbers or strings, got lists",
        ),
        (
            lambda folder: enlarged(folder / "jobs.csv"),
            "run_time: is damaged: a number is too large",
        ),
    ],
)
def test_damage(two_jobs, tmp_path, damage, problem):
    """What is missing or damaged is named."""
    result = simulate(two_jobs, processors=2)
    write_run(result, tmp_path, manifest(result))
    damage(tmp_path)
    with pytest.raises(InputError, match=problem):
        read_folder(tmp_path)


def test_a_comparison_that_lost_a_run(two_jobs, tmp_path):
    """A policy without its folder is named."""
    import shutil

    found = compare(two_jobs, policies=["easy", "fcfs"], processors=2)
    write_comparison(found, tmp_path, [manifest(result) for result in found.results])
    shutil.rmtree(tmp_path / "easy")
    with pytest.raises(InputError, match=r"no subfolder has the run\.json of easy"):
        read_folder(tmp_path)


def test_no_folder(tmp_path):
    """A path that is not a folder is told as such."""
    with pytest.raises(InputError, match="is not a folder"):
        read_folder(tmp_path / "nowhere")


@pytest.mark.slow
def test_a_table_with_missing_rows_is_refused(tmp_path):
    """A jobs.csv cut at a line's end reads well, but the counts beside it tell."""
    result = simulate("kth-sp2", policy="easy")
    folder = write_run(result, tmp_path / "run", manifest(result))
    (folder / "jobs.parquet").unlink()
    lines = (folder / "jobs.csv").read_text().splitlines(keepends=True)
    (folder / "jobs.csv").write_text("".join(lines[:100]))
    with pytest.raises(InputError, match="the table of jobs has 99"):
        read_folder(folder)


def test_the_folder_of_a_study(tmp_path):
    """A study's runs are no comparison; the sentence says what makes its page."""
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(InputError, match=r"has no run.json.*; the page of a study is made by echelon study"):
        read_folder(tmp_path)
