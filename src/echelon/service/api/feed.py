"""Feed: wakes streams of events up; one thread waits for all of them."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.service.service import Service

_PATIENCE = 0.5
"""Seconds after which the thread looks whether it is still needed."""

_PAUSE = 0.05
"""Seconds to wait where there is said to be news that cannot be read yet."""


class Bell:
    """Rings in the loop of one stream; any thread may ring it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake the stream up, from any thread."""
        # A loop that is closed waits for nothing.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._rung.set)

    def still(self) -> None:
        """Stop ringing; to be called before what there is is read, so that nothing falls in between."""
        self._rung.clear()

    async def wait(self, seconds: float) -> None:
        """Return when it rings, or `seconds` have gone."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rung.wait(), seconds)


class Feed:
    """Wakes streams up when there are new events.

    A stream that waited in a thread of its own would leave few threads for requests.

    Parameters
    ----------
    service : Service
        Whose events they are.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock = threading.Lock()
        self._bells: set[Bell] = set()
        self._is_watching = False
        self.is_closed = False

    @contextmanager
    def bell(self) -> Iterator[Bell]:
        """Return a bell that rings at each event, and when the feed closes; while it is used."""
        bell = Bell()
        with self._lock:
            self._bells.add(bell)
            if not self._is_watching and not self.is_closed:
                self._is_watching = True
                threading.Thread(target=self._watch, name="feed", daemon=True).start()
        try:
            yield bell
        finally:
            with self._lock:
                self._bells.discard(bell)

    @property
    def streams(self) -> int:
        """How many streams wait."""
        return len(self._bells)

    def ring(self) -> None:
        """Wake all streams up."""
        with self._lock:
            self._ring()

    def close(self) -> None:
        """Wake all streams up for the last time."""
        with self._lock:
            self.is_closed = True
            self._ring()

    def _watch(self) -> None:
        try:
            last = self._service.store.last_event()
            self.ring()
            while self._is_needed():
                if self._service.wait_for_event(last, _PATIENCE):
                    before, last = last, max(last, self._service.store.last_event())
                    self.ring()
                    if last == before:
                        time.sleep(_PAUSE)
        finally:
            with self._lock:
                self._is_watching = False
                self._ring()

    def _is_needed(self) -> bool:
        with self._lock:
            if self._bells and not self.is_closed:
                return True
            self._is_watching = False
            return False

    def _ring(self) -> None:
        for bell in self._bells:
            bell.ring()
