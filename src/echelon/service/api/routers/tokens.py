"""Tokens: made, listed, revoked."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from echelon.errors import InputError, UnknownNameError
from echelon.service.api.access.callers import Administrator, Serving
from echelon.service.api.answers.descriptions import example, problems
from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.strict_json import StrictRoute
from echelon.service.api.bodies.texts import PRINTABLE, NumberOrText
from echelon.service.api.bodies.times import seconds_of
from echelon.service.store.tokens import TokenRecord
from echelon.service.tokens import hash_of, new_token, scopes_of, user_of

router = APIRouter(prefix="/v1", tags=["tokens"], route_class=StrictRoute)

LONGEST_LIFE = 366 * 86400.0
"""Seconds: a token that is forgotten somewhere ends some day."""

_TOKEN = {
    **{"number": 3, "user": "mara", "scopes": ["read", "submit"], "label": "laptop"},
    **{"expires": 1775001600.0, "revoked": False},
}


class TokenBody(BaseModel):
    """A token to be made."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"user": "mara", "scopes": ["read", "submit"], "expires_in": "90 d"}],
        },
    )

    user: StrictStr = Field(description="Whose jobs it submits and sees.", max_length=64)
    scopes: list[StrictStr] = Field(
        min_length=1, max_length=5, description="Of `read`, `submit`, `script`, `operate`, `admin`."
    )
    expires_in: NumberOrText = Field(
        "90 d", description='Seconds, or text such as `"30 d"`; at most 366 days.'
    )
    label: StrictStr = Field("", max_length=100, pattern=PRINTABLE, description="For people.")


class TokenAnswer(BaseModel):
    """A token, without itself."""

    number: int = Field(description="By which it is revoked.")
    user: str
    scopes: list[str]
    label: str
    expires: float | None = Field(description="Unix time in seconds.")
    revoked: bool


class NewToken(TokenAnswer):
    """A token just made."""

    token: str = Field(description="Shown once, kept nowhere.")


class TokensAnswer(BaseModel):
    """All tokens."""

    tokens: list[TokenAnswer]


@router.post(
    "/tokens",
    summary="Make a token",
    status_code=201,
    response_model=NewToken,
    responses={
        **problems(413, 415),
        201: example({**_TOKEN, "token": "ech_" + "x" * 43}, "The token; this is the only time it is shown."),
    },
)
def make(body: TokenBody, _: Administrator, service: Serving) -> NewToken:
    """Make a token for a user; the service keeps a hash of it."""
    seconds = seconds_of(body.expires_in, "expires_in")
    if seconds > LONGEST_LIFE:
        raise InputError(f"got {body.expires_in!a:.40}, expected at most 366 d", field="expires_in")
    token, expires = new_token(), time.time() + seconds
    user, scopes = user_of(body.user), scopes_of(body.scopes)
    row = service.store.add_token(hash_of(token), user, scopes, expires, body.label)
    return NewToken(**_answer(row).model_dump(), token=token)


@router.get(
    "/tokens",
    summary="List tokens",
    response_model=TokensAnswer,
    responses={**problems(), 200: example({"tokens": [_TOKEN]}, "All, by number, without themselves.")},
)
def list_tokens(_: Administrator, service: Serving) -> TokensAnswer:
    """Return all tokens, with those that are worth nothing any more."""
    return TokensAnswer(tokens=[_answer(row) for row in service.store.tokens()])


@router.delete(
    "/tokens/{number}",
    summary="Revoke a token",
    status_code=204,
    responses={**problems(404), 204: {"description": "It is worth nothing any more."}},
)
def revoke(
    number: Annotated[int, Path(ge=1, le=2**53, description="Its number.", examples=[3])],
    _: Administrator,
    service: Serving,
) -> Response:
    """Make a token worth nothing, at once; streams that it has open end at their next sign of life."""
    try:
        service.store.revoke_token(number)
    except UnknownNameError as error:
        raise Problem(404, f"there is no token {number}", field="number") from error
    return Response(status_code=204)


def _answer(row: TokenRecord) -> TokenAnswer:
    return TokenAnswer(
        number=row.number,
        user=row.user,
        scopes=list(scopes_of(row.scopes)),
        label=row.label,
        expires=row.expires_at,
        revoked=row.revoked_at is not None,
    )
