"""Guards: bodies that are too large or slow, and requests for other hosts."""

from __future__ import annotations

import json
import time

import pytest

from echelon.service.api.access.limits import Limits

SMALL = Limits(body=300, batch=900, body_seconds=0.2)


def body_of(size):
    """Return a valid job of so many bytes."""
    empty = len(json.dumps({"command": [""]}))
    return json.dumps({"command": ["x" * (size - empty)]}).encode()


def test_bodies_are_counted_as_they_come(make):
    """A body of the limit is taken and one byte more is not, said or not said, in one part or many."""
    api = make(SMALL)
    assert api.call("POST", "/v1/jobs", body_of(300)).status == 201
    for headers in ([], [("content-length", "301")], [("content-length", "5")]):
        answer = api.call("POST", "/v1/jobs", body_of(301), headers=headers)
        assert (answer.status, answer.headers["connection"]) == (413, "close")
        assert answer.content["detail"] == "the body is larger than 300 bytes; send less at once"
    chunks = [bytes([byte]) for byte in body_of(301)]
    assert api.call("POST", "/v1/jobs", parts=chunks).status == 413
    assert api.call("POST", "/v1/jobs", parts=chunks[:-2]).status == 400
    said = api.call("POST", "/v1/jobs", b"{}", headers=[("content-length", "9" * 400)])
    assert said.status == 413
    assert len(api.service.store.kept) == 1


def test_batches_have_a_limit_of_their_own(make):
    """A batch may be larger than a job, and not larger than batches may be."""
    api = make(SMALL)
    batch = {"jobs": [{"command": ["x" * 50]}] * 8}
    assert api.call("POST", "/v1/jobs:batch", batch).status == 201
    assert api.call("POST", "/v1/jobs:batch", {"jobs": batch["jobs"] * 3}).status == 413


def test_a_slow_body_is_given_up(make):
    """A body that trickles in is given up after its time, however often a part of it comes."""
    answer = make(SMALL).call("POST", "/v1/jobs", parts=[b"{", *(0.05, b" ") * 20])
    assert (answer.status, answer.headers["connection"]) == (408, "close")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("localhost", 200), ("localhost:8642", 200), ("LOCALHOST", 200), ("127.0.0.1:80", 200)),
        *(("[::1]:8642", 200), ("10.0.0.7:8642", 200), ("grid.site.example", 200), ("127.9.9.9", 200)),
        *(("evil.example", 421), ("10.0.0.8", 421), ("localhost.evil.example", 421), ("", 421)),
        *(("localhost:80:80", 421), ("localhost/x", 421), ("[::2]", 421), ("127.0.0.1.evil.example", 421)),
    ],
)
def test_hosts_over_tcp(make, host, status):
    """Over TCP only names of this machine and of the configuration are answered."""
    api = make(Limits(hosts=("grid.site.example",)))
    assert api.call("GET", "/v1/healthz", tcp=True, headers=[("host", host)]).status == status
    assert api.call("GET", "/v1/healthz", headers=[("host", host)]).status == 200


def test_two_hosts_are_none(make):
    """A request with two hosts is answered for neither."""
    headers = [("host", "evil.example"), ("x-twice", "1")]
    assert make().call("GET", "/v1/healthz", tcp=True, headers=headers).status == 421


def test_answers_are_for_nobody_else(api):
    """Browsers keep no copy of an answer, good or bad, and do not guess what it is."""
    for path in ("/v1/jobs", "/v1/jobs/99", "/nowhere", "/metrics"):
        headers = api.call("GET", path).headers
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")


@pytest.mark.parametrize("path", ["/v1/jobs", "/v1/jobs:batch", "/v1/tokens", "/v1/select"])
def test_nothing_is_read_from_strangers(api, path):
    """Who has no token gets 401 at once: a body that never comes is not waited for."""
    begun = time.monotonic()
    assert api.call("POST", path, tcp=True, parts=[b"{", 30.0, b"}"]).status == 401
    assert time.monotonic() - begun < 10


@pytest.mark.slow
def test_large_bodies_are_read_beside_others(api):
    """A batch of many jobs in a body of a megabyte is taken."""
    batch = {"jobs": [{"command": ["x" * 1000]}] * 1000}
    assert len(api.call("POST", "/v1/jobs:batch", batch).content["jobs"]) == 1000


@pytest.mark.parametrize("host", ["[", "a b", "x" * 9000, "[::1", "http://x/", "\x00", "é"])
def test_odd_hosts_break_nothing(api, host):
    """On the Unix socket a host says nothing, however odd it is; over TCP it is refused."""
    assert api.call("GET", "/nowhere", headers=[("host", host)]).status == 404
    assert api.call("GET", "/v1/healthz", headers=[("host", host)]).status == 200
    assert api.call("GET", "/v1/healthz", tcp=True, headers=[("host", host)]).status == 421
