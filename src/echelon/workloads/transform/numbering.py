"""Numbering and order of a workload's jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.fields import UNKNOWN
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import IntColumn


def renumber(workload: Workload) -> Workload:
    """Return the jobs numbered 1, 2, 3 ... in the workload's order; preceding jobs are renamed with them.

    Ties: where several jobs had one number, a job that names it as preceding now names the first of them. A
    preceding job that is not in the workload becomes unknown (-1). Labels stay. Cost: O(n log n).
    """
    old = workload.job_id
    new = np.arange(1, len(workload) + 1)
    renamed = workload.with_columns(
        job_id=new, preceding_job=rename_jobs(workload.int_column("preceding_job"), old, new)
    )
    return record_transform(renamed, "jobs renumbered from 1")


def sort_by_submit(workload: Workload) -> Workload:
    """Return the jobs in the order of their submit times; ties keep the workload's. Cost: O(n log n)."""
    order = np.argsort(workload.submit_time, kind="stable")
    return record_transform(workload.take(order), "sorted by submit time")


def rename_jobs(references: IntColumn, old: IntColumn, new: IntColumn) -> IntColumn:
    """Return `references` to jobs numbered `old` as references to numbers `new`; -1 where there is none."""
    if not len(old):
        return references
    numbers, first = np.unique(old, return_index=True)
    place = np.minimum(np.searchsorted(numbers, references), len(numbers) - 1)
    is_present = (numbers[place] == references) & (references != UNKNOWN)
    return np.where(is_present, new[first[place]], UNKNOWN)
