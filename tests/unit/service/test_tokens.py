"""Tokens: their form, hashes and scopes."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.service.tokens import hash_of, is_token, new_token, scopes_of, user_of


def test_tokens_are_random_and_have_a_form():
    """Two tokens differ, have 256 bits, and no part of one has the form of a token."""
    one, other = new_token(), new_token()
    assert one != other
    assert is_token(one)
    assert len(one) == len("ech_") + 43
    assert not any(is_token(one[:end]) for end in range(len(one)))
    assert not is_token(one + "\n")
    assert not is_token(one.upper())
    assert hash_of(one) != hash_of(other)


def test_scopes_are_ordered_and_known():
    """Scopes come in one order, each once; unknown ones and none are refused."""
    assert scopes_of(["submit", "read", "submit"]) == ("read", "submit")
    with pytest.raises(UnknownNameError, match="did you mean 'submit'"):
        scopes_of(["sumbit"])
    with pytest.raises(InputError, match="at least one"):
        scopes_of([])


@pytest.mark.parametrize("name", ["", "a b", "a\n", "x" * 65, "-x", "../etc", "ä"])
def test_names_of_users(name):
    """A user is named by letters, digits and a few signs."""
    assert user_of("mara.k@site-1") == "mara.k@site-1"
    with pytest.raises(InputError, match="user"):
        user_of(name)
