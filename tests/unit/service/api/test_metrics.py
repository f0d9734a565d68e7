"""Metrics: what Prometheus reads, checked by its own parser."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families as families

from echelon.service.records import JobState


def read(api):
    """Return the value of each sample by name and labels, and the kinds of the metrics."""
    text = api.call("GET", "/metrics").content.decode()
    found = list(families(text))
    assert len({family.name for family in found}) == len(found)
    assert all(family.documentation for family in found)
    values = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in found
        for sample in family.samples
    }
    return values, {family.name: family.type for family in found}


def test_what_is_counted(api):
    """Jobs by state, news of clusters, statistics of the service and requests are all there."""
    for _ in range(3):
        api.call("POST", "/v1/jobs", {"command": ["x"]})
    api.service.change(1, state=JobState.RUNNING)
    api.call("GET", "/v1/jobs/99")
    api.call("GET", "/nowhere/secret")
    values, kinds = read(api)
    assert values["echelon_jobs", ("state", "QUEUED")] == 2
    assert values["echelon_jobs", ("state", "RUNNING")] == 1
    assert values["echelon_cluster_look_age_seconds", ("cluster", "beta")] == 1
    assert values["echelon_attempts_unclear_total", ("cluster", "alpha")] == 1
    assert values["echelon_decisions_total",] == 3
    labels = (("method", "GET"), ("route", "/v1/jobs/{job}"), ("status", "404"))
    assert values["echelon_http_requests_total", *labels] == 1
    labels = (("method", "GET"), ("route", "other"), ("status", "404"))
    assert values["echelon_http_requests_total", *labels] == 1
    assert values["echelon_http_request_seconds_count",] == 5
    assert values["echelon_http_request_seconds_bucket", ("le", "+Inf")] == 5
    assert kinds["echelon_attempts_unclear"] == "counter"
    assert kinds["echelon_queue"] == "gauge"


@pytest.mark.slow
def test_labels_do_not_grow_with_requests(api):
    """Whatever paths and methods are asked for, there are few series."""
    for number in range(50):
        api.call(f"M{number}", f"/v1/jobs/{number}")
        api.call("GET", f"/x/{number}")
    values, _ = read(api)
    assert sum(name[0] == "echelon_http_requests_total" for name in values) <= 4
