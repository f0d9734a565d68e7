"""Machines without queues on the command line: runs, comparisons, scenario files, and what is refused."""

from __future__ import annotations

import csv
import json

import pytest

DESK = ["sinapad:jobs=12", "--platform", "sinapad-rau"]


def test_a_run_tells_of_machines(echelon, tmp_path):
    """The table of machines has speeds and processes; files and manifest say what was run."""
    out = tmp_path / "out"
    said = echelon(
        "run", *DESK, "--decision-time", 0.5, "--monitoring", "exponential:period=30", "--out", out
    )
    assert said.code == 0
    assert said.out.startswith("wall-time on sinapad, sinapad-rau (8 sites, 8 processors)")
    assert "Time-shared machines: monitoring exponential:period=30, a decision takes 0.5000 s" in said.out
    assert any(line.split()[:3] == ["r4-2", "1", "0.125"] for line in said.out.splitlines())
    run = json.loads((out / "run.json").read_text())
    assert (run["monitoring"], run["decision_time"]) == ("exponential:period=30", 0.5)
    assert (run["broker"], run["policy"], run["label"]) == ("wall-time", None, "wall-time")
    assert (run["experience"], run["cpu_use"]) == ("warm", "full")
    assert run["platform"]["sites"][0]["queue"] == "none"
    rows = list(csv.DictReader((out / "jobs.csv").read_text().splitlines()))
    assert all(float(row["wait_time"]) >= 0.5 for row in rows)
    assert {"cpu_time", "dedicated_time"} <= rows[0].keys()
    assert "Processes of the machines over time" in (out / "report.html").read_text()
    assert echelon("report", out).code == 0


def test_a_comparison_at_one_pace(echelon):
    """Every broker takes as long as the slowest one, and copies are told where there are some."""
    said = echelon(
        "compare",
        *DESK,
        "--brokers",
        "random:decision=0.25,wqr:decision=2",
        "--decision-time",
        "equal",
        "--json",
    )
    assert said.code == 0
    assert {run["decision_time"] for run in said.json["runs"].values()} == {2.0}
    table = echelon("compare", *DESK, "--brokers", "wall-time,wqr")
    assert "Wasted" in table.out
    assert "experience warm" in table.out


def test_a_scenario_file(echelon, tmp_path):
    """The same settings stand in a file, decision times as numbers or texts; an option counts more."""
    file = tmp_path / "desk.toml"
    file.write_text(
        'workload = "sinapad:jobs=6:io=0.5"\nplatform = "sinapad-rh"\nbroker = "lottery"\n'
        'monitoring = "linear:phase=zero"\ndecision_time = 0.25\nexperience = "cold"\ncpu_use = "log"\n'
    )
    run = echelon("run", file, "--json").json["run"]
    assert (run["monitoring"], run["decision_time"]) == ("linear:phase=zero", 0.25)
    assert (run["experience"], run["cpu_use"]) == ("cold", "log")
    assert echelon("run", file, "--decision-time", "own", "--json").json["run"]["decision_time"] == 0
    file.write_text(
        'workload = "sinapad"\nmonitoring = "quadratic"\ndecision_time = "later"\ncpu_use = "half"\n'
    )
    sentence = echelon("run", file).sentence
    for said in (
        "no monitoring is named 'quadratic'",
        "must be own, equal or a time",
        "no cpu_use is named 'half'",
    ):
        assert said in sentence


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--policy", "easy"], "policy: 'easy' applies to sites with queues"),
        (["--decision-time", "equal"], "equal applies to a comparison of brokers"),
        (["--decision-time", "soon"], "must be own, equal or a time in seconds >= 0"),
        (["--monitoring", "linear:period=0"], "period: must be a finite number > 0"),
        (["--experience", "hot"], "'hot'"),
        (["--two-phase"], "applies to a multicluster"),
        (["--place", "first-fit"], "applies to nodes"),
        (["--engine", "compiled"], "compiled"),
        (["--broker", "stealing:50"], "stealing exchanges jobs that wait"),
    ],
)
def test_what_is_refused(echelon, options, said):
    """What is for other machines is refused in one sentence, with exit code 2."""
    refused = echelon("run", *DESK, *options)
    assert refused.code == 2
    assert said in refused.sentence


@pytest.mark.parametrize("broker", ["wall-time", "min-min", "wqr", "cpu-load"])
def test_rules_for_machines_without_queues_stay_there(echelon, broker):
    """On sites with queues each is refused in one sentence."""
    refused = echelon("run", "sinapad", "--platform", "grid3", "--broker", broker)
    assert refused.code == 2
    assert broker in refused.sentence


@pytest.mark.parametrize("jobs", ["jobs=1", "jobs=30:interval=0:variation=0", "jobs=5:work=1000000000"])
def test_small_equal_and_huge_jobs(echelon, jobs):
    """One job, equal ones, and very long ones run."""
    assert echelon("run", f"sinapad:{jobs}", "--platform", "sinapad-rad", "--broker", "wqr").code == 0
