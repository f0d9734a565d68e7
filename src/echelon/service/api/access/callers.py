"""Callers: who sends a request, and what the sender may do."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from echelon.service.api.access.peers import PEER, is_own, user_of_peer
from echelon.service.api.answers.problems import Problem
from echelon.service.service import Service
from echelon.service.tokens import SCOPES, hash_of, is_token

_OF_OTHERS = ("read", "submit")
"""What other users of this machine may do where the socket lets them."""

_CALLER = "echelon.caller"
_ASK = {"WWW-Authenticate": 'Bearer realm="echelon"'}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request.

    Attributes
    ----------
    user : str
        The name.
    scopes : frozenset of str
        What the caller may do, of `echelon.service.tokens.SCOPES`.
    """

    user: str
    scopes: frozenset[str]

    @property
    def sees_all(self) -> bool:
        """Whether the jobs of others are the caller's business."""
        return "operate" in self.scopes

    @property
    def owner(self) -> str | None:
        """Whose jobs the caller sees; None: those of all."""
        return None if self.sees_all else self.user

    def needs(self, scope: str, what: str) -> None:
        """Refuse a caller without a scope.

        Raises
        ------
        Problem
            403, with what the scope is needed for.
        """
        if scope not in self.scopes:
            own = ", ".join(one for one in SCOPES if one in self.scopes) or "none"
            raise Problem(403, f"{what} need the scope {scope}; {self.user} has {own}")


async def service_of(request: Request) -> Service:
    """Return the service that answers."""
    return cast("Service", request.app.state.service)


async def caller_of(request: Request) -> Caller:
    """Return who sends a request.

    A token counts wherever it is given. Without one the user at the other end of a Unix socket is the
    caller: the service's own user and root may do all, others what needs no trust.

    Raises
    ------
    Problem
        401 if its sender is not known.
    """
    headers = request.headers.getlist("authorization")
    if headers:
        return await run_in_threadpool(_by_token, headers, await service_of(request))
    uid = request.scope.get(PEER)
    if uid is None:
        raise Problem(401, "a token is needed: Authorization: Bearer ech_...", headers=_ASK)
    scopes = SCOPES if is_own(uid) else _OF_OTHERS
    return Caller(user_of_peer(uid), frozenset(scopes))


async def known_caller_of(request: Request) -> Caller:
    """Return who sends a request, asked for once."""
    if _CALLER not in request.scope:
        request.scope[_CALLER] = await caller_of(request)
    return cast("Caller", request.scope[_CALLER])


def _by_token(headers: list[str], service: Service) -> Caller:
    scheme, _, token = headers[0].partition(" ")
    row = None
    if len(headers) == 1 and scheme.lower() == "bearer" and is_token(token.strip()):
        row = service.store.token(hash_of(token.strip()))
    if row is None or row.revoked_at is not None:
        raise Problem(401, "this token is not one of this service, or was revoked", headers=_ASK)
    if row.expires_at is not None and row.expires_at <= time.time():
        raise Problem(401, "this token has expired; ask for a new one", headers=_ASK)
    return Caller(row.user, frozenset(row.scopes))


bearer = HTTPBearer(
    scheme_name="token",
    description="`ech_...` of `echelon token new`; on the Unix socket none is needed.",
    auto_error=False,
)


def require_scope(scope: str, what: str) -> Callable[..., Awaitable[Caller]]:
    """Return what finds the caller of a route and refuses one without a scope.

    Parameters
    ----------
    scope : str
        The scope.
    what : str
        What needs it, in the plural.
    """

    async def find(
        caller: Annotated[Caller, Depends(known_caller_of)],
        _: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)] = None,
    ) -> Caller:
        caller.needs(scope, what)
        return caller

    return find


Serving = Annotated[Service, Depends(service_of)]
Reader = Annotated[Caller, Depends(require_scope("read", "views of jobs and clusters"))]
Submitter = Annotated[Caller, Depends(require_scope("submit", "submissions and wishes"))]
Operator = Annotated[Caller, Depends(require_scope("operate", "changes of clusters"))]
Administrator = Annotated[Caller, Depends(require_scope("admin", "tokens"))]
