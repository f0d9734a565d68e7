"""What a file format could not hold of a workload written to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model import FIELD_NAMES, Dependencies
from echelon.model.jobs.predecessors import dependencies_of
from echelon.quantities import tally

if TYPE_CHECKING:
    from echelon.model import Workload


_SAID_OF = {
    "ineligible_time": "the time from submission until jobs were eligible (which becomes their submit time)",
    "gpus": "GPUs",
    "account": "accounts",
    "cancel_time": "when jobs are canceled",
    "deadline": "deadlines",
    "minimum_time": "the shortest limits that jobs accept",
    "due_time": "due times",
    "reservation": "reservations",
    "node_count": "numbers of nodes",
    "state": "states as the batch system names them",
}
_SAID_TOGETHER = ("preceding_job", "think_time")


def losses(before: Workload, after: Workload) -> tuple[str, ...]:
    """Return what differs between a workload and the same one read back from a file, a sentence each.

    Parameters
    ----------
    before, after : Workload
        As written, and as read back.

    Notes
    -----
    Cost: O(n).
    """
    if len(before) != len(after):
        return (f"{len(before) - len(after)} jobs",)
    # What fields 17 and 18 say may have been said otherwise before: asked together, below.
    names = [name for name in FIELD_NAMES if before.dependencies is None or name not in _SAID_TOGETHER]
    lost = [sentence for name in names if (sentence := _column(before, after, name))]
    columns = [name for name in before.accounting if name not in after.accounting]
    lost += [f"the accounting data on {_SAID_OF[name]}" for name in columns]
    if before.labels is not None and before.labels != after.labels:
        lost.append("the log's own job names (jobs keep their numbers)")
    lost += [
        f"the names of {name}s (codes stay)"
        for name, texts in before.names.items()
        if texts and after.names.get(name) != texts and name not in columns
    ]
    if before.demands is not None and before.demands != after.demands:
        lost.append("the demand of the jobs' tasks (operations, memory, communication)")
    if before.applications is not None and before.applications != after.applications:
        lost.append(
            "which applications the jobs run (computing share, memory and bandwidth of a task, library)"
        )
    if waited := _dependencies(before, after):
        lost.append(f"what {waited} waited for (all or some of their predecessors, or delays)")
    gone = len(set(before.header.lines) - set(after.header.lines))
    return (*lost, f"{gone} of {len(before.header.lines)} header lines") if gone else tuple(lost)


def _dependencies(before: Workload, after: Workload) -> str:
    """Return how many jobs do not wait any more for what they waited for; nothing if all do."""
    rows = np.arange(len(before))
    old, new = (dependencies_of(one, rows).dependencies for one in (before, after))
    if old is None or old == new:
        return ""
    still = Dependencies.of_edges(len(before), rows[:0], rows[:0]) if new is None else new
    changed = {job for job, *_ in _edges(old) ^ _edges(still)}
    return tally(len(changed), "job")


def _edges(one: Dependencies) -> set[tuple[int, int, float, bool]]:
    """Return (successor, predecessor, delay, whether the successor follows) of every edge."""
    columns = one.successor, one.predecessor, one.delay, one.follows[one.successor]
    return set(zip(*(column.tolist() for column in columns), strict=True))


def _column(before: Workload, after: Workload, name: str) -> str | None:
    old, new = before.columns[name], after.columns[name]
    changed = int(np.count_nonzero(old != new))
    if not changed:
        return None
    unknown = int(np.count_nonzero((old != new) & (new < 0)))
    how = "now unknown" if unknown == changed else "written differently"
    return f"{name} of {changed} jobs ({how})"
