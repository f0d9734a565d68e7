"""What metrics are called, and which are shown first."""

from __future__ import annotations

from echelon.metrics import METRICS
from echelon.metrics.registry.labels import LABELS, MAIN, PREEMPTED, SHARES, label_of, main_metrics


def test_every_built_in_metric_has_a_label_of_its_own():
    """No two are called the same, and none is called by its key."""
    assert set(LABELS) == {metric.name for metric in METRICS}
    assert len(set(LABELS.values())) == len(LABELS)
    assert {metric.name for metric in MAIN} | set(PREEMPTED) | set(SHARES) <= set(LABELS)


def test_a_metric_of_ones_own_is_called_by_its_name_and_unit():
    """Seconds and ratios need no unit in the label: a time's value has its own."""
    assert label_of("wide_wait", "s") == "Wide wait"
    assert label_of("unfairness", "1") == "Unfairness"
    assert label_of("users_served", "users") == "Users served (users)"


def test_what_is_shown_first():
    """Metrics of preemption come only where jobs were preempted."""
    assert [metric.name for metric in main_metrics({"preemptions": 0})] == [metric.name for metric in MAIN]
    assert [metric.name for metric in main_metrics({"preemptions": 3})][len(MAIN) :] == list(PREEMPTED)


def test_metrics_of_one_study_are_not_shown_first():
    """The main metrics are those that every file begins with, without the CPU utilization of Schedlyzer."""
    assert [metric.name for metric in METRICS[:13] if metric not in MAIN] == ["busy_share"]


def test_what_is_shown_of_runs_inside_a_machine():
    """Energy where it is known, traffic and slowdown where there is some."""
    quiet = {"communication_volume": 0.0, "mean_speed_factor": 1.0}
    assert main_metrics(quiet) == list(MAIN)
    loud = {"communication_volume": 8e8, "mean_speed_factor": 0.98, "energy": 905.0}
    assert [metric.name for metric in main_metrics(loud)][len(MAIN) :] == list(loud)


def test_changes_are_shown_where_there_are_some():
    """Where nothing was lost, nothing is said of losses; where something failed, all is."""
    late = {"utilization": 0.5, "goodput": 0.5, "restarts": 0, "waste_share": 0.0, "deadline_misses": 0}
    names = [metric.name for metric in main_metrics(late)]
    assert "deadline_misses" in names
    assert not {"goodput", "restarts", "waste_share"} & set(names)
    maintained = {**late, "availability": 0.9, "reservation_idle": 0.0, "node_failures": 0}
    names = {metric.name for metric in main_metrics(maintained)}
    assert {"availability", "reservation_idle"} <= names
    assert not {"goodput", "restarts", "waste_share", "node_failures"} & names
    names = {metric.name for metric in main_metrics({**maintained, "node_failures": 1})}
    assert {"availability", "goodput", "restarts", "waste_share", "node_failures"} <= names
