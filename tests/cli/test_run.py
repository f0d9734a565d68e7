"""``echelon run``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

COLUMNS = (
    "job_id,submit_time,start_time,end_time,run_time,requested_time,processors,wait_time,turnaround_time,"
    "bounded_slowdown,site,status,user"
)
METRICS = (
    "jobs,makespan,mean_wait,median_wait,max_wait,mean_turnaround,max_turnaround,mean_slowdown,"
    "mean_bounded_slowdown,utilization,busy_share,throughput_per_day,c_max"
)
RULE = '''
from echelon import order


@order("last-first", source="none")
def last_first(job, view):
    """The job submitted last, in seconds."""
    return -job.submit_time
'''


def test_a_table_in_human_units(echelon, six_jobs):
    """Main metrics with units, what was left out, and nothing on stderr or disk."""
    said = echelon("run", six_jobs, "--policy", "easy")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("easy on six, 4 processors\n")
    assert "Mean wait              24.75 s\n" in said.out
    assert "4 of 6 jobs simulated" in said.out
    assert "Left out: 1 with run time <= 0 (first: job 4)." in said.out
    assert [path.name for path in six_jobs.parent.iterdir()] == ["six.swf"]


def test_traces(echelon, six_jobs, tmp_path):
    """--traces leaves traces.csv besides, one row an end of a job; a run without it takes it out again."""
    said = echelon("run", six_jobs, "--policy", "easy", "--out", tmp_path / "out", "--traces", "--no-report")
    assert said.code == 0
    assert "traces.csv" in said.out
    table = pl.read_csv(tmp_path / "out" / "traces.csv")
    assert table["jobs"].to_list()[-1] == 4
    assert table["mean_wait"].to_list()[-1] == 24.75
    assert echelon("run", six_jobs, "--out", tmp_path / "out", "--no-report").code == 0
    assert not (tmp_path / "out" / "traces.csv").exists()
    said = echelon("run", six_jobs, "--traces")
    assert (said.code, said.out) == (2, "")
    assert "--traces: needs a folder for traces.csv, give --out DIR" in said.err


def test_files(echelon, six_jobs, tmp_path):
    """--out leaves the files of the interface, with their columns and keys, and says so."""
    out = tmp_path / "deep" / "out"
    said = echelon("run", six_jobs, "--policy", "easy", "--out", out)
    names = [
        "classes.csv",
        "jobs.csv",
        "jobs.parquet",
        "metrics.json",
        "report.html",
        "run.json",
        "users.csv",
    ]
    assert sorted(path.name for path in out.iterdir()) == names
    assert all(name in said.out for name in names)
    lines = (out / "jobs.csv").read_text().splitlines()
    assert lines[:2] == [COLUMNS, "1,0,0,100,100,100,3,0,100,1.0,cluster,completed,1"]
    assert pl.read_parquet(out / "jobs.parquet").columns == COLUMNS.split(",")
    metrics = json.loads((out / "metrics.json").read_text())
    assert list(metrics)[:13] == METRICS.split(",")
    assert metrics["mean_wait"] == 24.75
    run = json.loads((out / "run.json").read_text())
    assert run["command"] == ["echelon", "run", str(six_jobs), "--policy", "easy", "--out", str(out)]
    assert (run["policy"], run["processors"], run["seed"]) == ("easy", 4, 0)
    assert run["dropped"][0] == {"reason": "run time <= 0", "count": 1, "first": "4"}
    assert "easy on six" in (out / "report.html").read_text()


def test_no_report(echelon, six_jobs, tmp_path):
    """--no-report leaves the page out and nothing else."""
    echelon("run", six_jobs, "--out", tmp_path / "out", "--no-report")
    assert not (tmp_path / "out" / "report.html").exists()
    assert (tmp_path / "out" / "run.json").exists()


def test_json(echelon, six_jobs, tmp_path):
    """--json prints what the files hold, exact, and nothing else."""
    out = tmp_path / "out"
    said = echelon("run", six_jobs, "--policy", "easy", "--json", "--out", out)
    assert said.err == ""
    assert said.json["metrics"] == json.loads((out / "metrics.json").read_text())
    assert said.json["run"] == json.loads((out / "run.json").read_text())
    assert {Path(file).name for file in said.json["files"]} == {path.name for path in out.iterdir()}


def test_quiet(echelon, six_jobs):
    """--quiet says nothing when all is well."""
    assert echelon("run", six_jobs, "--quiet") == (0, "", "")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("arguments", "starts"),
    [
        ("--policy fcfs", [0, 100, 200, 300]),
        ("--policy easy", [0, 100, 2, 300]),
        ("--policy easy --processors 9", [0, 1, 2, 101, 300]),
        ("--policy easy --estimates kill", [0, 100, 2, 300]),
        ("--policy easy --passes pyss", [0, 100, 2, 300]),
    ],
)
def test_options_reach_the_simulation(echelon, six_jobs, *, engine, arguments, starts):
    """Start times by hand, in both engines; run.json repeats each option."""
    folder, options = six_jobs.parent, [*arguments.split(), "--engine", engine]
    said = echelon("run", six_jobs, *options, "--out", folder, "--json")
    for option, value in zip(options[::2], options[1::2], strict=True):
        assert str(said.json["run"][option.removeprefix("--")]) == value
    table = pl.read_csv(folder / "jobs.csv")
    assert table["start_time"].to_list() == starts
    killed = ["killed"] if "kill" in arguments else []
    assert table["status"].to_list() == ["completed"] * (len(starts) - len(killed)) + killed


def test_a_rule_of_ones_own(echelon, six_jobs, tmp_path):
    """FILE.py:NAME runs a rule from outside the package; its record runs it again."""
    (tmp_path / "rule.py").write_text(RULE)
    spec = f"easy:{tmp_path / 'rule.py'}:last_first"
    record = echelon("run", six_jobs, "--policy", spec, "--json").json["run"]
    assert (record["policy"], record["label"]) == (spec, "easy:last-first")
    assert record["names"] == {"policy": "easy:last-first"}
    again = echelon("run", six_jobs, "--policy", record["policy"], "--json").json["run"]
    assert {**again, **_OCCASION} == {**record, **_OCCASION}


_OCCASION = dict.fromkeys(("seconds", "peak_memory_bytes"))


def test_a_scenario_file(echelon, six_jobs, tmp_path, monkeypatch):
    """A scenario file has the same meaning as options do; paths in it start from its folder."""
    (tmp_path / "easy.toml").write_text(
        'workload = "six.swf"\npolicy = "easy"\nout = "out"\nreport = false\n'
    )
    monkeypatch.chdir("/")
    said = echelon("run", tmp_path / "easy.toml", "--json")
    assert said.code == 0
    assert said.json["metrics"]["mean_wait"] == 24.75
    assert (tmp_path / "out" / "jobs.csv").exists()
    assert not (tmp_path / "out" / "report.html").exists()


def test_an_option_counts_more_than_the_scenario_file(echelon, six_jobs, tmp_path):
    """What is typed is later than what is written."""
    (tmp_path / "easy.toml").write_text('workload = "six.swf"\npolicy = "easy"\nseed = 3\n')
    run = echelon("run", tmp_path / "easy.toml", "--policy", "fcfs", "--json").json["run"]
    assert (run["policy"], run["seed"]) == ("fcfs", 3)


@pytest.fixture
def no_libraries(monkeypatch, tmp_path):
    """Run in a process that knows of no library, and whose builder builds none."""
    from echelon.libraries import lookup

    monkeypatch.setattr(lookup, "_BUILT", tmp_path / "built")
    monkeypatch.setattr(lookup, "folder", lambda: tmp_path / "built")
    monkeypatch.setattr(lookup, "_build", lambda name: lookup._announce("building kernels"))
    monkeypatch.setattr(lookup, "_SAID", set())
    lookup.why_not.cache_clear()
    yield
    lookup.why_not.cache_clear()


@pytest.mark.usefixtures("no_libraries")
def test_building_kernels_is_announced(echelon, six_jobs):
    """Who waits for kernels is told so on stderr, once, and why there are none; the run goes on without."""
    said = echelon("run", six_jobs)
    assert [line.partition(";")[0] for line in said.err.splitlines()] == [
        "echelon: building kernels",
        "echelon: no library of the kernel 'machine' was produced by building it",
    ]
    assert "reference engine" in said.out


@pytest.mark.usefixtures("no_libraries")
def test_quiet_says_nothing_of_kernels(echelon, six_jobs):
    """--quiet does without these sentences."""
    assert echelon("run", six_jobs, "--quiet").err == ""


def test_progress_is_shown_to_a_terminal_only(echelon, six_jobs, monkeypatch):
    """A terminal sees the steps on stderr; a pipe sees nothing."""
    assert echelon("run", six_jobs).err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    said = echelon("run", six_jobs, "--json")
    assert "simulating" in said.err
    assert said.json["metrics"]["jobs"] == 4


def test_an_estimator(echelon, six_jobs, tmp_path):
    """--estimator plans with predictions and leaves them in the files; a wrong one is one sentence."""
    out = tmp_path / "out"
    said = echelon("run", six_jobs, "--policy", "easy", "--estimator", "average:alpha=0.25", "--out", out)
    assert said.code == 0
    assert "Planned times are from the estimator average:alpha=0.25." in said.out
    assert "reference engine" in said.out
    assert (out / "jobs.csv").read_text().splitlines()[0] == f"{COLUMNS},planned_time"
    run, metrics = (json.loads((out / name).read_text()) for name in ("run.json", "metrics.json"))
    assert run["estimator"] == "average:alpha=0.25"
    assert 0 < metrics["mean_prediction_accuracy"] <= 1
    wrong = echelon("run", six_jobs, "--estimator", "average:alpha=7")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err == "echelon: average, alpha: must be from 0 to 1, got 7.0\n"


def test_exact_is_the_same_as_an_estimator_and_as_estimates(echelon, six_jobs):
    """--estimator exact and --estimates exact give one table."""
    one = echelon("run", six_jobs, "--policy", "easy", "--estimates", "exact", "--json")
    other = echelon("run", six_jobs, "--policy", "easy", "--estimator", "exact", "--json")
    assert json.loads(one.out)["metrics"] == json.loads(other.out)["metrics"]
    assert json.loads(other.out)["run"]["estimator"] == "exact"


def test_a_preemptive_run(echelon, six_jobs, tmp_path):
    """It tells of preemptions, leaves its segments, and its folder makes a report again."""
    out = tmp_path / "out"
    said = echelon("run", six_jobs, "--policy", "gang:quantum=5:switch=1", "--out", out)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("round-robin:switch=1:quantum=5 on six, 4 processors\n")
    for label in (
        "Preemptions",
        "Mean time to first start",
        "Maximum time to first start",
        "Share lost to context switches",
    ):
        assert label in said.out
    assert "segments.csv" in said.out
    segments, jobs = pl.read_csv(out / "segments.csv"), pl.read_csv(out / "jobs.csv")
    held = segments.group_by("row").agg((pl.col("end_time") - pl.col("start_time")).sum()).sort("row")
    assert held["end_time"].to_list() == (jobs["run_time"] + jobs["switch_time"]).to_list()
    assert jobs["preemptions"].sum() == len(segments) - len(jobs) > 0
    (out / "report.html").unlink()
    assert echelon("report", out).code == 0
    assert (out / "report.html").is_file()
    assert echelon("run", six_jobs, "--policy", "fcfs", "--out", out).code == 0
    assert not (out / "segments.csv").exists()


def test_a_comparison_with_preemption(echelon, six_jobs, tmp_path):
    """The table has first starts for all; of the folders only the preemptive policy's has segments."""
    said = echelon("compare", six_jobs, "--policies", "fcfs,gang:quantum=5", "--out", tmp_path / "out")
    assert said.code == 0
    heads = " ".join(said.out.split())
    assert "Mean Longest First" in heads
    found = sorted(path.parent.name for path in (tmp_path / "out").rglob("segments.csv"))
    assert found == ["round-robin-quantum=5"]
    assert said.out.count("segments.csv") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("srtf:switch=-1", "srtf, switch: must be a time >= 0 in seconds, got -1"),
        ("round-robin:quantum=0", "round-robin, quantum: must be a time > 0 in seconds, got 0"),
        ("preemptive-priority:order=shortst", "no order is named 'shortst'"),
        ("preemptive-priority:switch=9:review=5", "review: must be 0, or longer than a switch of 9 s"),
        ("srtf:speed=3", "no parameter of srtf is named 'speed'"),
        ("srtf:memory=lost", "must be held or released, got 'lost'"),
    ],
)
def test_wrong_arguments_of_preemptive_policies(echelon, six_jobs, arguments, sentence):
    """One sentence, exit code 2."""
    said = echelon("run", six_jobs, "--policy", arguments)
    assert said.code == 2
    assert sentence in said.err
    assert said.err.count("\n") == 1
