"""Protocol: HTTP as uvicorn speaks it, with the peer's user, and without endless patience."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from echelon.service.api.access.peers import WithPeer, peer_of
from echelon.service.api.answers.problems import answer_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp


class PeerProtocol(H11Protocol):
    """A connection whose requests say which user is at its other end, and whose headers come in time.

    Attributes
    ----------
    header_seconds : float
        Time in which the header of a request must arrive once the connection is open or the header has
        begun.
    """

    header_seconds = 15.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin a connection."""
        super().connection_made(transport)
        self._impatience: asyncio.TimerHandle | None = None
        try:
            uid = peer_of(transport.get_extra_info("socket"))
        except OSError:
            # The caller is not known: nothing may be asked.
            transport.abort()
            return
        if uid is not None:
            self.app = cast("Any", WithPeer(cast("ASGIApp", self.app), uid))
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """End a request; the next may have begun already."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End a connection."""
        self._rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Be impatient while a header is due, and only then."""
        is_served = self.cycle is not None and not self.cycle.response_complete
        if is_served or self.timeout_keep_alive_task is not None or self.transport.is_closing():
            self._rest()
        elif self._impatience is None:
            self._impatience = self.loop.call_later(self.header_seconds, self._give_up)

    def _rest(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None

    def _give_up(self) -> None:
        self._impatience = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._refuse(408, f"the header did not arrive within {self.header_seconds:g} s")

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        self._refuse(400, f"{msg.rstrip('.').lower()}; a header may have 16 KiB")

    def _refuse(self, status: int, detail: str) -> None:
        response = answer_of(status, detail)
        headers = [*response.raw_headers, (b"connection", b"close")]
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            start = h11.Response(status_code=status, headers=headers, reason=HTTPStatus(status).phrase)
            for event in (start, h11.Data(data=bytes(response.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
