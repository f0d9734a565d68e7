"""Predecessors: the dependencies of a workload's jobs, from all the fields of a log that give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.fields import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.dependencies import Dependencies
    from echelon.model.jobs.workload import Workload


class Predecessors(NamedTuple):
    """The predecessors of the jobs of a simulation.

    Attributes
    ----------
    dependencies : Dependencies or None
        By index among these jobs; None if no job waits.
    absent : int
        Predecessors named that are not among them: they count as ended before everything.
    """

    dependencies: Dependencies | None
    absent: int


class _Edges(NamedTuple):
    """Edges among the kept jobs, and the number of edges that lead elsewhere."""

    predecessor: IntColumn
    successor: IntColumn
    delay: FloatColumn
    follows: NDArray[np.bool_]
    absent: int


def dependencies_of(workload: Workload, kept: IntColumn) -> Predecessors:
    """Return the predecessors of the jobs at `kept`, ascending: by SWF fields 17 and 18 and explicit edges.

    A job with a known preceding job and a known think time follows it; with a preceding job alone it waits
    for its end without delay. Both kinds of edges count; of an edge given twice the longer delay does.

    Raises
    ------
    CircleError
        If jobs wait for each other in a circle: by their job ids, with the file.

    Notes
    -----
    **Ties**: a preceding job whose number several jobs have is the first of them. **Cost**: O(n log n) if
    some job names another, else O(n).
    """
    fields, explicit = _of_fields(workload, kept), _explicit(workload, kept)
    absent = fields.absent + explicit.absent
    if not len(fields.successor) + len(explicit.successor):
        return Predecessors(None, absent)
    from echelon.model.jobs.dependencies import CircleError, Dependencies

    try:
        dependencies = Dependencies.of_edges(
            len(kept),
            np.concatenate((fields.predecessor, explicit.predecessor)),
            np.concatenate((fields.successor, explicit.successor)),
            delay=np.concatenate((fields.delay, explicit.delay)),
            follows=fields.follows | explicit.follows,
        )
    except CircleError as circle:
        labels = [workload.label(int(kept[position])) for position in circle.positions]
        named = dict(zip(circle.positions, labels, strict=True))
        raise CircleError(circle.positions, named.__getitem__, workload.file or workload.name) from None
    return Predecessors(dependencies, absent)


def names_predecessors(workload: Workload, kept: IntColumn) -> bool:
    """Return whether some job at `kept` names a predecessor, present or not."""
    dependencies = workload.dependencies
    explicit = dependencies is not None and bool((np.diff(dependencies.first)[kept] > 0).any())
    return explicit or bool((workload.int_column("preceding_job")[kept] != UNKNOWN).any())


def longest_delays(workload: Workload) -> float:
    """Return the sum of all delays of jobs of `workload`, in seconds."""
    think = workload.float_column("think_time")
    waiting = (workload.int_column("preceding_job") != UNKNOWN) & (think > 0)
    explicit = 0.0 if workload.dependencies is None else float(workload.dependencies.delay.sum())
    return float(think[waiting].sum()) + explicit


def _of_fields(workload: Workload, kept: IntColumn) -> _Edges:
    """Return the preceding jobs and think times of the kept jobs."""
    named = workload.int_column("preceding_job")[kept]
    successor = np.flatnonzero(named != UNKNOWN)
    if not len(successor):
        return _no_edges(len(kept))
    numbers, first = np.unique(workload.job_id[kept], return_index=True)
    place = np.minimum(np.searchsorted(numbers, named[successor]), len(numbers) - 1)
    there = numbers[place] == named[successor]
    successor, predecessor = successor[there], first[place[there]]
    think = workload.float_column("think_time")[kept][successor]
    follows = np.zeros(len(kept), dtype=np.bool_)
    follows[successor] = think >= 0
    return _Edges(predecessor, successor, np.maximum(think, 0.0), follows, int((~there).sum()))


def _explicit(workload: Workload, kept: IntColumn) -> _Edges:
    """Restrict the workload's own dependencies to the kept jobs."""
    dependencies = workload.dependencies
    if dependencies is None or not len(dependencies.predecessor):
        return _no_edges(len(kept))
    left = dependencies if len(kept) == len(dependencies) else dependencies.take(kept)
    waiting = np.zeros(len(dependencies), dtype=np.bool_)
    waiting[kept] = True
    absent = int(waiting[dependencies.successor].sum()) - len(left.predecessor)
    return _Edges(left.predecessor, left.successor, left.delay, left.follows, absent)


def _no_edges(n_jobs: int) -> _Edges:
    none = np.empty(0, dtype=np.int64)
    return _Edges(none, none, np.empty(0), np.zeros(n_jobs, dtype=np.bool_), 0)
