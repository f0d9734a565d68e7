"""Refilling: a thread that starts waiting jobs as soon as processors are free."""

from __future__ import annotations

import os
import select
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.backends.process.local_queue import LocalQueue

_BLIND = 0.05
"""Seconds between two looks at a process that cannot be waited for."""

_AGAIN = 1.0
"""Seconds until jobs that could not be started are tried again."""


class Refilling:
    """Waits for ends of jobs, and refreshes the queue.

    Parameters
    ----------
    queue : LocalQueue
        The queue.
    lock : Lock
        Held while the queue is used.
    """

    def __init__(self, queue: LocalQueue, lock: threading.Lock) -> None:
        self._queue, self._lock = queue, lock
        self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._stops = False
        self._thread = threading.Thread(target=self._run, name="echelon-processes", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Let it look at the queue now."""
        if not self._stops:
            os.eventfd_write(self._bell, 1)

    def stop(self) -> None:
        """End the thread."""
        if self._stops:
            return
        self._stops = True
        os.eventfd_write(self._bell, 1)
        self._thread.join()
        os.close(self._bell)

    def _run(self) -> None:
        while not self._stops:
            with self._lock:
                self._queue.refresh()
                handles, problem = self._queue.handles(), self._queue.problem
            waits = select.poll()
            waits.register(self._bell, select.POLLIN)
            for handle in handles:
                # An end that cannot be taken in would ring without a pause.
                if handle is not None and not problem:
                    waits.register(handle, select.POLLIN)
            pause = _BLIND if None in handles else _AGAIN if problem else None
            rung = waits.poll(None if pause is None else pause * 1000)
            if any(handle == self._bell for handle, _ in rung):
                os.eventfd_read(self._bell)
