"""The summary of one run and of several."""

from __future__ import annotations

import math
import re

from echelon.reports.summary import row_texts, shown_metrics, summary


def row(text, metric):
    return re.search(rf'<tr [^>]*data-metric="{metric}".*?</tr>', text)[0]


def test_one_run_is_a_list(make_run):
    """A single run shows each metric with its exact value, unknown ones under their own names."""
    text = summary([make_run({"mean_wait": 5400.125, "carbon": 3.0})], ["easy"])
    assert (
        '<div data-metric="mean_wait"><dt data-value="Mean wait (s)">Mean wait</dt>'
        '<dd data-value="5400.125" title="5400.125 s">90.00 min</dd></div>' in text
    )
    assert "<dt>Carbon</dt>" in text
    assert "best" not in text


def test_best_values_are_marked(make_run):
    """Less wait and more utilization are better; equal values have no best."""
    runs = [
        make_run({"mean_wait": 100.0, "utilization": 0.5, "max_wait": 7.0}),
        make_run({"mean_wait": 50.0, "utilization": 0.4, "max_wait": 7.0}),
    ]
    text = summary(runs, ["fcfs", "easy"])
    wait, utilization = row(text, "mean_wait"), row(text, "utilization")
    assert wait.count('class="best"') == utilization.count('class="best"') == 1
    assert wait.index('class="best"') > wait.index("100 s")
    assert utilization.index('class="best"') < utilization.index("50 %")
    assert "best" not in row(text, "max_wait")


def test_differences_are_to_the_first_run(make_run):
    """A difference has its sign, its percent and whether it is good; the first run has none."""
    runs = [make_run({"mean_wait": w, "mean_slowdown": s}) for w, s in ((100.0, 2.0), (50.0, 3.0))]
    text = summary(runs, ["fcfs", "easy"])
    assert row(text, "mean_wait").count("<small") == 1
    assert '<small class="good">−50.0 %</small>' in row(text, "mean_wait")
    assert '<small class="bad">+50.0 %</small>' in row(text, "mean_slowdown")


def test_a_row_has_one_unit_that_suits_its_largest_time(make_run):
    """Beside 272 h, 16 min are hours too; what would be 0.00 is said to be small; 1000 h are days."""
    runs = [make_run({"mean_wait": w, "max_wait": 3.6e6}) for w in (980_880.0, 960.0, 1.0, 0.0)]
    text = row(summary(runs, ["a", "b", "c", "d"]), "mean_wait")
    assert re.findall(r'">([^<]*?h)', text) == ["272.5 h", "0.2667 h", "&lt; 0.01 h", "0 h"]
    assert ">41.67 d" in row(summary(runs, ["a", "b", "c", "d"]), "max_wait")


def test_less_asked_for_metrics_are_folded(make_run):
    """Rows beyond the main ones can be folded away, in a list they are; those of one's own stay."""
    metrics = {"mean_wait": 1.0, "p99_wait": 2.0, "my_metric": 3.0}
    table = summary([make_run(metrics), make_run(metrics)], ["a", "b"])
    assert re.findall(r'data-metric="(\w+)" class="more"', table) == ["p99_wait"]
    shown, _, folded = summary([make_run(metrics)], ["a"]).partition("<details>")
    assert "p99_wait" in folded
    assert "mean_wait" in shown
    assert "my_metric" in shown


def test_values_of_a_metric_in_one_unit(make_run):
    """Texts of bars have the row's unit, too; what is not there is a dash."""
    shown = shown_metrics([make_run({"mean_wait": 1.0})])["mean_wait"]
    assert row_texts(shown, [7560.0, 36_360.0, math.nan]) == ["2.100 h", "10.10 h", "–"]
    assert shown.label == "Mean wait"


def test_a_metric_that_a_run_lacks_is_a_dash(make_run):
    """Runs need not have the same metrics, and zero is no base for percent."""
    runs = [make_run({"mean_wait": 0.0}), make_run({"mean_wait": 9.0, "energy": 1.0})]
    text = summary(runs, ["fcfs", "easy"])
    assert ">–</td>" in row(text, "energy")
    assert "<small" not in row(text, "mean_wait")


def test_time_to_first_start_is_shown_where_jobs_were_preempted(make_run):
    """Elsewhere it is the wait again, and left out; with one preemptive run it is there for all."""
    plain = {"mean_wait": 5.0, "mean_response": 5.0, "max_response": 9.0, "preemptions": 0}
    preemptive = {"mean_wait": 6.0, "mean_response": 1.0, "max_response": 9.0, "preemptions": 3}
    assert "first start" not in summary([make_run(plain)], ["easy"])
    text = summary([make_run(plain), make_run(preemptive)], ["easy", "srtf"])
    assert "Mean time to first start" in row(text, "mean_response")
    assert 'class="more"' not in row(text, "mean_response")
    assert 'class="more"' in row(text, "preemptions")


def test_a_run_that_lost_jobs_is_not_marked(make_run):
    """It has the shorter wait as it completed fewer jobs; the table says among which runs stars are given."""
    kept = {"mean_wait": 100.0, "max_wait": 9.0, "goodput": 0.5, "incomplete_jobs": 0}
    lost = {"mean_wait": 50.0, "max_wait": 10.0, "goodput": 0.4, "incomplete_jobs": 3}
    text = summary([make_run(kept), make_run(lost)], ["requeue", "kill"])
    assert "best" not in row(text, "mean_wait")
    assert row(text, "max_wait").count('class="best"') == 1
    assert "★ marks the best of the runs that completed the most jobs" in text


def test_beside_a_machine_that_changes_one_that_never_does_has_all_its_goodput(make_run):
    """What a run without changes does not measure is shown as what it would be."""
    plain, failing = {"utilization": 0.5}, {"utilization": 0.6, "goodput": 0.45, "waste_share": 0.25}
    text = summary([make_run(plain), make_run(failing)], ["none", "failing"])
    assert row(text, "goodput").index("50 %") < row(text, "goodput").index("★")
    assert "best" not in row(text, "utilization")
