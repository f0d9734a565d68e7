"""Health: whether the service lives and decides, without a token."""

from __future__ import annotations


def test_health_needs_no_token(make):
    """A service that does not decide is alive and not ready."""
    api = make(ready=False)
    assert api.call("GET", "/v1/healthz", tcp=True).status == 200
    answer = api.call("GET", "/v1/readyz", tcp=True)
    assert (answer.status, answer.headers["content-type"]) == (503, "application/problem+json")
    api.service.ready = True
    assert api.call("GET", "/v1/readyz", tcp=True).content == {"status": "ok"}
    assert api.call("GET", "/metrics", tcp=True).status == 401
