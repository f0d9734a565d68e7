"""Tokens: who calls a service over TCP, and what each may do."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

SCOPES = ("read", "submit", "script", "operate", "admin")
"""What a token may allow.

``read``: jobs of its user and the state of clusters. ``submit``: applications of the configuration, and
wishes for its user's jobs. ``script``: commands and scripts of its user's own. ``operate``: jobs of others,
and clusters. ``admin``: tokens. None contains another.
"""

_PREFIX = "ech_"
_BYTES = 32
_FORM = re.compile(rf"{_PREFIX}[A-Za-z0-9_-]{{43}}")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}")


def new_token() -> str:
    """Return a token of 256 random bits; it is shown once and kept nowhere."""
    return _PREFIX + secrets.token_urlsafe(_BYTES)


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token; the start of one has not."""
    return _FORM.fullmatch(text) is not None


def hash_of(token: str) -> str:
    """Return what the store keeps of a token: its SHA-256 in hexadecimal digits.

    A random token of 256 bits needs no slow hash. A look-up by the hash takes a time that says nothing about
    tokens, since no one can choose a hash.
    """
    return hashlib.sha256(token.encode("ascii")).hexdigest()


def scopes_of(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return scopes in the order of `SCOPES`, each once.

    Raises
    ------
    InputError
        If there is none.
    UnknownNameError
        If one is unknown.
    """
    wanted = set(scopes)
    for scope in sorted(wanted.difference(SCOPES)):
        raise UnknownNameError("scope", scope[:60], SCOPES, where="scopes")
    if not wanted:
        raise InputError(f"must name at least one of {', '.join(SCOPES)}", field="scopes")
    return tuple(scope for scope in SCOPES if scope in wanted)


def user_of(user: str) -> str:
    """Return the name of a user.

    Raises
    ------
    InputError
        If it is not of letters, digits and ``_.@-``, at most 64 characters.
    """
    if not _USER.fullmatch(user):
        raise InputError(f"must be of letters, digits and _.@-, at most 64, got {user!r:.80}", field="user")
    return user
