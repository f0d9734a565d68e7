"""Threads of this process: compiled kernels hold no Python lock, so that they run side by side."""

from __future__ import annotations

import os
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Self

from echelon.experiments.study.executors.contract import Finished, run_chunk

if TYPE_CHECKING:
    from types import TracebackType

    from echelon.experiments.study.executors.contract import Chunk
    from echelon.experiments.study.run.outcome import Outcome
    from echelon.experiments.study.store.store import Store


class Threads:
    """A pool of threads.

    Good for long simulations in compiled kernels and where processes cannot be started; the rest of a run,
    reading, tables and files, is Python, of which one thread runs at a time.

    Parameters
    ----------
    store : Store
        Where runs are kept.
    workers : int, optional
        >= 1. Default: one a processor of this machine.
    """

    def __init__(self, store: Store, workers: int | None = None) -> None:
        self._store = store
        self.workers = workers or os.cpu_count() or 1
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="echelon-study")
        self._running: dict[Future[list[Outcome]], Chunk] = {}

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Wait for the cases at work."""
        self.stop()
        self._pool.shutdown(cancel_futures=True)

    def start(self, chunk: Chunk) -> None:
        """Have a chunk run as soon as a thread is free."""
        self._running[self._pool.submit(run_chunk, chunk, self._store, self._stopped.is_set)] = chunk

    def wait(self) -> list[Finished]:
        """Return chunks that have finished."""
        ended, _ = wait(self._running, return_when=FIRST_COMPLETED)
        return [Finished(self._running.pop(future), future.result()) for future in ended]

    def stop(self) -> None:
        """Let chunks end after the case they are at."""
        self._stopped.set()
