"""Tokens: their hashes, whose they are, and what they allow."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from echelon.errors import InputError, UnknownNameError
from echelon.service.store.rows import exact
from echelon.service.store.schema import tokens

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from echelon.service.store.transaction import Transaction

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token, without the token.

    Attributes
    ----------
    number : int
        From 1, by which it is revoked.
    user : str
        Whose it is.
    scopes : frozenset of str
        What it allows.
    label : str
        What it is for.
    created_at : float
        Unix time in seconds, as all times here.
    expires_at, revoked_at : float, optional
        From when on it is worth nothing; None: never, or not revoked.
    """

    number: int
    user: str
    scopes: frozenset[str]
    label: str = ""
    created_at: float = 0.0
    expires_at: float | None = None
    revoked_at: float | None = None

    def is_valid(self, now: float) -> bool:
        """Return whether it is worth anything at `now`."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


def add(transaction: Transaction, digest: str, token: TokenRecord) -> TokenRecord:
    """Keep the SHA-256 of a token; return the token with its number.

    Raises
    ------
    InputError
        If it is no SHA-256 in 64 small hexadecimal digits, or is already there, or a scope has blanks.
    """
    if not _HASH.fullmatch(digest):
        raise InputError("must be a SHA-256 of 64 small hexadecimal digits", field="hash")
    if any(not scope or " " in scope for scope in token.scopes):
        raise InputError(f"must be names without blanks, got {sorted(token.scopes)}", field="scopes")
    exact(token.user, "user")
    exact(token.label, "label")
    if find(transaction.connection, digest) is not None:
        raise InputError("is the one of another token", field="hash")
    row = {
        "number": transaction.take("tokens")[0],
        "hash": digest,
        "user_name": token.user,
        "scopes": " ".join(sorted(token.scopes)),
        "label": token.label,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
    }
    transaction.connection.execute(insert(tokens).values(row))
    return _token_of({**row, "revoked_at": None})


def revoke(transaction: Transaction, number: int, now: float) -> TokenRecord:
    """Revoke a token; one that is revoked stays as it is.

    Raises
    ------
    UnknownNameError
        If there is no token of that number.
    """
    chosen = tokens.c.number == number
    numbers = [token.number for token in list_all(transaction.connection)]
    if number not in numbers:
        raise UnknownNameError("token", str(number), [str(one) for one in numbers])
    first = update(tokens).where(chosen, tokens.c.revoked_at.is_(None))
    transaction.connection.execute(first.values(revoked_at=now))
    return _token_of(transaction.connection.execute(select(tokens).where(chosen)).mappings().one())


def find(connection: Connection, digest: str) -> TokenRecord | None:
    """Return the token with this SHA-256, valid or not; None: there is none."""
    row = connection.execute(select(tokens).where(tokens.c.hash == digest)).mappings().first()
    return None if row is None else _token_of(row)


def list_all(connection: Connection) -> list[TokenRecord]:
    """Return all tokens, by number, with those that are not valid any more."""
    rows = connection.execute(select(tokens).order_by(tokens.c.number)).mappings()
    return [_token_of(row) for row in rows]


def _token_of(row: RowMapping | dict[str, object]) -> TokenRecord:
    scopes = frozenset(str(row["scopes"]).split())
    names = ("number", "label", "created_at", "expires_at", "revoked_at")
    return TokenRecord(user=row["user_name"], scopes=scopes, **{name: row[name] for name in names})  # type: ignore[arg-type]
