"""Callers: who may do what, by sockets and by tokens."""

from __future__ import annotations

import os
import time

import pytest

JOB = {"command": ["/bin/true"]}
APPLICATION = {"application": "solver", "parameters": {"cells": 5}}

NEEDS = [
    (("GET", "/v1/jobs", None), "read"),
    (("GET", "/v1/jobs/1", None), "read"),
    (("GET", "/v1/jobs/1/decision", None), "read"),
    (("POST", "/v1/jobs", APPLICATION), "submit"),
    (("POST", "/v1/jobs:batch", {"jobs": [APPLICATION]}), "submit"),
    (("POST", "/v1/jobs/1:cancel", None), "submit"),
    (("POST", "/v1/jobs/1:hold", None), "submit"),
    (("POST", "/v1/jobs/1:release", None), "submit"),
    (("POST", "/v1/forecasts", APPLICATION), "read"),
    (("GET", "/v1/outlook", None), "read"),
    (("GET", "/v1/forecast-errors", None), "read"),
    (("GET", "/v1/clusters", None), "read"),
    (("GET", "/v1/clusters/alpha", None), "read"),
    (("GET", "/v1/clusters/alpha/queue", None), "read"),
    (("POST", "/v1/clusters/alpha:drain", None), "operate"),
    (("POST", "/v1/clusters/alpha:resume", None), "operate"),
    (("POST", "/v1/select", {"application": "linpack", "policy": "cpu-load"}), "read"),
    (("POST", "/v1/loads", {"loads": [{"site": "alpha", "load": 1}]}), "operate"),
    (("POST", "/v1/tokens", {"user": "mara", "scopes": ["read"]}), "admin"),
    (("GET", "/v1/tokens", None), "admin"),
    (("DELETE", "/v1/tokens/1", None), "admin"),
    (("GET", "/metrics", None), "read"),
    (("GET", "/v1/caller", None), "read"),
]
SCOPES = ("read", "submit", "script", "operate", "admin")


def test_a_reader_may_ask_where_any_program_would_run(api):
    """Nothing runs, so a forecast of a program needs no scope but `read`; to submit it needs `script`."""
    token = api.token(scopes=["read"])
    body = {"command": ["/bin/true"], "directory": "/tmp"}
    assert api.call("POST", "/v1/forecasts", body, token=token).status == 200
    assert api.call("POST", "/v1/jobs", body, token=api.token(scopes=["submit"])).status == 403


def test_every_route_is_here(api):
    """The list of routes and scopes leaves no route out, but the page, those of health and the stream."""
    listed = {(method, path.replace("alpha", "{cluster}")) for (method, path, _), _ in NEEDS}
    listed = {
        (method, path.replace("/jobs/1", "/jobs/{job}").replace("tokens/1", "tokens/{number}"))
        for method, path in listed
    }
    found = {(method, route.path) for route in api.app.state.routes for method in route.methods}
    free = {("GET", "/"), ("GET", "/page/{name}"), ("GET", "/v1/healthz"), ("GET", "/v1/readyz")}
    assert found - listed == {*free, ("GET", "/v1/events")}


@pytest.mark.parametrize(
    ("request_", "scope"), NEEDS, ids=lambda one: "-".join(one[:2]) if len(one) == 3 else one
)
def test_each_route_needs_its_scope(api, request_, scope):
    """With its one scope a route answers; with all others together it does not, and says which is missing."""
    with_one, without = api.token(scopes=[scope]), api.token(scopes=[one for one in SCOPES if one != scope])
    api.call("POST", "/v1/jobs", APPLICATION, token=api.token(scopes=["submit"]))
    method, path, body = request_
    refused = api.call(method, path, body, token=without)
    assert (refused.status, scope in refused.content["detail"]) == (403, True)
    assert api.call(method, path, body, token=with_one).status < 300


def test_tokens_that_are_worth_nothing(api):
    """Expired, revoked, truncated, unknown, doubled and foreign tokens are all 401, and say what to do."""
    good = api.token()
    assert api.call("GET", "/v1/jobs", token=good).status == 200
    for bad in (
        api.token(expires_at=time.time() - 1),
        api.token(revoked_at=time.time()),
        good[:-1],
        good + "x",
        good.upper(),
        "ech_" + "A" * 43,
        "ech_",
        "x" * 5000,
        "ech_" + "\xe9" * 43,
    ):
        answer = api.call("GET", "/v1/jobs", tcp=True, headers=[("authorization", f"Bearer {bad}")])
        assert (answer.status, "token" in answer.content["detail"]) == (401, True), bad
        assert answer.headers["www-authenticate"].startswith("Bearer")
    for headers in (
        [("authorization", f"Basic {good}")],
        [("authorization", good)],
        [("cookie", f"token={good}")],
        [("authorization", f"Bearer {good}")] * 2,
        [("x-forwarded-user", "root")],
    ):
        assert api.call("GET", "/v1/jobs", tcp=True, headers=headers).status == 401


def test_a_token_counts_on_the_unix_socket_too(api):
    """A proxy on the Unix socket that hands tokens on gets no more than they allow."""
    token = api.token(scopes=["read"])
    headers = [("authorization", f"Bearer {token}")]
    assert api.call("POST", "/v1/jobs", JOB, headers=headers).status == 403
    assert api.call("GET", "/v1/jobs", headers=[("authorization", "Bearer ech_x")]).status == 401


def test_other_users_of_the_machine(api):
    """Another user may submit applications and see the jobs of that user, and no more."""
    other = 54321
    assert api.call("POST", "/v1/jobs", APPLICATION, uid=other).content["owner"] == f"uid-{other}"
    api.call("POST", "/v1/jobs", JOB)
    assert [job["number"] for job in api.call("GET", "/v1/jobs", uid=other).content["jobs"]] == [1]
    assert api.call("POST", "/v1/jobs", JOB, uid=other).status == 403
    assert api.call("GET", "/v1/jobs/2", uid=other).status == 404
    assert len(api.call("GET", "/v1/jobs", uid=os.geteuid()).content["jobs"]) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"directory": "/home/service"},
        {"output": "/home/service/.bashrc"},
        {"error": "/home/service/.bashrc"},
        {"environment": {"LD_PRELOAD": "/tmp/evil.so"}},
        {"options": {"partition": "fast"}},
    ],
)
def test_applications_cannot_be_bent(api, fields):
    """Without `script`, an application's files, variables and options are not the caller's to choose."""
    token = api.token()
    answer = api.call("POST", "/v1/jobs", {**APPLICATION, **fields}, token=token)
    assert (answer.status, "script" in answer.content["detail"]) == (403, True)
    assert api.call("POST", "/v1/jobs", JOB, token=token).status == 403
    assert api.call("POST", "/v1/jobs", {"script": "#!/bin/sh\n"}, token=token).status == 403
    trusted = api.token(scopes=["submit", "script"])
    assert api.call("POST", "/v1/jobs", {**APPLICATION, **fields}, token=trusted).status == 201


def test_jobs_of_others_are_as_if_they_were_not_there(api):
    """Whoever may not see a job gets the same answer as for none, whatever is asked of it."""
    mine, theirs = api.token("mara"), api.token("jon")
    id_ = api.call("POST", "/v1/jobs", {**APPLICATION, "name": "secret"}, token=theirs).content["id"]
    for name in ("1", id_):
        for method, path in (
            *(("GET", "/v1/jobs/{}"), ("GET", "/v1/jobs/{}/decision"), ("POST", "/v1/jobs/{}:cancel")),
            *(("POST", "/v1/jobs/{}:hold"), ("GET", "/v1/events?job={}")),
        ):
            answer = api.call(method, path.format(name), token=mine)
            none = api.call(method, path.format("99"), token=mine)
            assert (answer.status, none.status) == (404, 404)
            assert answer.content["detail"].replace(name, "99") == none.content["detail"]
    assert api.call("GET", "/v1/jobs", token=mine).content["jobs"] == []
    assert api.call("GET", "/v1/jobs?owner=jon", token=mine).status == 403
    after = api.call("POST", "/v1/jobs", {**APPLICATION, "after": [1]}, token=mine)
    assert (after.status, after.content["field"]) == (422, "after")
    for path in ("/v1/clusters/alpha/queue", "/v1/outlook", "/v1/forecast-errors"):
        said = str(api.call("GET", path, token=mine).content)
        assert id_ not in said
        assert "secret" not in said
    operator = api.token("op", scopes=["read", "operate"])
    assert api.call("GET", "/v1/jobs?owner=jon", token=operator).content["jobs"][0]["name"] == "secret"
    assert "secret" in str(api.call("GET", "/v1/clusters/alpha/queue", token=operator).content)


def test_keys_of_others_do_not_give_their_jobs(api):
    """The same Idempotency-Key of another user makes another job."""
    key = [("idempotency-key", "night-1")]
    first = api.call("POST", "/v1/jobs", APPLICATION, token=api.token("mara"), headers=key)
    second = api.call("POST", "/v1/jobs", APPLICATION, token=api.token("jon"), headers=key)
    assert (first.status, second.status) == (201, 201)
    assert first.content["id"] != second.content["id"]
