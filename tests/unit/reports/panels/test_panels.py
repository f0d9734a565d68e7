"""The panels of the page: what each shows, and what it says when there is nothing to show."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest

from echelon.reports import RunTables
from echelon.reports.panels import PANELS
from echelon.reports.panels.users import known_codes

NAMED = {panel.name: panel for panel in PANELS}


def panel_of(name, *runs):
    """Return what a panel shows of these runs."""
    return NAMED[name].content(runs, [run.policy for run in runs])


@pytest.fixture
def late(three_jobs):
    """Return the three jobs with the last one started 400 s later."""
    times = {"start_time": [0.0, 300.0, 500.0], "end_time": [300.0, 600.0, 700.0]}
    jobs = three_jobs.with_columns(**{name: pl.Series(values) for name, values in times.items()})
    return RunTables(jobs, {"jobs": 3, "mean_wait": 650 / 3, "utilization": 0.5}, {"policy": "late"})


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_every_panel_has_data_for_json(panel, make_run, late):
    """One run or two, what a panel hands to its script is JSON without a NaN."""
    for runs in ([make_run()], [make_run(), late]):
        content = panel.content(runs, [run.policy for run in runs])
        if content is not None:
            assert content.body
            json.dumps(content.data, allow_nan=False)


def test_bars_begin_at_zero(make_run, late):
    """A bar is as long as its value over the largest; a share's is as long as the share."""
    first = make_run({"mean_wait": 325 / 3, "utilization": 0.25})
    text = panel_of("bars", first, late).body
    lengths = re.findall(r'data-bars="(\w+)".*?</figure>', text)
    assert lengths == ["mean_wait", "utilization"]
    widths = [float(width) for width in re.findall(r'style="width:([\d.]+)%?"', text)]
    assert widths == pytest.approx([50, 100, 25, 50], abs=0.01)
    assert panel_of("bars", first) is None


def test_bars_of_metrics_of_ones_own(make_run):
    """A metric of the user's own has a chart, with the unit that the manifest tells."""
    own = [{"name": "late_jobs", "unit": "jobs", "better": "low"}]
    runs = [make_run({"late_jobs": late}, own_metrics=own) for late in (4, 2)]
    text = panel_of("bars", *runs).body
    assert "<figcaption>Late jobs (jobs)</figcaption>" in text
    assert re.findall(r'bar-value">(.*?)<', text) == ["4", "2"]


def test_bars_of_nothing(make_run):
    """Waits of 0 have bars without length, and a metric that a run lacks is a dash."""
    text = panel_of("bars", make_run({"mean_wait": 0.0}), make_run({"jobs": 3})).body
    assert re.findall(r"width:([\d.]+)", text) == ["0.000", "0"]
    assert '<span class="bar-value">–</span>' in text


def test_distributions_have_a_line_a_run_and_a_table(make_run, late):
    """Of three jobs, two do not wait under the first policy, and one waits 250 s."""
    content = panel_of("distributions", make_run(), late)
    assert [len(lines["share"]) for lines in content.data.values()] == [2, 2]
    assert content.data["wait"]["at"][0] == 1
    assert content.data["wait"]["at"][-1] == 400
    assert content.data["wait"]["share"][0][0] == pytest.approx(1 / 3, abs=1e-4)
    waits = re.search(r"wait longer than 0 s</th><td>(.*?)</td><td>(.*?)</td>", content.body)
    assert waits.groups() == ("33.33 %", "66.67 %")
    assert "No job waits" not in content.body


def test_no_job_waits(three_jobs):
    """Where nobody waits, the panel says so."""
    jobs = three_jobs.with_columns(start_time="submit_time")
    assert "No job waits." in panel_of("distributions", RunTables(jobs, {}, {})).body


def test_classes_have_null_where_no_job_is(make_run):
    """The three short jobs are in two of sixteen classes; all others have no value, not 0."""
    data = panel_of("classes", make_run()).data
    (run,) = data["runs"]
    assert (len(data["sizes"]), len(data["lengths"])) == (4, 4)
    assert run["jobs"][:5] == [1, 0, 0, 0, 2]
    assert run["mean_wait"][:5] == [0, None, None, None, 125]
    assert run["median_bounded_slowdown"][1] is None


def test_users_and_their_fairness(make_run):
    """User 1 did 1100 of 2000 processor-seconds and never waited, user 2 waited 250 s."""
    (users,) = panel_of("users", make_run()).data
    assert users["name"] == ["1", "2"]
    assert users["share"] == [0.55, 0.45]
    assert users["wait"] == [0, 250]
    assert users["jain_wait"] == 0.5
    assert users["unknown"] == 0


@pytest.mark.parametrize("users", [[None] * 3, [-1] * 3, [""] * 3])
def test_users_that_nobody_knows(three_jobs, users):
    """A column without a known user is as good as none, and the panel says why it is empty."""
    jobs = three_jobs.with_columns(pl.Series("user", users))
    assert "has no users" in panel_of("users", RunTables(jobs, {}, {})).body
    without = panel_of("users", RunTables(three_jobs.drop("user"), {}, {}))
    assert "no column of users" in without.body
    assert without.data is None


def test_user_codes_of_text_and_numbers(three_jobs):
    """Names and numbers become codes; missing ones are -1."""
    jobs = three_jobs.with_columns(pl.Series("user", ["bo", None, "al"]))
    code, texts = known_codes(RunTables(jobs, {}, {}), "user")
    assert [None if one < 0 else texts[one] for one in code] == ["bo", None, "al"]


def test_changes_need_the_same_jobs(make_run, late, three_jobs):
    """One run has nothing to be compared with, and other jobs cannot be."""
    assert panel_of("changes", make_run()) is None
    edges = panel_of("changes", make_run(), late).data["edges"]
    assert edges[-1] >= 400
    assert edges == [-edge for edge in reversed(edges)]
    other = RunTables(three_jobs.with_columns(pl.Series("job_id", [1, 2, 3])), {}, {})
    assert "have different jobs" in panel_of("changes", make_run(), other).body


@pytest.mark.parametrize("name", ["arrivals", "shapes"])
def test_whose_jobs_are_shown(make_run, three_jobs, name):
    """Where runs are of different jobs, the panels on the workload say whose they show."""
    other = RunTables(three_jobs.with_columns(pl.Series("job_id", [1, 2, 3])), {}, {})
    first = make_run(policy="easy")
    assert "shown are those of easy" in panel_of(name, first, other).body
    assert "these are those" not in panel_of(name, first, first).body


def test_preempted_jobs_wait_after_their_start(three_jobs):
    """Panels on waits say that suspensions count, and count them."""
    run = RunTables(three_jobs.with_columns(suspended_time=pl.lit(7.0)), {}, {})
    for name in ("distributions", "classes", "users"):
        assert "Wait includes all time in the queue" in panel_of(name, run).body
    plain = RunTables(three_jobs, {}, {})
    assert (run.wait - plain.wait).tolist() == [7.0, 7.0, 7.0]
    assert (run.delay - plain.delay).tolist() == [7.0, 7.0, 7.0]
    switched = RunTables(run.jobs.with_columns(switch_time=pl.lit(2.0)), {}, {})
    assert (switched.delay - switched.wait).tolist() == [2.0, 2.0, 2.0]


def test_arrivals_by_the_clock_of_the_log(make_run):
    """Without a calendar there are hours; with one there are weekdays, too, and the zone is named."""
    assert panel_of("arrivals", make_run()).body.count("<figure") == 1
    dated = panel_of("arrivals", make_run(unix_start_time=843_480_031, time_zone="Europe/Stockholm")).body
    assert "Monday: 3 jobs, 100.0 %" in dated
    assert "14:00 to 14:59: 3 jobs" in dated
    assert "local time, Europe/Stockholm" in dated


def test_shapes_count_every_job(make_run):
    """Two equal jobs share a cell; the columns go by size."""
    content = panel_of("shapes", make_run())
    assert content.data == {"run": [200, 300], "size": [1, 3], "jobs": [1, 2]}
    assert "3 processors: 2 jobs, 66.7 %" in content.body


def test_many_sizes_are_classes(three_jobs):
    """Beyond sixteen sizes, powers of two stand apart from what is between them."""
    n = 40
    jobs = pl.DataFrame(
        {
            "job_id": np.arange(n),
            "submit_time": np.zeros(n),
            "start_time": np.zeros(n),
            "end_time": np.ones(n),
            "processors": np.arange(1, n + 1),
        }
    )
    assert "17 to 31 processors: 15 jobs" in panel_of("shapes", RunTables(jobs, {}, {})).body


def test_traces_by_hand(make_run):
    """At each end of a job and each quarter of the time, the metric of the jobs that have ended."""
    content = panel_of("traces", make_run())
    assert content.data["at"] == [150, 300, 450, 600]
    by_label = {metric["label"]: metric for metric in content.data["metrics"]}
    waits = by_label["Mean wait"]
    assert waits["kind"] == "time"
    assert waits["value"] == [[None, 0, 0, 83.333]]
    used = by_label["Utilization"]
    assert used["kind"] == "share"
    assert used["value"][0][1:] == pytest.approx([1100 / 1200, 1550 / 1800, 2000 / 2400], rel=1e-4)
    assert '<th scope="row">Mean wait at the end</th><td>83.33 s</td>' in content.body


def test_traces_of_many_jobs_stay_small(make_run):
    """However many jobs there are, a line has about 400 points."""
    n = 20_000
    times = np.arange(n, dtype=np.float64)
    jobs = pl.DataFrame(
        {"job_id": range(n), "submit_time": times, "start_time": times * 1.5, "end_time": times * 1.5 + 7}
        | {"processors": [1] * n}
    )
    content = panel_of("traces", RunTables(jobs, {}, {}))
    assert 390 <= len(content.data["at"]) <= 403
    assert len(json.dumps(content.data)) < 30_000
    assert content.data["metrics"][0]["value"][0][-1] == pytest.approx((n - 1) / 4, rel=1e-4)
