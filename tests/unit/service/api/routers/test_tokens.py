"""Tokens: made, used, listed, revoked."""

from __future__ import annotations

import time

import pytest

MARA = {"user": "mara", "scopes": ["submit", "read"], "expires_in": "30 d", "label": "laptop"}


def test_the_life_of_a_token(api):
    """A token works from when it is made until it is revoked, and is shown and kept nowhere but once."""
    made = api.call("POST", "/v1/tokens", MARA)
    assert made.status == 201
    assert made.headers["cache-control"] == "no-store"
    token = made.content.pop("token")
    assert made.content["scopes"] == ["read", "submit"]
    assert abs(made.content["expires"] - time.time() - 30 * 86400) < 60
    assert api.call("GET", "/v1/jobs", token=token).status == 200
    assert api.call("GET", "/v1/tokens").content == {"tokens": [made.content]}
    assert token not in str(api.service.store)
    assert api.call("DELETE", "/v1/tokens/1").status == 204
    assert api.call("GET", "/v1/jobs", token=token).status == 401
    assert api.call("GET", "/v1/tokens").content["tokens"][0]["revoked"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"user": "a b"}, "user"),
        ({"user": "root\n"}, "user"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["all"]}, "scopes"),
        ({"expires_in": "400 d"}, "expires_in"),
        ({"expires_in": 0}, "expires_in"),
        ({"expires_in": None}, "expires_in"),
        ({"label": "two\nlines"}, "label"),
        ({"token": "ech_mine"}, "token"),
    ],
)
def test_what_is_no_token(api, change, field):
    """A token has a user, scopes and an end; nobody chooses its text."""
    answer = api.call("POST", "/v1/tokens", {**MARA, **change})
    assert (answer.status, answer.content["field"]) == (422, field)
    assert not api.service.store.tokens()


def test_unknown_tokens(api):
    """What is no token's number is 404 or 422."""
    assert api.call("DELETE", "/v1/tokens/7").status == 404
    assert api.call("DELETE", "/v1/tokens/x").status == 422
