"""What goes wrong between a client and a service, as sentences."""

from __future__ import annotations

import json

import pytest

from echelon.client.address import Address
from echelon.client.problems import loss_of, refusal_of, unreachable_error

ADDRESS = Address("/run/e.sock")


@pytest.mark.parametrize(
    ("status", "problem", "sentence", "field"),
    [
        (
            422,
            {"detail": "must be at least 1", "field": "processors"},
            "processors: must be at least 1",
            "processors",
        ),
        (422, {"detail": "name: no such", "field": "name"}, "name: no such", None),
        (404, {"detail": "there is no job 9", "field": "job"}, "there is no job 9", None),
        (409, {"title": "Conflict"}, "Conflict", None),
        (403, {"detail": "a\nb\x1b[2J"}, "a\\nb\\x1b[2J", None),
        (
            401,
            {"detail": "a token is needed"},
            "a token is needed; set ECHELON_TOKEN, or put a token into the token file",
            None,
        ),
        (502, "<html>", "the service at unix:///run/e.sock answered with status 502", None),
        (500, [], "the service at unix:///run/e.sock answered with status 500", None),
    ],
)
def test_refusals(status, problem, sentence, field):
    """The detail of a problem, with its field where the request is wrong; nothing that moves a cursor."""
    error = refusal_of(ADDRESS, status, json.dumps(problem).encode())
    assert (str(error), error.status, error.field) == (sentence, status, field)
    assert not error.is_unclear


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(), "no service answers at unix:///run/e.sock; start one with: echelon serve"),
        (ConnectionRefusedError(), "no service answers at unix:///run/e.sock; start one with: echelon serve"),
        (PermissionError(), "the socket of the service at unix:///run/e.sock belongs to another user"),
        (TimeoutError(), "no service answers at unix:///run/e.sock: no connection in time"),
        (
            OSError("AF_UNIX path too long"),
            "unix:///run/e.sock: the path is longer than a socket's may be; choose a shorter one",
        ),
        (
            OSError(101, "Network is unreachable"),
            "no service answers at unix:///run/e.sock: Network is unreachable",
        ),
    ],
)
def test_no_connection(error, sentence):
    """Each reason has its sentence; nothing was sent, so nothing is unclear."""
    found = unreachable_error(ADDRESS, error)
    assert (str(found), found.status, found.is_unclear) == (sentence, None, False)


def test_no_answer():
    """What was sent may have arrived."""
    assert (
        str(loss_of(ADDRESS, TimeoutError()))
        == "the answer of the service at unix:///run/e.sock has not come in time"
    )
    assert loss_of(ADDRESS, ConnectionResetError()).is_unclear
