"""Partitions, queues and accounts: how much each computed, and how long its jobs waited."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics import user_means
from echelon.metrics.tables.code_table import GROUPED
from echelon.quantities import figure, tally
from echelon.reports.panels.accounting.log_waits import waits_of
from echelon.reports.panels.cells import Cell, duration_cell, in_unit
from echelon.reports.panels.panel import Content, Panel, hint, labeled_table, wait_sentence, workload_sentence
from echelon.reports.panels.users import known_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.reports.tables import RunTables

MOST_GROUPS = 12
"""Groups of a kind that the page lists: those with the most processor-seconds."""

_TITLES = {"partition": "Partition", "queue": "Queue", "account": "Account"}


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    tables = [_table(column, runs, names) for column in GROUPED if _is_shown(column, runs)]
    if not tables:
        return None
    reading = (
        "Work is processor-seconds; slowdowns are bounded slowdowns. Jobs of which the log does not say it "
        "are left out. In Slurm's accounting a queue is a QOS."
    )
    reading += workload_sentence(runs, names) + wait_sentence(runs)
    return Content("".join(tables) + hint(reading))


PANEL = Panel("groups", "Partitions, queues and accounts", _content)


def _is_shown(column: str, runs: Sequence[RunTables]) -> bool:
    """Return whether the jobs of all runs are of at least two known groups of a kind."""
    return all(
        column in run.jobs.columns and len(np.unique((code := known_codes(run, column)[0])[code >= 0])) > 1
        for run in runs
    )


def _table(column: str, runs: Sequence[RunTables], names: Sequence[str]) -> str:
    groups = [_by_name(run, column) for run in runs]
    first, logged = groups[0], _logged_waits(runs[0], column)
    most = sorted(first, key=lambda name: -first[name].share)[:MOST_GROUPS]
    heads: list[str | Cell] = ["Jobs", "Share of work"]
    heads += [in_unit("Mean wait in the log", "s")] if logged else []
    for end in [f", {name}" for name in names] if len(runs) > 1 else [""]:
        heads += [in_unit(f"Mean wait{end}", "s"), f"Mean slowdown{end}"]
    rows = [(name, _cells(name, groups, logged)) for name in most]
    more = _others([one for name, one in first.items() if name not in most])
    table = labeled_table(_TITLES[column], f"Table by {column}", heads, rows, picks=column)
    return f"<h3>By {column}</h3>{table}{more}"


def _others(groups: Sequence[_Group]) -> str:
    """Return the sentence on groups that the table leaves out."""
    if not groups:
        return ""
    jobs, share = sum(one.jobs for one in groups), sum(one.share for one in groups)
    named, verb = tally(len(groups), "other"), "has" if len(groups) == 1 else "have"
    sentence = f"{named} with less work {verb} {tally(jobs, 'job')} and {100 * share:.2f} % of the work."
    return f'<p class="hint">{sentence}</p>'


def _cells(
    name: str, groups: Sequence[Mapping[str, _Group]], logged: Mapping[str, float]
) -> list[str | Cell]:
    first = groups[0][name]
    cells: list[str | Cell] = [
        Cell(f"{first.jobs:,}", first.jobs),
        Cell(f"{100 * first.share:.2f} %", first.share),
    ]
    if logged:
        cells.append(duration_cell(logged[name]) if name in logged else "–")
    for run in groups:
        one = run.get(name)
        if one is None:
            cells += ["–", "–"]
        else:
            cells += [duration_cell(one.wait), Cell(figure(one.slowdown), one.slowdown)]
    return cells


class _Group(NamedTuple):
    """One partition, queue or account in a run: its jobs, share of the work, mean wait and slowdown."""

    jobs: int
    share: float
    wait: float
    slowdown: float


def _by_name(run: RunTables, column: str) -> dict[str, _Group]:
    code, texts = known_codes(run, column)
    means = user_means(code, run.wait, run.bounded_slowdown, area=run.area)
    names = [texts[one] for one in means.code.tolist()]
    columns = (means.jobs, means.area_share, means.mean_wait, means.mean_bounded_slowdown)
    figures = zip(*(values.tolist() for values in columns), strict=True)
    return {name: _Group(*one) for name, one in zip(names, figures, strict=True)}


def _logged_waits(run: RunTables, column: str) -> dict[str, float]:
    """Return the mean wait in the log by group, in seconds; nothing where the log's waits are not shown."""
    if run.log_waits is None:
        return {}
    waits = waits_of(run)
    code, texts = known_codes(run, column)
    has_name = code[waits.row] >= 0
    codes, logged = code[waits.row][has_name], waits.logged[has_name]
    sums, jobs = np.bincount(codes, logged), np.bincount(codes)
    return {texts[one]: float(sums[one] / jobs[one]) for one in np.flatnonzero(jobs).tolist()}
