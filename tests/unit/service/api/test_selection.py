"""Selection: the call of portals, from what the service knows."""

from __future__ import annotations

import time

import pytest

from echelon.service.records import JobState


def ranked(api, **body):
    """Return the sites that are selected, the best first."""
    answer = api.call("POST", "/v1/select", {"application": "solver", **body})
    assert answer.status == 200, answer.content
    return [one["site"] for one in answer.content["sites"]]


def test_loads_rank_clusters(api):
    """The cluster whose look was less busy comes first, until a younger load is published."""
    assert ranked(api, policy="cpu-load") == ["alpha", "beta"]
    assert api.call("POST", "/v1/loads", {"loads": [{"site": "alpha", "load": 7.5}]}).status == 204
    assert ranked(api, policy="cpu-load") == ["beta", "alpha"]
    old = {"loads": [{"site": "alpha", "load": 0, "at": 5}]}
    assert api.call("POST", "/v1/loads", old).status == 204
    assert ranked(api, policy="cpu-load") == ["beta", "alpha"]


def test_mean_times_of_own_jobs_rank_clusters(api):
    """Where jobs of the application ended sooner, the next one should run."""
    for cluster, seconds in (("alpha", 50.0), ("beta", 5.0)):
        api.call("POST", "/v1/jobs", {"application": "solver", "parameters": {"cells": 1}})
        number = len(api.service.store.kept)
        api.service.change(number, state=JobState.RUNNING, cluster=cluster, started_at=100.0)
        ranked(api, policy="met")
        api.service.change(number, state=JobState.COMPLETED, ended_at=100.0 + seconds)
        ranked(api, policy="met")
    assert ranked(api, policy="met") == ["beta", "alpha"]


def test_only_clusters_that_take_jobs(api):
    """Drained clusters, small ones, and those without an attribute are left out; none at all is 409."""
    api.call("POST", "/v1/clusters/alpha:drain")
    assert ranked(api, policy="cpu-load") == ["beta"]
    assert ranked(api, policy="cpu-load", criteria={"site": ["alpha", "beta"], "cores": 8}) == ["beta"]
    body = {"application": "solver", "policy": "cpu-load", "criteria": {"site": "alpha"}}
    assert api.call("POST", "/v1/select", body).status == 409
    assert api.call("POST", "/v1/select", {"application": "solver", "processes": 9}).status == 409
    api.call("POST", "/v1/clusters/alpha:resume")
    assert ranked(api, policy="cpu-load") == ["alpha", "beta"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/select", {"application": "x", "policy": "evil.py:rule"}),
        ("/v1/select", {"application": "x", "policy": "ect"}),
        ("/v1/select", {"application": "x", "criteria": {"secret": 1}}),
        ("/v1/select", {"application": " "}),
        ("/v1/loads", {"loads": [{"site": "gamma", "load": 1}]}),
        ("/v1/loads", {"loads": [{"site": "alpha", "load": -1}]}),
        ("/v1/loads", {"loads": [{"site": "alpha", "load": 1, "at": time.time() + 1e6}]}),
        ("/v1/loads", {"loads": []}),
    ],
)
def test_what_cannot_be(api, path, body):
    """Files as rules, unknown attributes and sites, and loads that cannot be are 422."""
    assert api.call("POST", path, body).status == 422
