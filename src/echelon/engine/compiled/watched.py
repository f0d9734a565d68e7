"""A kernel that is watched while it runs: for news of it, and to stop it."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from echelon.errors import Cancelled
from echelon.libraries.calling import runs_in_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.engine.contract import Progress
    from echelon.model.columns import IntColumn

Found = TypeVar("Found")

_WATCH_SECONDS = 0.1


def watched(
    kernel: Callable[[], Found], watch: IntColumn, n_jobs: int, progress: Progress | None = None
) -> Found:
    """Run `kernel` in a thread that is watched from here, and return what it returns.

    As plain Python it runs here: debuggers stop in the thread that they began in, and Ctrl-C reaches it.

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
        with _cancelled_by_the_person():
            return kernel()
    found: list[Found] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            found.append(kernel())
        except BaseException as error:  # carried to the calling thread below
            failures.append(error)

    thread = threading.Thread(target=run, name="echelon-kernel", daemon=True)
    thread.start()
    with _cancelled_by_the_person():
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
    return found[0]


@contextmanager
def _cancelled_by_the_person() -> Iterator[None]:
    """Say what Ctrl-C means in the middle of a run."""
    try:
        yield
    except KeyboardInterrupt:
        raise Cancelled("stopped by the person before its end; nothing was written") from None
