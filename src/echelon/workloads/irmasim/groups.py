"""Groups: the equal tasks of each job, from one figure for all or from a list of tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.demands import Demands
from echelon.workloads.irmasim.problems import show_value
from echelon.workloads.irmasim.records import AT_LEAST_ZERO, COUNT, SHARE, Records
from echelon.workloads.irmasim.task_demand import (
    PROFILE_MEMORY_VOLUME,
    WORK_NAMES,
    Works,
    read_works,
    resolve_works,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn
    from echelon.workloads.irmasim.problems import Problems
    from echelon.workloads.irmasim.shapes import Shapes
    from echelon.workloads.irmasim.task_demand import Profiles

TASK_NAMES = {
    **WORK_NAMES,
    "id": "id",
    "idtask": "id",
    "idjob": "owner",
    "jobid": "owner",
    "profile": "profile",
    "profiletask": "profile",
    "number": "number",
    "pendingtasks": "pending_tasks",
}
"""What an entry of a job's tasks may say, by squeezed spelling."""


@dataclass(frozen=True, slots=True)
class Entries:
    """The tasks that jobs list one by one.

    Parameters
    ----------
    records : Records
        All of them, job by job.
    owner : ndarray of int, shape (n_entries,)
        Place of each one's job.
    number : ndarray of int, shape (n_entries,)
        Equal tasks that an entry stands for.
    counted : ndarray of bool, shape (n_entries,)
        Whether the entry says that number: then it is a group of its own.
    """

    records: Records
    owner: IntColumn
    number: IntColumn
    counted: NDArray[np.bool_]

    def count_tasks(self, n_jobs: int) -> IntColumn:
        """Return the tasks that each job lists, shape (n_jobs,)."""
        return np.bincount(self.owner, weights=self.number, minlength=n_jobs).astype(np.int64)


def entries_of(jobs: Records, problems: Problems) -> Entries:
    """Return the tasks listed; what is no list, or an empty one, is noted."""
    objects: list[object] = []
    owner: list[int] = []
    place_in_job: list[int] = []
    for place, value in enumerate(jobs.values("tasks")):
        if value is None:
            continue
        if not isinstance(value, list) or not value:
            problems.add(f"{jobs.path(place)}.tasks", f"got {show_value(value)}, expected a list of tasks")
            continue
        objects += value
        owner += [place] * len(value)
        place_in_job += range(len(value))
    records = Records(
        objects,
        lambda entry: f"{jobs.path(owner[entry])}.tasks[{place_in_job[entry]}]",
        TASK_NAMES,
        problems,
    )
    number = np.nan_to_num(records.numbers("number", COUNT, default=1.0), nan=1.0).astype(np.int64)
    return Entries(records, np.array(owner, dtype=np.int64), number, records.have_value("number"))


@dataclass(frozen=True, slots=True)
class Tasks:
    """The groups of equal tasks of all jobs, job by job.

    Parameters
    ----------
    first : ndarray of int, shape (n_jobs + 1,)
        Where each job's groups begin.
    number : ndarray of int, shape (n_groups,)
        Tasks in each.
    works : Works
        What each of them does, a row a group.
    """

    first: IntColumn
    number: IntColumn
    works: Works


def tasks_of(
    jobs: Records, entries: Entries, shapes: Shapes, *, profiles: Profiles, units: Mapping[str, int]
) -> Tasks:
    """Return the groups of the jobs; jobs and entries that do not say what their tasks do are noted.

    Entries without figures take the job's. Equal entries next to each other are one group, unless one says
    its number.
    """
    rows, entry_rows = profiles.rows_of(jobs), profiles.rows_of(entries.records)
    records = profiles.records()
    of_profiles = read_works(records, units, memory_volume=PROFILE_MEMORY_VOLUME)
    of_jobs = resolve_works(jobs, rows, of_profiles, units)
    own = resolve_works(entries.records, entry_rows, of_profiles, units)
    has_own = (entry_rows >= 0) | entries.records.have_value("req_ops")
    of_entries = own.where(has_own, of_jobs.take(entries.owner))
    lists = np.zeros(len(jobs), dtype=np.bool_)
    lists[entries.owner] = True
    _refuse_idle(jobs, ~lists & np.isnan(of_jobs.operations), rows, records)
    _refuse_idle(entries.records, np.isnan(of_entries.operations), entry_rows, records)
    return _group_tasks(of_jobs, of_entries, entries, np.where(lists, -1, shapes.tasks))


def demands_of(jobs: Records, shapes: Shapes, tasks: Tasks, units: Mapping[str, int]) -> Demands:
    """Return the demands; to be called only where no problem was noted but those found here."""
    volume = jobs.numbers("comm_vol", AT_LEAST_ZERO, default=0.0, shift=units["comm_vol"])
    share = jobs.numbers("t_compute", SHARE, default=1.0)
    jobs.problems.refuse()
    return Demands(
        sequential=shapes.sequential,
        nodes=shapes.nodes,
        tasks_per_node=shapes.tasks_per_node,
        communication_volume=volume,
        compute_share=share,
        first_group=tasks.first,
        tasks=tasks.number,
        operations=tasks.works.operations,
        memory=tasks.works.memory,
        memory_volume=tasks.works.memory_volume,
    )


def _refuse_idle(records: Records, idle: NDArray[np.bool_], rows: IntColumn, profiles: Records) -> None:
    """Note the records without operations, unless a wrong value or an unknown profile was noted already."""
    reported: set[int] = set()
    for place in np.flatnonzero(idle).tolist():
        row = int(rows[place])
        if row < 0:
            if records.values("req_ops")[place] is None and records.values("profile")[place] is None:
                hint = records.hint("req_ops") or records.hint("profile")
                records.problems.add(records.path(place), f"has neither req_ops nor a profile{hint}")
        elif row not in reported and profiles.values("req_ops")[row] is None:
            reported.add(row)
            records.problems.add(profiles.path(row), f"has no req_ops{profiles.hint('req_ops')}")


def _group_tasks(of_jobs: Works, of_entries: Works, entries: Entries, sizes: IntColumn) -> Tasks:
    plain = np.flatnonzero(sizes >= 0)
    begins = _begins(of_entries, entries)
    owner = np.concatenate((plain, entries.owner[begins]))
    order = np.argsort(owner, kind="stable")
    sums = np.add.reduceat(entries.number, begins) if len(begins) else entries.number
    number = np.concatenate((sizes[plain], sums))[order]
    works = of_jobs.take(plain).join(of_entries.take(begins)).take(order)
    counts = np.bincount(owner, minlength=len(sizes))
    return Tasks(np.concatenate(([0], np.cumsum(counts))).astype(np.int64), number, works)


def _begins(works: Works, entries: Entries) -> IntColumn:
    """Return the entries that begin a group."""
    if not len(entries.owner):
        return entries.owner
    new = entries.counted[1:] | entries.counted[:-1] | (np.diff(entries.owner) != 0)
    for column in (works.operations, works.memory, works.memory_volume):
        new |= column[1:] != column[:-1]
    return np.flatnonzero(np.concatenate(([True], new)))
