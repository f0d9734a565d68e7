"""Kernel thread: a kernel runs in a thread of its own, which reports progress and can be stopped."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from echelon.errors import Cancelled
from echelon.libraries.calls import runs_in_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.engine.contract import Progress
    from echelon.model.jobs.columns import IntColumn

Result = TypeVar("Result")

_WATCH_SECONDS = 0.1


def run_watched(
    kernel: Callable[[], Result], watch: IntColumn, n_jobs: int, progress: Progress | None = None
) -> Result:
    """Run `kernel` in a thread, report its progress, and return its result.

    As plain Python it runs in this thread: debuggers stop in the thread where they started, and Ctrl-C
    reaches it.

    Parameters
    ----------
    kernel : callable
        Holds no Python lock. It counts the jobs that have ended in ``watch[0]`` and stops once ``watch[1]``
        is set.
    watch : IntColumn, shape (2,)
        Read while the kernel runs.
    n_jobs : int
        Jobs in all.
    progress : callable, optional
        Called ten times a second with (jobs ended, jobs in all).

    Raises
    ------
    Cancelled
        If the person interrupts it (Ctrl-C).
    """
    if runs_in_python():
        with _translate_interrupt():
            return kernel()
    results: list[Result] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(kernel())
        except BaseException as error:  # carried to the calling thread below
            failures.append(error)

    thread = threading.Thread(target=run, name="echelon-kernel", daemon=True)
    thread.start()
    with _translate_interrupt():
        try:
            while thread.is_alive():
                thread.join(_WATCH_SECONDS)
                if progress is not None:
                    progress(int(watch[0]), n_jobs)
        except KeyboardInterrupt:
            watch[1] = 1
            thread.join()
            raise
    if failures:
        raise failures[0]
    return results[0]


@contextmanager
def _translate_interrupt() -> Iterator[None]:
    """Define the effect of Ctrl-C during a run."""
    try:
        yield
    except KeyboardInterrupt:
        raise Cancelled("stopped by the user before its end; nothing was written") from None
