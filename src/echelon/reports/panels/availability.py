"""Availability: what was down and reserved in each run, what jobs lost by it, and how jobs ended."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.model.schedules.features import Feature
from echelon.model.schedules.left_jobs import TOO_SHORT
from echelon.model.schedules.status import REASONS
from echelon.quantities import tally
from echelon.reports.panels.cells import UNKNOWN, Cell, duration_cell, in_unit, metric_rows
from echelon.reports.panels.panel import Content, Panel, hint, labeled_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.reports.tables import RunTables

METRICS = (
    "availability",
    "utilization",
    "utilization_available",
    "goodput",
    "waste_share",
    "lost_node_seconds",
    "node_failures",
    "mtbf_machine",
    "mttr",
    "jobs_killed",
    "restarts",
    "incomplete_jobs",
    "promises_kept",
    "reservation_idle",
    "deadline_misses",
    "mean_tardiness",
    "max_tardiness",
)

MOST_RESERVATIONS = 30
"""Reservations that a page lists; all are in the run's table."""

_DONE_TO_NODES = {"drain": "drained", "maintenance": "maintained"}
_READING = (
    "Down is what could not be used: a drained node from the end of its last job on. Utilization counts all "
    "that jobs held, also what was lost; goodput only work that lasts, of all that is installed. Idle before "
    "reservations is what stood empty just before maintenance and reservations while jobs waited that these "
    "kept out."
)


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    if not any(_changes(run) for run in runs):
        return None
    rows: list[tuple[str | Cell, Sequence[str | Cell]]] = [*metric_rows(runs, METRICS)]
    rows += _count_rows(runs, "{} nodes", _outages) + _count_rows(runs, "jobs: {}", _statuses)
    rows += _count_rows(runs, "never started: {}", _never_started)
    rows += _most_restarts(runs)
    tables = "".join(
        _reservations(run, name if len(runs) > 1 else "") for run, name in zip(runs, names, strict=True)
    )
    body = labeled_table("Machine and jobs", "Table: Machine and jobs", names, rows) + hint(_READING) + tables
    return Content(body)


PANEL = Panel("availability", "Failures, maintenance and reservations", _content)


def _changes(run: RunTables) -> Feature:
    return run.has & (Feature.ATTEMPTS | Feature.OUTAGES | Feature.RESERVATIONS | Feature.DUE_TIMES)


def _count_rows(
    runs: Sequence[RunTables], label: str, counts: Callable[[RunTables], dict[str, int]]
) -> list[tuple[str, list[Cell]]]:
    """Return a row for each kind that some run counts, in the order in which they come."""
    counted = [counts(run) for run in runs]
    kinds = dict.fromkeys(kind for count in counted for kind in count)
    return [
        (label.format(kind).capitalize(), [_count(count.get(kind, 0)) for count in counted]) for kind in kinds
    ]


def _outages(run: RunTables) -> dict[str, int]:
    """Return how often nodes were drained or maintained; failures are a metric."""
    if run.outages is None:
        return {}
    count = dict(run.outages["kind"].value_counts().iter_rows())
    return {name: count[kind] for kind, name in _DONE_TO_NODES.items() if kind in count}


def _statuses(run: RunTables) -> dict[str, int]:
    """Return how many jobs did not complete, by how they ended."""
    if run.attempts is None or "status" not in run.jobs.columns:
        return {}
    count = dict(run.jobs["status"].cast(str).value_counts(sort=True).iter_rows())
    return {status.replace("_", " "): number for status, number in count.items() if status != "completed"}


def _never_started(run: RunTables) -> dict[str, int]:
    """Return how many jobs left the run before they started as something changed, by the reason."""
    reasons = {*REASONS.values(), TOO_SHORT}
    dropped = ((drop["reason"], int(drop["count"])) for drop in run.run.get("dropped", ()))
    return {reason: count for reason, count in dropped if reason in reasons}


def _count(number: int) -> Cell:
    return Cell(f"{number:,}", number)


def _most_restarts(runs: Sequence[RunTables]) -> list[tuple[str, list[Cell]]]:
    """Return how often the job began again that did so most often, and which it was."""
    maxima = [_most_restarted(run) for run in runs]
    return [
        ("Most restarts of a job", [times for times, _ in maxima]),
        ("Job with the most restarts", [job for _, job in maxima]),
    ]


def _most_restarted(run: RunTables) -> tuple[Cell, Cell]:
    restarts = run.int_column("restarts") if "restarts" in run.jobs.columns else None
    if restarts is None or not restarts.any():
        return UNKNOWN, UNKNOWN
    row = int(restarts.argmax())
    job = str(run.jobs["job_id"][row])
    return _count(int(restarts[row])), Cell(f"job {job}", job)


def _reservations(run: RunTables, name: str) -> str:
    """Return the table of the reservations of a run."""
    table = run.reservations
    if table is None or not len(table):
        return ""
    heads = ("nodes", in_unit("length", "s"), "used", "unused (processor-s)", "idle before (processor-s)")
    rows = [
        (str(row["name"] or ""), _reservation(row))
        for row in table.head(MOST_RESERVATIONS).iter_rows(named=True)
    ]
    left = len(table) - len(rows)
    more = hint(f"And {tally(left, 'reservation')} more: all are in reservations.csv.") if left > 0 else ""
    title = f"Reservations{f' under {name}' if name else ''}"
    return labeled_table(title, f"Table: {title}", heads, rows) + more


def _reservation(row: dict[str, object]) -> list[str | Cell]:
    used, unused, idle = (row[key] for key in ("used_node_seconds", "unused_node_seconds", "idle_before"))
    start, end = row["start"], row["end"]
    length = Cell("never began", math.nan)
    if start is not None:
        length = duration_cell(float(str(end)) - float(str(start)))
    share = UNKNOWN
    if isinstance(used, int | float) and isinstance(unused, int | float) and used + unused > 0:
        share = Cell(f"{100 * used / (used + unused):.1f} %", used / (used + unused))
    site = f"{row['site']}: " if row.get("site") else ""
    return [f"{site}{row['nodes']}", length, share, _number(unused), _number(idle)]


def _number(value: object) -> Cell:
    return Cell(f"{value:,.0f}", value) if isinstance(value, int | float) else UNKNOWN
