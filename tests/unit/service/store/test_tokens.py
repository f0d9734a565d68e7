"""Tokens are found by their hashes as long as they are valid, and nothing else of them is kept."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.service.store import Store

SECRET = "ech_abcdefghijklmnopqrstuvwxyz0123456789"


def digest(token):
    return hashlib.sha256(token.encode()).hexdigest()


def test_a_token_is_found_until_it_is_revoked(store):
    """By its hash, with user and scopes; afterwards it is listed, and worth nothing."""
    added = store.add_token(digest(SECRET), "ann", ["submit", "read"], label="laptop")
    assert store.token(digest(SECRET)) == added
    assert (added.number, added.user, added.scopes) == (1, "ann", {"read", "submit"})
    assert added.is_valid(time.time())
    assert store.token(digest("other")) is None
    revoked = store.revoke_token(1)
    assert store.tokens() == [revoked] == [store.token(digest(SECRET))]
    assert not revoked.is_valid(time.time())
    assert store.revoke_token(1) == revoked
    with pytest.raises(UnknownNameError, match=r"no token is named '2'"):
        store.revoke_token(2)


def test_a_token_expires(store):
    """At its time, to the moment, and not before."""
    now = time.time()
    store.add_token(digest("old"), "ann", ["read"], expires=now - 1)
    new = store.add_token(digest("new"), "ann", ["read"], expires=now + 1000)
    assert not store.token(digest("old")).is_valid(now)
    assert store.token(digest("new")) == new
    assert new.is_valid(now + 999.5)
    assert not new.is_valid(now + 1000)
    assert [token.number for token in store.tokens()] == [1, 2]


def test_only_hashes_are_taken(store):
    """A token itself, or what is no SHA-256, is refused, and so are a hash twice and strange scopes."""
    for wrong in (SECRET, "0" * 63, "G" * 64, "A" * 64, "0" * 64 + "\n", ""):
        with pytest.raises(InputError, match="hash: must be a SHA-256") as caught:
            store.add_token(wrong, "ann", ["read"])
        assert SECRET not in str(caught.value)
    store.add_token("0" * 64, "ann", ["read"])
    with pytest.raises(InputError, match="hash: is the one of another token"):
        store.add_token("0" * 64, "bob", ["read"])
    with pytest.raises(InputError, match="scopes"):
        store.add_token("1" * 64, "bob", ["read submit"])
    assert [token.user for token in store.tokens()] == ["ann"]


def test_the_token_itself_is_nowhere(tmp_path):
    """The files of a store have no word of a token but its hash."""
    with Store.open(tmp_path / "service.db") as store:
        store.add_token(digest(SECRET), "ann", ["read"])
        content = b"".join(Path(file).read_bytes() for file in tmp_path.iterdir())
        assert digest(SECRET).encode() in content
        assert SECRET.encode() not in content
