"""``echelon token``: made, listed, revoked."""

from __future__ import annotations

import getpass


def test_a_new_token_is_printed_alone(echelon, service):
    """Standard output is the token, which can go into a file; a note says that it is the only time."""
    said = echelon(
        "token", "new", "--user", "bob", "--scopes", "read,operate", "--expires", "90d", "--label", "ci"
    )
    assert said.code == 0
    assert said.out == "ech_secret\n"
    assert "shown this once" in said.err
    assert service.bodies == [
        {"user": "bob", "scopes": ["read", "operate"], "label": "ci", "expires_in": 90 * 86400.0}
    ]


def test_what_is_not_said_is_you_and_the_least(echelon, service):
    """By default it is for the caller, to read and to submit."""
    assert echelon("token", "new", "--json").json["token"] == "ech_secret"
    assert service.bodies == [{"user": getpass.getuser(), "scopes": ["read", "submit"], "label": ""}]


def test_tokens_are_listed_and_revoked(echelon, service):
    """The list has no token in it."""
    out = echelon("token", "list").out
    assert out.splitlines()[3].split() == ["1", "bob", "read", "-", "ci"]
    assert "secret" not in out
    assert echelon("token", "revoke", 1).out == "Token 1 is revoked\n"
    assert service.requests[-1] == ("DELETE", "/v1/tokens/1")


def test_no_word_means_help(echelon):
    """A group without a default shows its commands."""
    assert "revoke" in echelon("token").out
