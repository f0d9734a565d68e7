"""What the page says of metrics: as the registry has it."""

from __future__ import annotations

from echelon.metrics import METRICS
from echelon.reports.page_data.metric_definitions import metric_definitions


def test_every_metric_of_the_registry_is_defined():
    """Label, unit, formula and source of each; which end is better, where one is."""
    found = metric_definitions(metric.name for metric in METRICS)
    assert list(found) == [metric.name for metric in METRICS]
    for metric in METRICS:
        told = found[metric.name]
        assert (told["formula"], told["source"]) == (metric.formula, metric.source)
        assert told.get("better") == metric.better
        assert told["label"]
        assert told["unit"]


def test_metrics_of_ones_own_are_defined_by_the_manifest():
    """With what it records of them; a metric that nobody describes has no definition."""
    own = {
        "name": "late",
        "unit": "jobs",
        "formula": "Jobs that are late.",
        "source": "none",
        "better": "low",
    }
    found = metric_definitions(["late", "unheard_of"], [own])
    expected = {"unit": "jobs", "formula": "Jobs that are late.", "source": "none", "better": "low"}
    assert found == {"late": {**expected, "label": "Late (jobs)"}}
