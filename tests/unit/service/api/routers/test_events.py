"""Events: streams that begin where they are asked to, show what may be seen, and end when they should."""

from __future__ import annotations

import json
import threading
import time

import pytest

from echelon.service.api.access.limits import Limits

APPLICATION = {"application": "solver", "parameters": {"cells": 5}}


MOMENT = 0.1
"""Seconds in which what must not come would come."""


def once_sent(api, act, *, events=0, comments=0):
    """Do something a moment after a stream has sent so much, however long a busy machine takes for that."""

    def is_sent():
        return (
            api.app.state.feed.streams
            and api.body.count(b"\nid: ") + api.body.startswith(b"id: ") >= events
            and api.body.count(b": alive\n") >= comments
        )

    def wait():
        end = time.monotonic() + 20
        while not is_sent() and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(MOMENT)
        act()

    threading.Thread(target=wait, daemon=True).start()


def followed(api, path="/v1/events", *, events=0, comments=0, **call):
    """Return the events and comments of a stream that the service ends when it has sent so many."""
    once_sent(api, api.app.state.feed.close, events=events, comments=comments)
    answer = api.call("GET", path, **call)
    assert answer.status == 200, answer.content
    assert answer.headers["content-type"].startswith("text/event-stream")
    return answer.content.decode()


def numbers(text):
    """Return the numbers of the events of a stream, in their order, each as in its data."""
    parts = [part.splitlines() for part in text.split("\n\n") if part.startswith("id: ")]
    for part in parts:
        assert [line.partition(":")[0] for line in part] == ["id", "event", "data"]
        assert json.loads(part[2].removeprefix("data: "))["number"] == int(part[0].removeprefix("id: "))
    return [int(part[0].removeprefix("id: ")) for part in parts]


@pytest.mark.parametrize(
    ("path", "last", "expected"),
    [
        ("/v1/events", None, []),
        ("/v1/events?after=0", None, [1, 2, 3]),
        ("/v1/events?after=2", None, [3]),
        ("/v1/events?after=0", "2", [3]),
        ("/v1/events", "1", [2, 3]),
        ("/v1/events?after=99", None, []),
        ("/v1/events?after=0&job=2", None, [2]),
    ],
)
def test_where_a_stream_begins(api, path, last, expected):
    """A stream begins after the number that is asked for, and one that connects again after its last."""
    for _ in range(3):
        api.call("POST", "/v1/jobs", APPLICATION)
    headers = [("last-event-id", last)] if last else []
    assert numbers(followed(api, path, events=len(expected), headers=headers)) == expected


def test_long_histories_come_whole(api):
    """More events than are read at once all come, each once and in order."""
    for number in range(1203):
        api.service.store.note("cluster", "alpha", "open", f"Look {number}.")
    assert numbers(followed(api, "/v1/events?after=0", events=1203)) == list(range(1, 1204))


def test_only_what_may_be_seen(api):
    """A user's stream has the user's jobs and clusters, not the jobs of others; an operator's has all."""
    mine, theirs, all_ = api.token("mara"), api.token("jon"), api.token("op", scopes=["read", "operate"])
    api.call("POST", "/v1/jobs", APPLICATION, token=theirs)
    api.call("POST", "/v1/jobs", APPLICATION, token=mine)
    api.service.store.note("attempt", api.service.store.kept[1].id, "ACCEPTED")
    api.service.store.note("cluster", "alpha", "drained")
    api.service.store.note("job", "no such job", "QUEUED")
    assert numbers(followed(api, "/v1/events?after=0", events=2, token=mine)) == [2, 4]
    assert numbers(api.call("GET", "/v1/events?after=0", token=all_).content.decode()) == []
    api.app.state.feed.is_closed = False
    assert numbers(followed(api, "/v1/events?after=0", events=5, token=all_)) == [1, 2, 3, 4, 5]


def test_a_reason_cannot_forge_an_event(api):
    """Line feeds in a reason stay within its event."""
    api.service.store.note("cluster", "alpha", "open", "x\n\nid: 99\nevent: job\ndata: {}\n\n")
    assert numbers(followed(api, "/v1/events?after=0", events=1)) == [1]


@pytest.mark.slow
def test_streams_show_signs_of_life_and_end_with_their_token(make):
    """A quiet stream sends comments, and ends soon after its token was revoked or has expired."""
    api = make(Limits(keep_alive=0.05))
    assert followed(api, comments=3).count(": alive\n") >= 3
    api = make(Limits(keep_alive=0.05))
    token = api.token()
    once_sent(api, lambda: api.service.store.revoke_token(1), comments=1)
    begun = time.monotonic()
    text = api.call("GET", "/v1/events", token=token).content.decode()
    assert time.monotonic() - begun < 10
    assert text.count(": alive\n") >= 1
    assert api.app.state.feed.streams == 0


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "9" * 30, "٣", "1\r\ndata: x"])
def test_what_is_no_number_of_an_event(api, last):
    """A header that is no number is 422."""
    headers = [("last-event-id", last)] if last.isascii() else []
    path = "/v1/events" if last.isascii() else f"/v1/events?after={last}"
    assert api.call("GET", path, headers=headers).status == 422


def test_too_many_streams(make):
    """Above their number a further stream is put off, as each holds a connection."""
    api = make(Limits(streams=0))
    answer = api.call("GET", "/v1/events")
    assert (answer.status, "retry-after" in answer.headers) == (429, True)
