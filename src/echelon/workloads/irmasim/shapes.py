"""Shapes of jobs: their kind, how many tasks they have, and over how many nodes these must be spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.fields import LARGEST
from echelon.workloads.irmasim.json_text import Literal
from echelon.workloads.irmasim.problems import nearest, show_value
from echelon.workloads.irmasim.records import COUNT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.irmasim.records import Records

_SEQUENTIAL, _MPI, _UNSAID = 1, 2, 0
KINDS = {
    "1": _SEQUENTIAL,
    "sequential": _SEQUENTIAL,
    "seq": _SEQUENTIAL,
    "secuencial": _SEQUENTIAL,
    "jobseq": _SEQUENTIAL,
    "2": _MPI,
    "mpi": _MPI,
    "jobmpi": _MPI,
}
"""Words and codes of ``job_type``, squeezed."""

_TRIPLE = ("nodes", "ntasks", "ntasks_per_node")


@dataclass(frozen=True, slots=True)
class Shapes:
    """Kind, size and spread of each job.

    Parameters
    ----------
    sequential : ndarray of bool, shape (n_jobs,)
        Whether all tasks must be in one node.
    tasks : ndarray of int, shape (n_jobs,)
        How many; 0 where the job lists its tasks, or says too little.
    nodes, tasks_per_node : ndarray of int, shape (n_jobs,)
        As of `echelon.model.Demand`; 0: no matter.
    """

    sequential: NDArray[np.bool_]
    tasks: IntColumn
    nodes: IntColumn
    tasks_per_node: IntColumn


def shapes_of(jobs: Records, listed: IntColumn) -> Shapes:
    """Return the shapes of the jobs; what contradicts itself is noted.

    Parameters
    ----------
    jobs : Records
        Of the file.
    listed : ndarray of int, shape (n_jobs,)
        Tasks each job lists one by one; 0 where it lists none.

    Notes
    -----
    A job with ``res`` is sequential. One with some of ``nodes``, ``ntasks`` and ``ntasks_per_node`` is an MPI
    job, and the missing ones follow as IRMASim completes them: nodes = ceil(ntasks / ntasks_per_node), ntasks
    = nodes x ntasks_per_node, ntasks_per_node = ceil(ntasks / nodes), and 1 beside ``nodes`` alone. A job
    that says its ``job_type`` or lists its tasks is of that kind (MPI if unsaid), and its ``nodes`` and
    ``ntasks_per_node`` bind as they are.
    """
    kind = _kinds(jobs)
    counts = {name: jobs.numbers(name, COUNT) for name in ("res", *_TRIPLE)}
    res, nodes, tasks, per_node = counts.values()
    literal = (kind != _UNSAID) | (listed > 0)
    triple = ~np.isnan(nodes) | ~np.isnan(tasks) | ~np.isnan(per_node)
    has_res = ~np.isnan(res)
    _refuse_contradictions(jobs, ~literal, has_res & triple, counts)
    size = np.where(has_res & (~triple | literal & np.isnan(tasks)), res, tasks)
    size = np.where(np.isnan(size), nodes * np.where(literal | ~np.isnan(per_node), per_node, 1), size)
    spread = ~literal & ~has_res & (~np.isnan(nodes) | ~np.isnan(per_node))
    per = np.where(spread & np.isnan(per_node), np.ceil(size / nodes), per_node)
    over = np.where(spread & np.isnan(nodes), np.ceil(size / per), nodes)
    _refuse_sizeless(jobs, listed, size, counts)
    sequential = np.where(kind == _UNSAID, has_res & (listed == 0), kind == _SEQUENTIAL)
    count = np.where((listed > 0) | (size > LARGEST), 0.0, size)
    return Shapes(sequential, *(_to_whole(column) for column in (count, over, per)))


def _kinds(jobs: Records) -> IntColumn:
    if not jobs.have_value("job_type").any():
        return np.zeros(len(jobs), dtype=np.int64)
    return np.array(
        [_kind(jobs, place, value) for place, value in enumerate(jobs.values("job_type"))], dtype=np.int64
    )


def _kind(jobs: Records, place: int, value: object) -> int:
    if value is None:
        return _UNSAID
    text = str(value).lower().replace("_", "").replace("-", "") if not isinstance(value, bool) else ""
    if isinstance(value, str | int | Literal) and text in KINDS:
        return KINDS[text]
    jobs.problems.add(
        f"{jobs.path(place)}.job_type",
        f"unknown type {show_value(value)}, expected 'sequential' (1) or 'mpi' (2), "
        f"{nearest(str(value), ('sequential', 'mpi'))}",
    )
    return _UNSAID


def _refuse_contradictions(
    jobs: Records,
    plain: NDArray[np.bool_],
    both: NDArray[np.bool_],
    counts: dict[str, FloatColumn],
) -> None:
    nodes, tasks, per_node = (counts[name] for name in _TRIPLE)
    for place in np.flatnonzero(plain & both).tolist():
        jobs.problems.add(
            jobs.path(place), "says res and one of nodes, ntasks and ntasks_per_node; expected only one kind"
        )
    wrong = plain & ~both & (nodes != np.ceil(tasks / per_node)) & ~np.isnan(nodes + tasks + per_node)
    for place in np.flatnonzero(wrong).tolist():
        got = f"{nodes[place]:.0f} nodes for {tasks[place]:.0f} tasks of {per_node[place]:.0f} a node"
        jobs.problems.add(
            jobs.path(place), f"{got}, expected nodes = ceil(ntasks / ntasks_per_node); leave one out"
        )


def _refuse_sizeless(
    jobs: Records, listed: IntColumn, size: FloatColumn, counts: dict[str, FloatColumn]
) -> None:
    broken = np.zeros(len(jobs), dtype=np.bool_)
    for name, column in counts.items():
        broken |= jobs.have_value(name) & np.isnan(column)
    for place in np.flatnonzero((listed == 0) & np.isnan(size) & ~broken).tolist():
        jobs.problems.add(
            jobs.path(place), f"has no size, expected res, or ntasks or nodes{jobs.hint('ntasks')}"
        )
    for place in np.flatnonzero(size > LARGEST).tolist():
        jobs.problems.add(jobs.path(place), f"has {size[place]:.3g} tasks, expected at most {LARGEST}")
    tasks = counts["ntasks"]
    for place in np.flatnonzero((listed > 0) & (tasks != listed) & ~np.isnan(tasks)).tolist():
        jobs.problems.add(
            f"{jobs.path(place)}.ntasks", f"got {tasks[place]:.0f}, but the job lists {listed[place]} tasks"
        )


def _to_whole(column: FloatColumn) -> IntColumn:
    return np.nan_to_num(column, nan=0.0, posinf=0.0, neginf=0.0).astype(np.int64)
