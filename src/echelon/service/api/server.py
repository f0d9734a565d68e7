"""Server: answers requests on a Unix socket, on TCP, or on both, until it is asked to stop."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import uvicorn

from echelon.errors import InputError
from echelon.service.api.access.limits import Limits
from echelon.service.api.addresses import identity, remove, tcp_socket, unix_socket
from echelon.service.api.app import app_of
from echelon.service.api.protocol import PeerProtocol

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from types import FrameType

    from echelon.service.service import Service

_GRACE = 5
"""Seconds that requests have to end once the server is asked to stop."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Server:
    """The interface of a service, where its configuration says.

    Its sockets listen from when it is made, so that what is wrong with them is known before anything starts;
    it answers in `run`.

    Parameters
    ----------
    service : Service
        What answers. Its configuration's ``socket`` is the path of a Unix socket, for its user alone, and
        ``listen`` host and port of TCP, for those who have a token; port 0 is any that is free.
    limits : Limits, optional
        How much a caller may ask at once.

    Raises
    ------
    InputError
        If it has no address, or cannot listen at one.
    """

    def __init__(self, service: Service, limits: Limits | None = None) -> None:
        self._path, listen = service.config.socket, service.config.listen
        if self._path is None and listen is None:
            raise InputError("needs a Unix socket, or an address of TCP in listen", field="socket")
        limits = limits or Limits()
        if listen is not None:
            limits = replace(limits, hosts=(*limits.hosts, *service.config.hosts, listen[0]))
        app = app_of(service, limits)
        self._sockets: list[Any] = []
        self._identity: tuple[int, int] | None = None
        try:
            if self._path is not None:
                self._sockets.append(unix_socket(self._path))
                self._identity = identity(self._path)
            if listen is not None:
                self._sockets.append(tcp_socket(*listen))
        except BaseException:
            self._close()
            raise
        self._server = _Server(_config(app, limits), app.state.feed.close)

    @property
    def addresses(self) -> list[Any]:
        """Where it listens: paths, and pairs of host and port, with the port that was free."""
        return [one.getsockname() for one in self._sockets]

    def run(self, on_ready: Callable[[], None] | None = None) -> None:
        """Answer until SIGTERM or SIGINT, or `stop`; requests that have begun end first.

        Parameters
        ----------
        on_ready : callable, optional
            Is called once it answers.
        """
        self._server.on_ready = on_ready
        try:
            self._server.run(sockets=self._sockets)
        finally:
            self._close()

    def stop(self) -> None:
        """Ask it to stop, from any thread."""
        self._server.should_exit = True

    def _close(self) -> None:
        for one in self._sockets:
            one.close()
        if self._path is not None:
            remove(self._path, self._identity)


class _Server(uvicorn.Server):
    """Uvicorn's server, which ends streams when it stops, and lives on after a signal."""

    def __init__(self, config: uvicorn.Config, close_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._close_streams = close_streams
        self.on_ready: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.on_ready is not None and self.started:
            self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let requests end; streams would never."""
        self._close_streams()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at signals; unlike in its base, they do not end the process, which has more to close."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, _: FrameType | None) -> None:
            self.force_exit = self.should_exit and number == signal.SIGINT
            self.should_exit = True

        before = {number: signal.signal(number, stop) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _config(app: Any, limits: Limits) -> uvicorn.Config:  # noqa: ANN401  (uvicorn's own type is not public)
    class Protocol(PeerProtocol):
        header_seconds = limits.header_seconds

    return uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        # Names of peers come from the kernel and from tokens, never from headers.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=16 * 1024,
    )
