"""Processes of this machine, started fresh ("spawn"); one that is killed does not end the study."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Self

from echelon.errors import InputError
from echelon.experiments.study.executors.contract import Finished, run_chunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.synchronize import Event
    from types import TracebackType

    from echelon.experiments.study.executors.contract import Chunk
    from echelon.experiments.study.run.outcome import Outcome
    from echelon.experiments.study.store.store import Store


class Processes:
    """A pool of processes.

    Parameters
    ----------
    store : Store
        Where runs are kept.
    workers : int, optional
        >= 1. Default: one a processor of this machine.

    Notes
    -----
    A script that comes here must guard what it does by ``if __name__ == "__main__":``. When a process is
    killed the standard library gives up the whole pool: all chunks at work then count as lost, and a new
    pool is made.
    """

    def __init__(self, store: Store, workers: int | None = None) -> None:
        self._store = store
        self.workers = workers or os.cpu_count() or 1
        self._context = get_context("spawn")
        self._stopped = self._context.Event()
        self._pool: ProcessPoolExecutor | None = None
        self._running: dict[Future[list[Outcome]], Chunk] = {}
        self._lost: list[Finished] = []

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End the processes after the cases they are at."""
        self.stop()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def start(self, chunk: Chunk) -> None:
        """Have a chunk run as soon as a process is free."""
        try:
            pool = self._ensure_pool()
            with _interrupts_held():
                future = pool.submit(_run, chunk)
        except BrokenProcessPool:
            self._lost.append(Finished(chunk, None))
        else:
            self._running[future] = chunk

    def wait(self) -> list[Finished]:
        """Return chunks that have finished or were lost."""
        outcomes, self._lost = self._lost, []
        if outcomes:
            return outcomes
        ended, _ = wait(self._running, return_when=FIRST_COMPLETED)
        return [self._finish(future) for future in ended]

    def stop(self) -> None:
        """Let chunks end after the case they are at."""
        self._stopped.set()

    def _finish(self, future: Future[list[Outcome]]) -> Finished:
        chunk = self._running.pop(future)
        try:
            return Finished(chunk, future.result())
        except BrokenProcessPool:
            if self._pool is not None:
                self._pool.shutdown(wait=False)
                self._pool = None
            return Finished(chunk, None)

    def _ensure_pool(self) -> ProcessPoolExecutor:
        """Return the pool, made and tried if there is none."""
        if self._pool is None:
            pool = ProcessPoolExecutor(
                self.workers,
                mp_context=self._context,
                initializer=_begin,
                initargs=(self._store, self._stopped),
            )
            try:
                with _interrupts_held():
                    loading = [pool.submit(_load) for _ in range(self.workers)]
                loading[0].result()
            except BrokenProcessPool as error:
                raise InputError(
                    "worker processes do not start; a script that runs a study must do so under "
                    'if __name__ == "__main__":, or choose executor "threads"',
                    field="executor",
                ) from error
            self._pool = pool
        return self._pool


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back in this thread; processes that are started meanwhile never hear it.

    A worker ignores it from its first statement on, but before that Python loads for tenths of a second. One
    that died of it then would break the pool, and with it the other workers in the middle of their cases.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows has no such mask
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """What a worker process received when it began."""

    store: Store
    stopped: Event


def _begin(store: Store, stopped: Event) -> None:
    """Prepare a worker process."""
    # Ctrl-C reaches all processes of a terminal; it is the parent that decides what to do about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Each process has one processor for itself; read by polars when it is first imported.
    os.environ["POLARS_MAX_THREADS"] = "1"
    # What a policy of the user's own prints is not the study's answer.
    sys.stdout = sys.stderr
    _Worker.store, _Worker.stopped = store, stopped
    threading.Thread(target=_end_with_parent, name="echelon-parent", daemon=True).start()


def _end_with_parent() -> None:
    """End this process as soon as its parent has: one that was killed cannot tell its workers to."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _load() -> None:
    """Load what every run needs, so that the first is no slower than the others."""
    import polars  # noqa: F401

    from echelon.engine import compiled

    _ = compiled.simulate


def _run(chunk: Chunk) -> list[Outcome]:
    return run_chunk(chunk, _Worker.store, _Worker.stopped.is_set)
