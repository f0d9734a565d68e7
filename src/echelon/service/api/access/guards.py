"""Guards: what is checked of every request before anything else reads it."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from typing import TYPE_CHECKING

from echelon.service.api.access.peers import PEER
from echelon.service.api.answers.problems import Problem, answer_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from echelon.service.api.access.limits import Limits

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]{1,5})?")
_CARE = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
_BATCHES = ("/v1/jobs:batch", "/v1/loads")


class Guards:
    """Passes on requests that are no larger, slower or further from home than they may be.

    Parameters
    ----------
    app : callable
        What answers, by ASGI.
    limits : Limits
        What a request may be.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._hosts = {"localhost", *(host.lower() for host in limits.hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return  # websockets: there are none
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        try:
            self._check_host(scope, headers)
            _check_origin(headers)
            most = self._limits.batch if scope["path"] in _BATCHES else self._limits.body
            _check_length(headers, most)
        except Problem as problem:
            await _refuse(problem, scope, receive, send)
            return
        body = _Body(receive, most, self._limits.body_seconds)
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": _with_care(message["headers"])}
            await send(message)

        try:
            await self._app(scope, body.receive, sending)
        except Problem as problem:
            if started:
                raise
            await _refuse(problem, scope, receive, send)

    def _check_host(self, scope: Scope, headers: list[tuple[bytes, bytes]]) -> None:
        """Refuse a request over TCP that is for another host.

        A page of elsewhere may have its own name lead to this address; its requests say that name.
        """
        if scope.get(PEER) is not None:
            return
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None or not self._is_ours(match["name"].lower(), scope):
            shown = f"{hosts[0][:100]!a}" if hosts else "none"
            problem = (
                f"this service is not {shown}; a name by which it is reached belongs to its configuration"
            )
            raise Problem(421, problem, field="Host")

    def _is_ours(self, name: str, scope: Scope) -> bool:
        if name in self._hosts:
            return True
        try:
            address = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        # The address at which the request has arrived is ours; a name that leads to it need not be.
        own = (scope.get("server") or ("", None))[0]
        return address.is_loopback or str(address) == own


class _Body:
    """A body that is counted while it is read."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive, self._most, self._seconds = receive, most, seconds
        self._read, self._deadline, self._is_done = 0, 0.0, False

    async def receive(self) -> Message:
        """Return the next part; after the last one, wait for the end of the connection."""
        if self._is_done:
            return await self._receive()
        loop = asyncio.get_running_loop()
        self._deadline = self._deadline or loop.time() + self._seconds
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            problem = f"the body did not arrive within {self._seconds:g} s"
            raise Problem(408, problem, field="body", headers={"Connection": "close"}) from None
        self._read += len(message.get("body", b""))
        self._is_done = not message.get("more_body", False)
        if self._read > self._most:
            raise _too_large(self._most)
        return message


def _with_care(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers of an answer; browsers keep no copy of it and take it for nothing else than it is."""
    own_headers = list(headers)
    names = {name for name, _ in own_headers}
    return own_headers + [one for one in _CARE if one[0] not in names]


def _check_origin(headers: list[tuple[bytes, bytes]]) -> None:
    """Refuse what a page of another site has a browser ask, whatever carries it here."""
    if any(name == b"sec-fetch-site" and value == b"cross-site" for name, value in headers):
        raise Problem(403, "pages of other sites may not ask this service")


def _check_length(headers: list[tuple[bytes, bytes]], most: int) -> None:
    """Refuse a body that is said to be too large before it is read."""
    for name, value in headers:
        if name == b"content-length" and value.isdigit() and int(value[:20]) > most:
            raise _too_large(most)


def _too_large(most: int) -> Problem:
    return Problem(
        413,
        f"the body is larger than {most} bytes; send less at once",
        field="body",
        headers={"Connection": "close"},
    )


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    response = answer_of(problem.status_code, str(problem.detail), problem.field, headers=problem.headers)
    await response(scope, receive, send)
