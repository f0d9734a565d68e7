"""Clock: the time of a service, which never goes back."""

from __future__ import annotations

import threading
import time


class Clock:
    """Unix time in seconds, which is never less than it was.

    It is the time of the machine as long as that advances. If that is set back, this one advances at half the
    speed until the machine has caught up: what was seen a second ago must not seem to lie ahead, since looks
    older than the last one count for nothing.

    Notes
    -----
    For several threads at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_at = time.monotonic()
        self._now = time.time()

    def __call__(self) -> float:
        """Return the time."""
        return self._read()[0]

    def ahead(self) -> float:
        """Return by how many seconds it is ahead of the machine's; 0 if that was never set back."""
        now, machine = self._read()
        return now - machine

    def _read(self) -> tuple[float, float]:
        with self._lock:
            read_at, machine = time.monotonic(), time.time()
            self._now = max(machine, self._now + (read_at - self._read_at) / 2)
            self._read_at = read_at
            return self._now, machine
