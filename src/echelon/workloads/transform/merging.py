"""Merging workloads: several logs as one stream of jobs."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from echelon.errors import InputError
from echelon.model import Applications, Demands, Dependencies, Header, Workload
from echelon.model.jobs.columns import read_only
from echelon.model.jobs.fields import ACCOUNTING_FIELDS, FIELDS, UNKNOWN
from echelon.workloads.transform.numbering import rename_jobs
from echelon.workloads.transform.record import LEFT_OUT, NO_APPLICATIONS, record_transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.jobs.columns import FloatColumn, IntColumn

_Part = TypeVar("_Part", Applications, Demands)

CODED = ("user", "group", "executable", "queue", "partition")


def merge(*workloads: Workload) -> Workload:
    """Return all jobs of several workloads, in the order of their submit times.

    Parameters
    ----------
    *workloads : Workload
        At least one. Their submit times are taken as they are: `shift` first what starts elsewhere.

    Returns
    -------
    Workload
        Jobs numbered from 1 in their new order, preceding jobs renamed with them; dependencies stay. Users,
        groups, executables, queues, partitions and accounts of different workloads stay different: codes are
        1, 2 ... by workload, then by old code, with names ``<workload>:<name or old code>``; reservations of
        one name are one. Labels are kept
        if a workload has them; what tasks ask for, and the jobs' applications, if all workloads tell them.
        The header holds only the record, and MaxProcs and UnixStartTime where all workloads agree.

    Raises
    ------
    InputError
        If no workload is given.

    Notes
    -----
    Ties: jobs submitted at the same time are in the order of the arguments, then of their workload.
    Cost: O(n log n).
    """
    if not workloads:
        raise InputError("needs at least one workload, got none", field="merge")
    columns: dict[str, FloatColumn | IntColumn] = {
        spec.name: np.concatenate([workload.columns[spec.name] for workload in workloads]) for spec in FIELDS
    }
    names: dict[str, tuple[str, ...]] = {}
    accounting = _merge_accounting(workloads)
    for column in CODED:
        columns[column], names[column] = _disjoint_codes(workloads, column)
    if "account" in accounting:
        accounting["account"], names["account"] = _disjoint_codes(workloads, "account")
    for column in (name for name in ("reservation", "state") if name in accounting):
        accounting[column], names[column] = _codes_by_name(workloads, column)
    order = np.argsort(columns["submit_time"], kind="stable")
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(1, len(order) + 1)
    columns["preceding_job"] = _rename_predecessors(workloads, number)
    columns["job_id"] = number
    merged = Workload(
        {name: read_only(column[order]) for name, column in columns.items()},
        _common_header(workloads),
        "+".join(workload.name for workload in workloads),
        labels=_labels(workloads, order),
        names={column: texts for column, texts in names.items() if texts},
        demands=_join(Demands, [workload.demands for workload in workloads], order),
        applications=_join(Applications, [workload.applications for workload in workloads], order),
        dependencies=_dependencies(workloads, order),
        accounting={name: read_only(column[order]) for name, column in accounting.items()},
    )
    sources = ", ".join(f"{workload.name} ({len(workload)} jobs)" for workload in workloads)
    lost = (
        ""
        if merged.demands is not None or all(workload.demands is None for workload in workloads)
        else f"; {LEFT_OUT}, as not all of them have it"
    )
    if merged.applications is None and any(workload.applications is not None for workload in workloads):
        lost += f"; {NO_APPLICATIONS}, as not all of them have them"
    return record_transform(merged, f"merged by submit time from {sources}{lost}")


def _merge_accounting(workloads: Sequence[Workload]) -> dict[str, FloatColumn | IntColumn]:
    """Return what any of the logs' accounting says, unknown for the jobs of the others."""
    return {
        spec.name: np.concatenate(
            [getattr(workload, f"{spec.kind}_column")(spec.name) for workload in workloads]
        )
        for spec in ACCOUNTING_FIELDS
        if any(spec.name in workload.accounting for workload in workloads)
    }


def _join(kind: type[_Part], parts: Sequence[_Part | None], order: IntColumn) -> _Part | None:
    """Return the demands, or the applications, of all jobs, or None unless every workload has some."""
    present = [part for part in parts if part is not None]
    return kind.join(present).take(order) if len(present) == len(parts) else None


def _dependencies(workloads: Sequence[Workload], order: IntColumn) -> Dependencies | None:
    """Return the explicit dependencies of all jobs, each within its workload, or None if there are none."""
    starts = accumulate((len(workload) for workload in workloads), initial=0)
    parts = [
        (start, workload.dependencies)
        for start, workload in zip(starts, workloads, strict=False)
        if workload.dependencies is not None
    ]
    if not parts:
        return None
    follows = np.zeros(len(order), dtype=np.bool_)
    for start, part in parts:
        follows[start : start + len(part)] = part.follows
    return Dependencies.of_edges(
        len(order),
        np.concatenate([part.predecessor + start for start, part in parts]),
        np.concatenate([part.successor + start for start, part in parts]),
        delay=np.concatenate([part.delay for _, part in parts]),
        follows=follows,
    ).take(order)


def _disjoint_codes(workloads: Sequence[Workload], column: str) -> tuple[IntColumn, tuple[str, ...]]:
    codes: list[IntColumn] = []
    names: list[str] = []
    for workload in workloads:
        old = workload.int_column(column)
        old_names = workload.names.get(column, ())
        old_codes, place = np.unique(old[old != UNKNOWN], return_inverse=True)
        new = np.full(len(old), UNKNOWN)
        new[old != UNKNOWN] = place + 1 + len(names)
        codes.append(new)
        names += [
            f"{workload.name}:{(old_names[code - 1] if 1 <= code <= len(old_names) else '') or code}"
            for code in old_codes.tolist()
        ]
    return np.concatenate(codes), tuple(names)


def _codes_by_name(workloads: Sequence[Workload], column: str) -> tuple[IntColumn, tuple[str, ...]]:
    """Return a coded column whose codes are the same where the names are."""
    numbers: dict[str, int] = {}
    codes: list[IntColumn] = []
    for workload in workloads:
        old, names = workload.int_column(column), workload.names.get(column, ())
        new = np.full(len(old), UNKNOWN)
        for code in np.unique(old[old > 0]).tolist():
            name = (names[code - 1] if code <= len(names) else "") or str(code)
            new[old == code] = numbers.setdefault(name, len(numbers) + 1)
        codes.append(new)
    return np.concatenate(codes), tuple(numbers)


def _rename_predecessors(workloads: Sequence[Workload], number: IntColumn) -> IntColumn:
    ends = list(accumulate((len(workload) for workload in workloads), initial=0))
    return np.concatenate(
        [
            rename_jobs(workload.int_column("preceding_job"), workload.job_id, number[start:end])
            for workload, start, end in zip(workloads, ends, ends[1:], strict=False)
        ]
    )


def _labels(workloads: Sequence[Workload], order: IntColumn) -> tuple[str, ...] | None:
    if all(workload.labels is None for workload in workloads):
        return None
    labels = [workload.label(position) for workload in workloads for position in range(len(workload))]
    return tuple(labels[position] for position in order.tolist())


def _common_header(workloads: Sequence[Workload]) -> Header:
    lines = []
    for label in ("MaxProcs", "UnixStartTime"):
        values = {workload.header.integer(label) for workload in workloads}
        if len(values) == 1 and (value := values.pop()) is not None:
            lines.append((label, str(value)))
    return Header(tuple(lines))
