"""Problems: every answer that is not what was asked for, in the form of RFC 9457."""

from __future__ import annotations

import json
import math
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from echelon.errors import EchelonError, InputError, NoSiteError, UnknownNameError
from echelon.service.api.bodies.texts import PHRASES
from echelon.service.refusals import BusyError, ConflictError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastapi import FastAPI

MEDIA_TYPE = "application/problem+json"

_LONGEST = 2000
_MOST_MISTAKES = 100


class Problem(HTTPException):
    """An answer that is not what was asked for.

    Parameters
    ----------
    status : int
        Of HTTP.
    detail : str
        One sentence or two.
    field : str, optional
        Which field, parameter or header of the request is wrong.
    headers : mapping of str to str, optional
        Of the answer.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, headers)
        self.field = field


class Mistake(BaseModel):
    """One of several mistakes of a request."""

    field: str = Field(description="Where it is, such as `jobs.3.processors`.")
    detail: str = Field(description="What is wrong, as a sentence.")


class ProblemAnswer(BaseModel):
    """A problem as in RFC 9457."""

    type: str = Field("about:blank", description="Always `about:blank`: the status says what kind it is.")
    title: str = Field(description="The name of the status.")
    status: int = Field(description="The status of the answer.", ge=400, le=599)
    detail: str = Field(description="What is wrong, got, expected, and what to do.")
    field: str | None = Field(None, description="Which field, parameter or header is wrong.")
    errors: list[Mistake] | None = Field(None, description="All mistakes, where there may be several.")


def answer_of(
    status: int,
    detail: str,
    field: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    errors: Sequence[Mapping[str, str]] = (),
) -> Response:
    """Return a problem as a response; what does not fit into UTF-8 is escaped."""
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": _phrase(status),
        "status": status,
        "detail": detail[:_LONGEST],
    }
    if field is not None:
        content["field"] = field[:_LONGEST]
    if errors:
        content["errors"] = list(errors)
    return Response(json.dumps(content), status, headers, MEDIA_TYPE)


def problem_of(error: EchelonError) -> Problem:
    """Return what an error of Echelon is for a caller: a mistake of the request, or the state of things."""
    field = getattr(error, "field", None)
    if isinstance(error, BusyError):
        seconds = max(1, math.ceil(error.retry_after))
        return Problem(429, str(error), headers={"Retry-After": str(seconds)})
    if isinstance(error, ConflictError):
        return Problem(409, str(error))
    if isinstance(error, NoSiteError):
        return Problem(409, str(error))
    if isinstance(error, UnknownNameError):
        return Problem(422, str(error), field=error.where)
    if isinstance(error, InputError):
        return Problem(422, error.problem if field else str(error), field=field)
    return Problem(503, getattr(error, "problem", str(error)), headers={"Retry-After": "10"})


_FIXED = {
    "missing": "is missing",
    "extra_forbidden": "is not known here; see /v1/openapi.json",
    "model_attributes_type": "expected an object with fields",
    "model_type": "expected an object with fields",
    "dict_type": "expected an object with fields",
}
"""Sentences for mistakes that need no value, by the library's name of their kind."""
_SHOULD = re.compile(r"(?:\w+ )?should (?:be|have) (.+?)(?: after validation, not \d+)?$", re.DOTALL)


def add_problems(app: FastAPI) -> None:
    """Let an application answer every error with a problem."""
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(EchelonError, _of_echelon)
    app.add_exception_handler(TimeoutError, _of_delay)
    app.add_exception_handler(Exception, _of_fault)


def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = str(error.detail)
    if error.status_code == 404 and detail == _phrase(404):
        detail = f"there is nothing at {request.scope['path']!a:.200}; see /v1/openapi.json"
    elif error.status_code == 405 and detail == _phrase(405):
        allowed = ", ".join(_methods(request))
        detail = f"{request.method!a:.20} is not possible here, only {allowed}"
        return answer_of(405, detail, headers={"Allow": allowed})
    return answer_of(error.status_code, detail, getattr(error, "field", None), headers=error.headers)


def _methods(request: Request) -> list[str]:
    """Return the methods of all routes at a path; the router knows those of the first."""
    path, routes = request.scope["path"], request.app.state.routes
    return sorted({method for one in routes if one.path_regex.match(path) for method in one.methods}) or [
        "GET"
    ]


def _of_validation(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    mistakes = [
        {"field": _place(one["loc"]), "detail": _sentence(one)} for one in error.errors()[:_MOST_MISTAKES]
    ]
    first = mistakes[0]
    return answer_of(422, first["detail"], first["field"], errors=mistakes)


def _of_echelon(request: Request, error: Exception) -> Response:
    assert isinstance(error, EchelonError)
    return _of_http(request, problem_of(error))


def _of_delay(_: Request, __: Exception) -> Response:
    problem = "the service did not answer in time; what was wished may still be done"
    return answer_of(503, problem, headers={"Retry-After": "10"})


def _of_fault(_: Request, __: Exception) -> Response:
    # What failed is in the service's log: it may hold what is no caller's business.
    return answer_of(500, "the service failed at this request; its log says why")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Problem"


def _place(location: Sequence[int | str]) -> str:
    """Return the name of a field without where it is sent, which is clear from its name."""
    parts = [str(part) for part in location if part not in ("body", "query", "path", "header")]
    return ".".join(parts)[:200] or "body"


def _sentence(mistake: Mapping[str, Any]) -> str:
    """Return what a library found wrong: what it got, where that is short and no secret, and expected."""
    kind, message = str(mistake.get("type")), str(mistake["msg"]).removeprefix("Value error, ")
    if kind in _FIXED:
        return _FIXED[kind]
    got = mistake.get("input")
    shown = f"got {ascii(got)[:60]}" if isinstance(got, str | int | float | bool | None) else ""
    if kind == "string_pattern_mismatch":
        message = f"should be {PHRASES.get(mistake['ctx']['pattern'], mistake['ctx']['pattern'])}"
    expected = _SHOULD.match(message)
    if expected is None:
        return f"{message}, {shown}" if shown else message
    expectation = expected[1].replace("greater than or equal to", "at least")
    expectation = expectation.replace("less than or equal to", "at most")
    return f"{shown}, expected {expectation}" if shown else f"expected {expectation}"
