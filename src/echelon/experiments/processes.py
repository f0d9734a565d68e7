"""Processes: pieces of work that do not depend on each other, on all processors of this machine."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Progress = Callable[[int, int | None], None]

Task = TypeVar("Task")
Found = TypeVar("Found")


def in_processes(
    work: Callable[[Task], Found],
    tasks: Sequence[Task],
    *,
    processes: int | None = None,
    progress: Progress | None = None,
) -> list[Found]:
    """Return what `work` makes of each task, in their order.

    Parameters
    ----------
    work : callable (task) -> found
        A function of a module, as it is sent to other processes; so are tasks and what is found.
    tasks : sequence
        In any order: the longest first keeps all processors busy to the end.
    processes : int, optional
        At most so many at once, >= 1; 1 stays in this process. Default: one a processor of this machine.
    progress : callable, optional
        Called after each task with (tasks done, tasks in all).

    Notes
    -----
    Processes are started anew ("spawn"), so a script that comes here must guard what it does by
    ``if __name__ == "__main__":``. An exception in one task ends all, and is raised here.
    """
    most = min(processes or os.cpu_count() or 1, len(tasks))
    if most <= 1:
        return [_told(work(task), place, len(tasks), progress) for place, task in enumerate(tasks, 1)]
    found: dict[int, Found] = {}
    with ProcessPoolExecutor(most, mp_context=get_context("spawn")) as pool:
        places = {pool.submit(work, task): place for place, task in enumerate(tasks)}
        try:
            for done, future in enumerate(as_completed(places), 1):
                found[places[future]] = _told(future.result(), done, len(tasks), progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[place] for place in range(len(tasks))]


def _told(found: Found, done: int, tasks: int, progress: Progress | None) -> Found:
    if progress:
        progress(done, tasks)
    return found
