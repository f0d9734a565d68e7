"""Processes: pieces of work that do not depend on each other, on all processors of this machine."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    Progress = Callable[[int, int | None], None]

Task = TypeVar("Task")
Found = TypeVar("Found")


class Processes:
    """Worker processes, started when first needed and kept until the end; a context manager.

    Parameters
    ----------
    most : int, optional
        At most so many at once, >= 1; 1 stays in this process. Default: one a processor of this machine.

    Notes
    -----
    Processes are started fresh ("spawn"), so a script that comes here must guard what it does by
    ``if __name__ == "__main__":``.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End the processes; what they have not begun is not done."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def each(
        self,
        work: Callable[[Task], Found],
        tasks: Sequence[Task],
        progress: Progress | None = None,
    ) -> list[Found]:
        """Return what `work` makes of each task, in their order.

        Parameters
        ----------
        work : callable (task) -> found
            A function of a module, as it is sent to other processes; so are tasks and what is found.
        tasks : sequence
            In any order: the longest first keeps all processors busy to the end.
        progress : callable, optional
            Called after each task with (tasks done, tasks in all).

        Notes
        -----
        An exception in one task is raised here, and no further task of this call is begun.
        """
        if self._most == 1 or len(tasks) < 2:
            return [
                _count_task(work(task), place, len(tasks), progress) for place, task in enumerate(tasks, 1)
            ]
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._most, mp_context=get_context("spawn"))
        places = {self._pool.submit(work, task): place for place, task in enumerate(tasks)}
        outcomes: dict[int, Found] = {}
        try:
            for done, future in enumerate(as_completed(places), 1):
                outcomes[places[future]] = _count_task(future.result(), done, len(tasks), progress)
        except BaseException:
            for future in places:
                future.cancel()
            raise
        return [outcomes[place] for place in range(len(tasks))]


def _count_task(outcome: Found, done: int, tasks: int, progress: Progress | None) -> Found:
    if progress:
        progress(done, tasks)
    return outcome
