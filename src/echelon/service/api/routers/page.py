"""Page: the live page in a browser, and who looks at it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, Field

from echelon.service.api.access.callers import Reader
from echelon.service.api.answers.descriptions import example, problems
from echelon.service.api.answers.problems import Problem
from echelon.service.page.assets import Asset, asset
from echelon.service.tokens import SCOPES

router = APIRouter(tags=["page"])

_POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "connect", "img")),
        *(f"{kind} 'none'" for kind in ("base-uri", "form-action", "frame-ancestors")),
    )
)
"""What the page may load, and from where: its own files and answers, from here."""

_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Asked for each time, sent only if it has changed: a new version of the service brings a new page.
    "Cache-Control": "no-cache",
}

_Etags = Annotated[str | None, Header(alias="If-None-Match")]


class CallerAnswer(BaseModel):
    """Who calls."""

    user: str = Field(description="The name.")
    scopes: list[str] = Field(description="Of `read`, `submit`, `script`, `operate`, `admin`.")


@router.get("/", include_in_schema=False)
def page(if_none_match: _Etags = None) -> Response:
    """Return the page; it holds nothing of the service and needs no token."""
    return _response(asset("page.html"), "/", if_none_match)


@router.get("/page/{name}", include_in_schema=False)
def part(name: str, if_none_match: _Etags = None) -> Response:
    """Return a file of the page."""
    file = None if name.endswith(".html") else asset(name)
    return _response(file, f"/page/{name}", if_none_match)


@router.get(
    "/v1/caller",
    summary="Show who calls",
    response_model=CallerAnswer,
    responses={**problems(), 200: example({"user": "mara", "scopes": ["read", "submit"]}, "You.")},
)
def show_caller(caller: Reader) -> CallerAnswer:
    """Return as whom the service knows the caller, and what the caller may do."""
    return CallerAnswer(user=caller.user, scopes=[scope for scope in SCOPES if scope in caller.scopes])


def _response(file: Asset | None, path: str, etags: str | None) -> Response:
    if file is None:
        raise Problem(404, f"there is nothing at {path[:200]!a}; the page is at /")
    headers = {**_HEADERS, "ETag": file.etag}
    if etags is not None and file.etag in (one.strip() for one in etags.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)
