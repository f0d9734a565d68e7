"""Change notes: what a person should know of outages, reservations and deadlines that came to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.experiments.changes.planned_changes import change_settings, notes_of_changes
from echelon.experiments.summaries.moments import moment
from echelon.metrics.columns.closures import codes_of
from echelon.model import OutageKind
from echelon.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.result import Result
    from echelon.model import Reservation

_KINDS = {OutageKind.FAIL: "failure", OutageKind.DRAIN: "drain", OutageKind.MAINTENANCE: "maintenance"}
"""What an outage of each kind is called."""

_MOST = 3
"""Names that a sentence lists."""


def change_notes(result: Result) -> tuple[str, ...]:
    """Return a sentence on each thing given for a run that had no effect, and on how files were read."""
    own = (*_unknown_people(result), *_outside(result), *_unknown_reservations(result), *_below_zero(result))
    return (*notes_of_changes(result.scenario), *own)


def _unknown_people(result: Result) -> Iterator[str]:
    """Say which users and accounts of reservations no job of the run has."""
    jobs = result.scenario.instance
    for column in ("user", "account"):
        wanted: dict[str, str] = {}
        for one in result.scenario.changes.reservations:
            for name in one.users if column == "user" else one.accounts:
                wanted.setdefault(name, one.name)
        if not wanted:
            continue
        there = set(np.unique(jobs.workload.int_column(column)[jobs.kept]).tolist())
        gone = [name for name in wanted if there.isdisjoint(codes_of(jobs, column, (name,)))]
        if gone:
            plural = "" if len(gone) == 1 else "s"
            where = _listed(list(dict.fromkeys(wanted[name] for name in gone)))
            yield f"reservation {where}: no job is of the {column}{plural} {_listed(gone)}"


def _outside(result: Result) -> Iterator[str]:
    """Say what was given, but lies wholly before or after the run."""
    low, high = float(result.measured.submit.min()), float(result.measured.end.max())
    changes, settings = result.scenario.changes, change_settings(result.scenario)
    span = f"the run lasts from {moment(result.workload, low)} to {moment(result.workload, high)}"
    for kind, name in _KINDS.items():
        rows = changes.outages.of_kind(kind)
        is_drawn = kind == OutageKind.FAIL and "failures" in settings
        if len(rows) and not is_drawn and not ((rows.start <= high) & (rows.end >= low)).any():
            at = moment(result.workload, float(rows.start.min()))
            several = f"none of {len(rows):,} times of {name} is" if len(rows) > 1 else f"the {name} is not"
            yield f"{several} in the time of the jobs: the first begins at {at}; {span}"
    # What repeats from a time after the horizon on has not even one row.
    has_maintenance = len(changes.outages.of_kind(OutageKind.MAINTENANCE)) > 0
    if "maintenance" in settings and not has_maintenance:
        yield f"the maintenance never occurs in the time of the jobs: {span}"
    if "reservations" in settings and not changes.reservations and not has_maintenance:
        yield f"no reservation occurs in the time of the jobs: {span}"
    names: dict[str, list[Reservation]] = {}
    for one in (one for one in changes.reservations if not one.slide):
        names.setdefault(one.name, []).append(one)
    out = [name for name, all_ in names.items() if all(one.end < low or one.start > high for one in all_)]
    if out:
        at = moment(result.workload, names[out[0]][0].start)
        many = "is" if len(out) == 1 else "are"
        first = "it" if len(out) == 1 else "the first"
        yield f"reservation {_listed(out)} {many} not in the time of the jobs: {first} begins at {at}; {span}"


def _unknown_reservations(result: Result) -> Iterator[str]:
    """Say which reservations jobs name that were not given, where some were."""
    limits, jobs = result.scenario.instance.limits, result.scenario.instance
    names_in_run = {one.name for one in result.scenario.changes.reservations}
    if limits is None or not names_in_run:
        return
    codes_in_run = [code for code, name in enumerate(limits.names, start=1) if name in names_in_run]
    lost = np.flatnonzero((limits.reservation > 0) & ~np.isin(limits.reservation, codes_in_run))
    if len(lost):
        codes = np.unique(limits.reservation[lost]).tolist()
        names = [limits.names[code - 1] if code <= len(limits.names) else str(code) for code in codes]
        name, run = ("names", "runs") if len(lost) == 1 else ("name", "run")
        many, first = counted(len(lost), "job"), jobs.label(int(lost[0]))
        which = f"{_listed(names)}, which was not given, and {run} without one"
        yield f"{many} {name} reservation {which} (first: job {first})"


def _below_zero(result: Result) -> Iterator[str]:
    """Say how many deadlines and due times are below 0, which no job can meet or miss."""
    jobs = result.scenario.instance
    for name, word in (("deadline", "deadline"), ("due_time", "due time")):
        if name not in jobs.workload.accounting:
            continue
        values = jobs.workload.accounting[name][jobs.kept]
        wrong = np.flatnonzero((values < 0) & (values != -1))
        if len(wrong):
            have = "has" if len(wrong) == 1 else "have"
            yield (
                f"{counted(len(wrong), 'job')} {have} a {word} below 0 (first: job "
                f"{jobs.label(int(wrong[0]))}), which counts as none"
            )


def _listed(names: Sequence[str]) -> str:
    """Return names one behind the other, of many only the first."""
    left = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {left} more" if left > 0 else "")
