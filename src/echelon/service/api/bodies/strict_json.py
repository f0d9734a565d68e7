"""Bodies of requests: JSON without double keys, NaN, or anything that parsers read differently."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from echelon.service.api.access.callers import known_caller_of
from echelon.service.api.answers.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from fastapi import Response

_LARGE = 100_000
"""Bytes of a body that takes milliseconds to parse."""

_MOST_PARTS = 500_000
"""Lists and objects in a body: a few bytes of text each, and many more of memory."""


def parse_strictly(body: bytes) -> Any:  # noqa: ANN401  (any JSON)
    """Return what a JSON text says.

    Raises
    ------
    Problem
        400 if it is not UTF-8, no JSON, too deeply nested or too large in memory; or if it has a key twice or
        a number beyond floats, as other programs could read something else in it.
    """
    if body.count(b"[") + body.count(b"{") > _MOST_PARTS:
        raise Problem(400, f"the body has more than {_MOST_PARTS} brackets", field="body")
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_float,
        )
    except RecursionError:
        raise Problem(400, "the body is nested too deeply", field="body") from None
    except UnicodeDecodeError as error:
        raise Problem(400, f"the body is not UTF-8 at byte {error.start}", field="body") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Problem(400, f"the body is not JSON: {error.msg} at {where}", field="body") from None
    except ValueError as error:
        raise Problem(400, f"the body is not fit: {ascii(str(error))[1:-1][:200]}", field="body") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        # The set grows as names pass; the first that is in it already is the one that is there twice.
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        message = f"the key {twice[:60]!r} is there twice"
        raise ValueError(message)
    return fields


def _no_constant(name: str) -> float:
    message = f"{name} is not a number in JSON"
    raise ValueError(message)


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        message = f"{text[:60]} is beyond every number"
        raise ValueError(message)
    return number


class StrictRequest(Request):
    """A request whose body is parsed strictly."""

    async def json(self) -> Any:  # noqa: ANN401  (any JSON)
        """Return the body; see `parse_strictly`."""
        body = await self.body()
        if len(body) <= _LARGE:
            return parse_strictly(body)
        # A large one would keep all others waiting, and many of them fill the memory.
        async with self.app.state.large_bodies:
            return await run_in_threadpool(parse_strictly, body)


class StrictRoute(APIRoute):
    """A route whose requests have strict bodies, of JSON and no other type."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        handler = super().get_route_handler()
        has_body = self.body_field is not None

        async def strict(request: Request) -> Response:
            if has_body:
                # Nothing is read from, or parsed for, an unknown caller.
                await known_caller_of(request)
                _check_type(request)
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


def _check_type(request: Request) -> None:
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        got = f"{content_type[:60]!a}" if content_type else "none"
        raise Problem(415, f"must be application/json, got {got}", field="Content-Type")
    if "content-encoding" in request.headers:
        raise Problem(415, "a body may not be compressed", field="Content-Encoding")
