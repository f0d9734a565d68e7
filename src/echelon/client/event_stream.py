"""Events of a service as they come: server-sent events, on a connection that is opened again as it breaks."""

from __future__ import annotations

import json
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Self
from urllib.parse import urlencode

from echelon.errors import ServiceError

if TYPE_CHECKING:
    from echelon.client.answers import EventAnswer
    from echelon.client.connection import Connection, Stream

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 10.0
"""Seconds before a connection is opened again: twice as many after each failure."""


class EventStream:
    """Events, one after another, over restarts of the service.

    Parameters
    ----------
    connection : Connection
        To the service.
    after : int, optional
        The number of the last event that is known already. Default: only events to come.
    job : str, optional
        Only events of this job, by its id. Default: of all jobs and clusters.

    Attributes
    ----------
    opened : int
        How often it was opened: what happened before that may have been missed.
    problem : ServiceError or None
        Why it is not open.
    """

    def __init__(self, connection: Connection, after: int | None = None, job: str | None = None) -> None:
        self.opened, self.problem = 0, None
        self._connection, self._last = connection, "" if after is None else str(after)
        self._job = job
        self._stream: Stream | None = None
        self._pause = _FIRST_PAUSE

    problem: ServiceError | None

    def next(self, within: float) -> EventAnswer | None:
        """Return the next event.

        Parameters
        ----------
        within : float
            Seconds to wait for it.

        Returns
        -------
        EventAnswer or None
            None if there was none for so long, also earlier: when the stream was just opened, was lost, or
            the service has only said that it is alive.

        Raises
        ------
        ServiceError
            If the service refuses to give events.
        """
        if self._stream is None:
            self._open(within)
            return None
        try:
            self._stream.socket.settimeout(within)
            return self._read(self._stream)
        except (OSError, HTTPException, ValueError):
            # Also after a time-out: the rest of a line would be lost.
            self.close()
            return None

    def _open(self, within: float) -> None:
        headers = {"Accept": "text/event-stream"}
        asked = {name: value for name, value in (("after", self._last), ("job", self._job)) if value}
        try:
            path = f"/v1/events?{urlencode(asked)}" if asked else "/v1/events"
            self._stream = self._connection.stream(path, headers, within)
        except ServiceError as error:
            if error.status is not None and 400 <= error.status < 500 and error.status != 429:
                raise
            self.problem = error
            time.sleep(min(self._pause, within))
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            return
        self.opened += 1
        self.problem, self._pause = None, _FIRST_PAUSE

    def _read(self, stream: Stream) -> EventAnswer | None:
        """Return the next event of an open stream, or None if a comment or the end comes first."""
        data: list[str] = []
        while line := stream.response.readline():
            text = line.decode().rstrip("\r\n")
            if not text:
                break
            name, _, value = text.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name == "id":
                self._last = value
        else:
            self.close()
            return None
        event: EventAnswer | None = json.loads("\n".join(data)) if data else None
        return event

    def close(self) -> None:
        """Close the connection; a further event opens it again."""
        if self._stream is not None:
            self._stream.response.close()
            self._stream.socket.close()
            self._stream = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
