"""Requests to a service: over a Unix socket or TCP, repeated where an answer was lost."""

from __future__ import annotations

import json
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.client.problems import loss_of, refusal_of, unreachable_error
from echelon.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.client.address import Address

_BUSY = (429, 503)
"""Statuses of a service that takes no more for now, or does not yet."""

_PAUSES = (0.0, 0.1, 0.2, 0.5, 1.0)
"""Seconds before each further attempt; the last counts for all that follow. A kept connection that the
service has closed costs no pause."""


class Stream(NamedTuple):
    """An answer that does not end, and its socket, whose time-out may be changed."""

    response: HTTPResponse
    socket: socket.socket


class _UnixConnection(HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket.

        Raises
        ------
        OSError
            If nothing listens there.
        """
        if not hasattr(socket, "AF_UNIX"):
            raise OSError("this system has no Unix sockets; use http://HOST:PORT and a token")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(self.timeout)
        try:
            connection.connect(self._path)
        except BaseException:
            connection.close()
            raise
        self.sock = connection


class _Kept:
    """A connection that a thread keeps; it is closed when its thread ends, or its owner is gone."""

    def __init__(self, link: HTTPConnection) -> None:
        self.link = link

    def __del__(self) -> None:
        self.link.close()


class Connection:
    """A way to a service; each thread keeps a connection of its own.

    Parameters
    ----------
    address : Address
        Where it listens.
    token : str
        For ``Authorization``; empty: none.
    timeout : float
        Seconds that one attempt may take.
    patience : float
        Seconds for which a request is repeated whose answer was lost, or that the service is too busy for.
    """

    def __init__(self, address: Address, token: str, *, timeout: float, patience: float) -> None:
        self.address = address
        self._timeout, self._patience = timeout, patience
        self._headers = {"Accept": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._local = threading.local()

    def ask(
        self, method: str, path: str, value: object = None, *, key: str = "", is_repeatable: bool = True
    ) -> Any:  # noqa: ANN401  (what JSON holds)
        """Send a request and return its answer.

        Parameters
        ----------
        method, path : str
            Such as ``GET`` and ``/v1/jobs``.
        value : object, optional
            The body, as JSON.
        key : str, optional
            For ``Idempotency-Key``.
        is_repeatable : bool, default True
            Whether doing it twice is the same as doing it once.

        Raises
        ------
        ServiceError
            If there is no service, no answer, or the answer is an error.
        """
        headers = dict(self._headers)
        body = None
        if value is not None:
            body = json.dumps(value, separators=(",", ":")).encode()
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        if not is_repeatable:
            # A kept connection may be one that the service has closed in the meantime.
            self.close()
            return self._value(*self._answer(method, path, body, headers)[:2])
        return self._ask_repeatedly(method, path, body, headers)

    def _ask_repeatedly(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Return the answer to a request that may be sent again."""
        until, attempt, may_have_arrived = time.monotonic() + self._patience, 0, False
        while True:
            pause = _PAUSES[min(attempt, len(_PAUSES) - 1)]
            try:
                status, content, wait = self._answer(method, path, body, headers)
            except ServiceError as error:
                may_have_arrived |= error.is_unclear
                if not may_have_arrived or time.monotonic() + pause > until:
                    error.is_unclear = may_have_arrived
                    raise
            else:
                pause = max(pause, wait)
                if status not in _BUSY or time.monotonic() + pause > until:
                    return self._value(status, content)
            attempt += 1
            time.sleep(pause)

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes, float]:
        """Return status, body and ``Retry-After`` in seconds of one attempt."""
        link = self._link()
        self._connect(link)
        try:
            with self._response(link, method, path, body, headers) as response:
                content = response.read()
        except (OSError, HTTPException) as error:
            self.close()
            raise loss_of(self.address, error) from error
        except BaseException:
            self.close()
            raise
        after = response.headers.get("Retry-After", "")
        return response.status, content, float(after) if after.isdecimal() else 0.0

    def _connect(self, link: HTTPConnection) -> socket.socket:
        """Connect where that has not been done; return the socket."""
        if link.sock is None:
            try:
                link.connect()
            except OSError as error:
                raise unreachable_error(self.address, error) from error
        return link.sock

    def _response(
        self, link: HTTPConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> HTTPResponse:
        link.request(method, self.address.prefix + path, body, dict(headers))
        return link.getresponse()

    def _value(self, status: int, content: bytes) -> Any:  # noqa: ANN401  (what JSON holds)
        if not 200 <= status < 300:
            raise refusal_of(self.address, status, content)
        try:
            return json.loads(content) if content else None
        except ValueError as error:
            raise ServiceError(f"what answers at {self.address} is no service of Echelon") from error

    def stream(self, path: str, headers: Mapping[str, str], within: float) -> Stream:
        """Open an answer that does not end, on a connection of its own.

        Raises
        ------
        ServiceError
            If there is no service, or it refuses.
        """
        link = self._new_link(within)
        # The response takes the socket over: closing it closes the socket.
        connection = self._connect(link)
        try:
            response = self._response(link, "GET", path, None, {**self._headers, **headers})
            content = b"" if response.status == 200 else response.read()
        except (OSError, HTTPException) as error:
            link.close()
            raise loss_of(self.address, error) from error
        except BaseException:
            link.close()
            raise
        if response.status != 200:
            link.close()
            raise refusal_of(self.address, response.status, content)
        return Stream(response, connection)

    def close(self) -> None:
        """Close what this thread keeps; a further request opens it again."""
        if (kept := getattr(self._local, "kept", None)) is not None:
            kept.link.close()
            self._local.kept = None

    def _link(self) -> HTTPConnection:
        kept: _Kept | None = getattr(self._local, "kept", None)
        if kept is None:
            kept = self._local.kept = _Kept(self._new_link(self._timeout))
        return kept.link

    def _new_link(self, timeout: float) -> HTTPConnection:
        address = self.address
        if address.socket:
            return _UnixConnection(address.socket, timeout)
        kind = HTTPSConnection if address.is_secure else HTTPConnection
        return kind(address.host, address.port, timeout=timeout)
