"""The summary of one run and of several."""

from __future__ import annotations

import re

from echelon.reports.summary import summary


def row(text, metric):
    return re.search(rf'<tr [^>]*data-metric="{metric}".*?</tr>', text)[0]


def test_one_run_is_a_list(make_run):
    """A single run shows each metric with its exact value, unknown ones under their own names."""
    text = summary([make_run({"mean_wait": 5400.125, "energy": 3.0})], ["easy"])
    assert (
        '<div data-metric="mean_wait"><dt>Mean wait</dt><dd title="5400.125 s">90.00 min</dd></div>' in text
    )
    assert "<dt>Energy</dt>" in text
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
    assert utilization.index('class="best"') < utilization.index("50.00 %")
    assert "best" not in row(text, "max_wait")


def test_differences_are_to_the_first_run(make_run):
    """A difference has its sign, its percent and whether it is good; the first run has none."""
    runs = [make_run({"mean_wait": w, "mean_slowdown": s}) for w, s in ((100.0, 2.0), (50.0, 3.0))]
    text = summary(runs, ["fcfs", "easy"])
    assert row(text, "mean_wait").count("<small") == 1
    assert '<small class="good">−50.0 %</small>' in row(text, "mean_wait")
    assert '<small class="bad">+50.0 %</small>' in row(text, "mean_slowdown")


def test_a_metric_that_a_run_lacks_is_a_dash(make_run):
    """Runs need not have the same metrics, and zero is no base for percent."""
    runs = [make_run({"mean_wait": 0.0}), make_run({"mean_wait": 9.0, "energy": 1.0})]
    text = summary(runs, ["fcfs", "easy"])
    assert ">–</td>" in row(text, "energy")
    assert "<small" not in row(text, "mean_wait")
