"""Sentences on what changed of a machine during a run, and on what was given and came to nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from echelon.experiments.changes.planned_changes import planned_changes_of
from echelon.experiments.summaries.moments import moment
from echelon.metrics.columns.closures import codes_of
from echelon.model import JobStatus, OutageKind
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.result import Result
    from echelon.model import Reservation, Schedule

_ENDINGS = {
    JobStatus.FAILED_NODE: "failed with a node",
    JobStatus.CANCELED_RUNNING: "canceled while running",
    JobStatus.CANCELED_WAITING: "canceled while waiting again",
    JobStatus.DEADLINE: "past a deadline",
    JobStatus.HELD: "held",
    JobStatus.EVICTED: "evicted",
    JobStatus.UNFINISHED: "unfinished",
}
"""How jobs that started may end without having completed or reached their limits."""

_LONGEST = 80
"""Letters of a value that a sentence shows."""


def change_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on what changed of the machine in all runs alike; none where nothing did."""
    settings = [planned_changes_of(result.scenario).asked for result in results]
    same = {
        name: value for name, value in settings[0].items() if all(one.get(name) == value for one in settings)
    }
    if not same:
        return []
    parts = [f"{name.replace('_', ' ')} {_format_value(value)}" for name, value in same.items()]
    counts = {_counts(result) for result in results}
    many = f" ({counts.pop()})" if len(counts) == 1 and "" not in counts else ""
    return [f"The machine changed over time: {', '.join(parts)}{many}."]


def ending_sentences(results: Sequence[Result]) -> list[str]:
    """Return a sentence on the jobs of each run that started and did not complete; none where all did."""
    sentences = []
    for result in results:
        if counts := _not_completed(result.schedule):
            where = f" in {result.label}" if len(results) > 1 else ""
            sentences.append(f"Did not complete{where}: {', '.join(counts)}.")
    return sentences


def _not_completed(schedule: Schedule) -> list[str]:
    """Return how many jobs ended in each way of `_ENDINGS`, as clauses."""
    if schedule.status is None:
        return []
    counts = np.bincount(schedule.status, minlength=len(JobStatus))
    return [f"{counts[status]} {how}" for status, how in _ENDINGS.items() if counts[status]]


def sentences_on_the_rest(results: Sequence[Result]) -> list[str]:
    """Return a sentence on each thing that files of outages and reservations carry and nothing models.

    Then one on whatever else is to be known of them.
    """
    left = (clause for result in results for clause in planned_changes_of(result.scenario).not_modelled)
    notes = (clause for result in results for clause in change_notes(result))
    return [*(f"not modelled: {clause}" for clause in dict.fromkeys(left)), *dict.fromkeys(notes)]


def _format_value(value: object) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if text.startswith("[{") or (text.startswith('["') and text.endswith("]")):
        # Tables of a scenario, perhaps after files: the settings of both are JSON.
        content = json.loads(text)
        parts = content if isinstance(content, list) else [content]
        files = [str(one) for one in parts if not isinstance(one, dict)]
        text = " and ".join([*files, tally(len(parts) - len(files), "table")])
    # What follows the name of a file is at the end.
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


def _counts(result: Result) -> str:
    """Return how many outages and reservations there are; nothing where they have no natural end."""
    changes = result.scenario.changes
    if planned_changes_of(result.scenario).are_endless:
        return ""
    phrases = [tally(len(changes.outages), "outage")] if len(changes.outages) else []
    if changes.reservations:
        phrases.append(tally(len(changes.reservations), "reservation"))
    return ", ".join(phrases) or "nothing in the time of the run"


_KINDS = {OutageKind.FAIL: "failure", OutageKind.DRAIN: "drain", OutageKind.MAINTENANCE: "maintenance"}
"""What an outage of each kind is called."""

_MOST = 3
"""Names that a sentence lists."""


def change_notes(result: Result) -> tuple[str, ...]:
    """Return a sentence on each thing given for a run that had no effect, and on how files were read."""
    own = (*_unknown_people(result), *_outside(result), *_unknown_reservations(result), *_below_zero(result))
    return (*planned_changes_of(result.scenario).notes, *own)


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
            where = _join(list(dict.fromkeys(wanted[name] for name in gone)))
            yield f"reservation {where}: no job is of the {column}{plural} {_join(gone)}"


def _outside(result: Result) -> Iterator[str]:
    """Say what was given, but lies wholly before or after the run."""
    low, high = float(result.measured.submit.min()), float(result.measured.end.max())
    changes, settings = result.scenario.changes, planned_changes_of(result.scenario).asked
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
        yield f"reservation {_join(out)} {many} not in the time of the jobs: {first} begins at {at}; {span}"


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
        many, first = tally(len(lost), "job"), jobs.label(int(lost[0]))
        which = f"{_join(names)}, which was not given, and {run} without one"
        yield f"{many} {name} reservation {which} (first: job {first})"


def _below_zero(result: Result) -> Iterator[str]:
    """Say how many deadlines and due times are below 0, which no job can meet or miss."""
    jobs = result.scenario.instance
    for name, label in (("deadline", "deadline"), ("due_time", "due time")):
        if name not in jobs.workload.accounting:
            continue
        values = jobs.workload.accounting[name][jobs.kept]
        wrong = np.flatnonzero((values < 0) & (values != -1))
        if len(wrong):
            have = "has" if len(wrong) == 1 else "have"
            yield (
                f"{tally(len(wrong), 'job')} {have} a {label} below 0 (first: job "
                f"{jobs.label(int(wrong[0]))}), which counts as none"
            )


def _join(names: Sequence[str]) -> str:
    """Return names one behind the other, of many only the first."""
    left = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {left} more" if left > 0 else "")
