"""Completeness: the jobs of which a grid study needs every field, and why the others are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Dropped
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from echelon.model import Workload

    Mask = NDArray[np.bool_]


def complete(workload: Workload, *, literal: bool = False) -> Workload:
    """Return the jobs with all fields that a grid study needs: number, times, size, request and user.

    Parameters
    ----------
    workload : Workload
        In any order.
    literal : bool, default False
        As the study words it: dropped are jobs with job id <= 0, submit time < 0, run time <= 0, requested
        processors <= 0, requested time <= 0 or user id <= 0. By default two things differ, so that a log is
        not emptied for a column it never had: the allocated processors stand for requested ones that are
        missing, and a requested time or a user is asked for only where the log knows any.

    Notes
    -----
    `find_incomplete` says how many are dropped for which reason. Cost: O(n).

    Source: Quezada Pina, doctoral thesis, CICESE 2012, section 4.2.
    """
    keep = is_complete(workload, literal=literal)
    reading = "taken literally" if literal else "where the log knows them"
    sentence = f"kept {int(keep.sum())} of {len(workload)} jobs: those with all fields of the grid study"
    return record_transform(workload.take(np.flatnonzero(keep)), f"{sentence}, {reading}")


def is_complete(workload: Workload, *, literal: bool = False) -> Mask:
    """Return which jobs `complete` keeps, as a mask of shape (n_jobs,). Cost: O(n)."""
    keep = np.ones(len(workload), dtype=np.bool_)
    for _, hit in _rules(workload, literal=literal):
        keep &= ~hit
    return keep


def find_incomplete(workload: Workload, *, literal: bool = False) -> tuple[Dropped, ...]:
    """Return what `complete` drops: one entry a reason, each job under its first. Cost: O(n)."""
    left = np.ones(len(workload), dtype=np.bool_)
    dropped = []
    for reason, hit in _rules(workload, literal=literal):
        out = np.flatnonzero(hit & left)
        if len(out):
            dropped.append(Dropped(reason, len(out), workload.label(int(out[0]))))
            left[out] = False
    return tuple(dropped)


def _rules(workload: Workload, *, literal: bool) -> Iterator[tuple[str, Mask]]:
    """Yield the rules in the study's order: a reason, and the jobs it hits."""
    yield "job id <= 0", workload.job_id <= 0
    yield "submit time < 0", ~(workload.submit_time >= 0)
    yield "run time <= 0", ~(workload.run_time > 0)
    if literal:
        yield "requested processors <= 0", workload.int_column("requested_processors") <= 0
    else:
        yield "neither requested nor allocated processors", workload.processors <= 0
    request, user = workload.requested_time > 0, workload.user > 0
    if literal or request.any():
        yield "requested time <= 0", ~request
    if literal or user.any():
        yield "user id <= 0", ~user
