"""Metrics of the user's own on the command line, and the list of the built-in ones."""

from __future__ import annotations

import json

import pytest

from echelon.metrics import METRICS

RULES = '''
import math
from echelon import metric


@metric("narrow_wait", unit="s", source="none", better="low")
def narrow_wait(jobs):
    """Mean wait of the jobs on one processor."""
    return jobs.wait[jobs.size == 1].mean()


@metric("users_served", unit="users", source="none", better="high")
def users_served(jobs):
    """Number of users."""
    return len(set(jobs.user))


@metric("nothing", unit="1", source="none", better="low")
def nothing(jobs):
    """Never a value."""
    return math.nan


@metric("failing", unit="1", source="none")
def failing(jobs):
    """Never a number."""
    return jobs.wait
'''


@pytest.fixture
def rules(tmp_path):
    """Return a file with metrics."""
    file = tmp_path / "rules.py"
    file.write_text(RULES)
    return file


def words(rules, *names):
    return [word for name in names for word in ("--metric", f"{rules}:{name}")]


def test_run(echelon, six_jobs, rules, tmp_path):
    """Each stands in the table with its unit and in metrics.json, metrics without a value as null."""
    out = tmp_path / "out"
    given = words(rules, "narrow_wait", "users_served", "nothing")
    said = echelon("run", six_jobs, "--policy", "easy", *given, "--out", out)
    assert (said.code, said.err) == (0, "")
    assert [line.split("  ")[-1].strip() for line in said.out.splitlines()[14:17]] == ["0 s", "3", "–"]
    assert "Users served (users)" in said.out
    metrics = json.loads((out / "metrics.json").read_text())
    assert list(metrics)[-3:] == ["narrow_wait", "users_served", "nothing"]
    assert (metrics["narrow_wait"], metrics["users_served"], metrics["nothing"]) == (0.0, 3, None)
    told = json.loads((out / "run.json").read_text())["own_metrics"]
    assert told[0] == {
        "name": "narrow_wait",
        "unit": "s",
        "formula": "Mean wait of the jobs on one processor.",
        "source": "none",
        "better": "low",
        "spec": f"{rules}:narrow_wait",
    }
    page = (out / "report.html").read_text()
    assert 'data-metric="narrow_wait"><dt data-value="Narrow wait (s)">Narrow wait</dt>' in page
    assert '<dt>Users served (users)</dt><dd data-value="3" title="3">3</dd>' in page


def test_compare(echelon, six_jobs, rules, tmp_path):
    """The table has a column of each, with its unit and the best marked, where there is a value."""
    given = words(rules, "narrow_wait", "nothing")
    said = echelon("compare", six_jobs, "--policies", "fcfs,easy", *given, "--out", tmp_path / "out")
    assert (said.code, said.err) == (0, "")
    heads, units, first, second = (said.out.splitlines()[place] for place in (3, 4, 6, 7))
    assert heads.split()[-3:] == ["slowdown", "wait", "Nothing"]
    assert units.split()[-1] == "s"
    assert first.split()[-2:] == ["99", "–"]
    assert second.split()[-2:] == ["0*", "–"]
    both = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert [both[policy]["nothing"] for policy in ("fcfs", "easy")] == [None, None]
    page = (tmp_path / "out" / "report.html").read_text()
    row = page.split('data-metric="narrow_wait"')[1].split("</tr>")[0]
    assert row.index("★") > row.index("0 s")


def test_json(echelon, six_jobs, rules):
    """With --json a metric without a value is null."""
    said = echelon("run", six_jobs, *words(rules, "nothing"), "--json")
    assert said.json["metrics"]["nothing"] is None


def test_in_a_scenario_file(echelon, six_jobs, rules, tmp_path):
    """`metrics` lists them, as seen from the file; a wrong one is told with the file's other errors."""
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(f'workload = "{six_jobs.name}"\nmetrics = ["rules.py:users_served"]\n')
    assert echelon("run", scenario, "--json").json["metrics"]["users_served"] == 3
    scenario.write_text('workload = "six.swf"\nseed = -1\nmetrics = ["rules.py:user_served"]\n')
    said = echelon("run", scenario)
    assert said.code == 2
    assert "metrics: no metric in " in said.sentence
    assert "seed: got -1" in said.sentence
    scenario.write_text('workload = "six.swf"\nmetrics = "rules.py:users_served"\n')
    assert (
        "metrics: got 'rules.py:users_served', expected a list of FILE.py:NAME"
        in echelon("run", scenario).sentence
    )


@pytest.mark.parametrize("command", ["run", "compare"])
def test_a_metric_that_gives_no_number(echelon, six_jobs, rules, tmp_path, command):
    """It is input: one sentence, exit code 2, and nothing is written."""
    policies = ("--policies", "fcfs,easy") if command == "compare" else ()
    said = echelon(command, six_jobs, *policies, *words(rules, "failing"), "--out", tmp_path / "out")
    assert said.code == 2
    assert "metric 'failing': must return one number, got ndarray" in said.sentence
    assert not (tmp_path / "out").exists()


def test_the_list(echelon):
    """Every metric is there with its unit and formula."""
    said = echelon("metrics")
    assert (said.code, said.err) == (0, "")
    assert [metric.name for metric in METRICS if f" {metric.name} " not in said.out] == []


def test_all_about_one(echelon, rules):
    """A metric is told with unit, formula, source and which end is good, a user's own, too."""
    said = echelon("metrics", "makespan")
    lines = [line.split(maxsplit=1) for line in said.out.splitlines()[2:]]
    assert lines[0] == ["unit", "s"]
    assert lines[1] == ["formula", "max(end) - min(submit)"]
    assert "low" in said.out
    assert "Feitelson" in said.out
    assert "Mean wait of the jobs on one processor." in echelon("metrics", f"{rules}:narrow_wait").out
    assert "did you mean 'makespan'?" in echelon("metrics", "makspan").sentence


def test_check(echelon, rules):
    """Echelon check takes a metric as it takes a policy."""
    said = echelon("check", f"{rules}:narrow_wait")
    assert said.code == 0
    assert said.out.endswith("narrow_wait keeps the rules.\n")
    said = echelon("check", f"{rules}:failing")
    assert said.code == 2
    assert "failing breaks the rules." in said.out
    assert "fails the check of its number" in said.err
