"""Dependency fields: explicit dependencies said with the two fields that SWF has for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.fields import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import IntColumn


class FilledFields(NamedTuple):
    """A workload whose fields say what they can of its dependencies.

    Attributes
    ----------
    workload : Workload
        ``preceding_job`` and ``think_time`` filled in.
    exact : ndarray of bool, shape (n_jobs,)
        Jobs of which the two fields say all; the others that wait for some keep one predecessor at most.
    """

    workload: Workload
    exact: NDArray[np.bool_]


def fill_fields(workload: Workload) -> FilledFields:
    """Return `workload` with its explicit dependencies in ``preceding_job`` and ``think_time``.

    A job can have one predecessor there, and a delay only if it follows it. Of several the last listed is
    kept, without a delay. A job that has a preceding job already keeps that one. Cost: O(n log n).
    """
    dependencies = workload.dependencies
    if dependencies is None:
        return FilledFields(workload, np.ones(len(workload), dtype=np.bool_))
    count, follows = np.diff(dependencies.first), dependencies.follows
    waiting = np.flatnonzero(count > 0)
    last = dependencies.first[waiting + 1] - 1
    before, delay = dependencies.predecessor[last], dependencies.delay[last]
    preceding = workload.int_column("preceding_job").copy()
    think = workload.float_column("think_time").copy()
    sure = _first_of_their_number(workload)
    free = (preceding[waiting] == UNKNOWN) & sure[before]
    alone = (count[waiting] == 1) & free
    fits = alone & (follows[waiting] | (delay == 0))
    filled = waiting[free]
    preceding[filled] = workload.job_id[before[free]]
    think[filled] = np.where(follows[filled] & (count[filled] == 1), delay[free], UNKNOWN)
    exact = np.ones(len(workload), dtype=np.bool_)
    exact[waiting[~fits]] = False
    changed = workload.with_columns(preceding_job=preceding, think_time=think)
    return FilledFields(replace(changed, dependencies=None), exact)


def without_followers(workload: Workload) -> Workload:
    """Return `workload` with the dependencies of jobs that follow one other in its fields, as SWF has them.

    Others stay as they are, also those that follow several. Cost: O(n log n).
    """
    dependencies = workload.dependencies
    if dependencies is None or not dependencies.follows.any():
        return workload
    from echelon.model.jobs.dependencies import Dependencies

    fields, exact = fill_fields(workload)
    moved = exact & dependencies.follows
    names = ("preceding_job", "think_time")
    columns = {name: np.where(moved, fields.columns[name], workload.columns[name]) for name in names}
    stay = ~moved[dependencies.successor]
    left = Dependencies.of_edges(
        len(workload),
        dependencies.predecessor[stay],
        dependencies.successor[stay],
        delay=dependencies.delay[stay],
        follows=dependencies.follows & ~moved,
    )
    return replace(workload.with_columns(**columns), dependencies=left if stay.any() else None)


def _first_of_their_number(workload: Workload) -> NDArray[np.bool_]:
    """Mark the jobs that their number names: the first of those that have it."""
    first: IntColumn = np.unique(workload.job_id, return_index=True)[1]
    named = np.zeros(len(workload), dtype=np.bool_)
    named[first] = True
    return named
