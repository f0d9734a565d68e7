"""Limits: how much a caller may ask at once."""

from __future__ import annotations

from dataclasses import dataclass

MOST_LISTED = 1000
"""Jobs on one page of a listing."""

MOST_IN_BATCH = 10_000
"""Jobs in one batch."""

LONGEST_KEY = 255
"""Characters of an Idempotency-Key."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a caller may ask at once, and in whose name a browser may call.

    Attributes
    ----------
    body : int, default 1 MB
        Bytes of a request's body.
    batch : int, default 16 MB
        Bytes of the body of a batch of jobs.
    body_seconds : float, default 60
        Time in which a whole body must arrive.
    header_seconds : float, default 15
        Time in which the header of a request must arrive once a connection is open or a header has begun.
    keep_alive : float, default 15
        Seconds between signs of life on a stream of events.
    streams : int, default 500
        Streams of events that may be open at once.
    hosts : tuple of str
        Names in the header ``Host`` that are answered on TCP, in addition to ``localhost`` and addresses of
        the loopback, as a page of elsewhere must not reach the service by a name of its own.
    """

    body: int = 1_000_000
    batch: int = 16_000_000
    body_seconds: float = 60.0
    header_seconds: float = 15.0
    keep_alive: float = 15.0
    streams: int = 500
    hosts: tuple[str, ...] = ()
