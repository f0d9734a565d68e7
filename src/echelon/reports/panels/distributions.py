"""Distributions of waits and bounded slowdowns: the share of jobs above a value, on logarithmic axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import log_axis, share_above
from echelon.reports.panels.panel import (
    Content,
    Panel,
    body,
    hint,
    round_numbers,
    table_row,
    values_table,
    wait_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.tables import RunTables

ROUND_WAITS = {
    "0 s": 0.0,
    "1 min": 60.0,
    "10 min": 600.0,
    "1 h": 3_600.0,
    "6 h": 21_600.0,
    "1 d": 86_400.0,
    "7 d": 604_800.0,
}
ROUND_SLOWDOWNS = (1.0, 2.0, 10.0, 100.0, 1_000.0)
"""Where the table that goes with the charts gives the shares."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    waits, slowdowns = [run.wait for run in runs], [run.bounded_slowdown for run in runs]
    reading = (
        "Lower is better: the line at 1 h is the percentage of jobs that wait for more than an hour. Bounded "
        "slowdown is max(1, turnaround / max(run time, 10 s))."
    )
    wait, wait_rows = _shares(waits, "wait longer than", ROUND_WAITS)
    round_slowdowns = {f"{at:g}": at for at in ROUND_SLOWDOWNS}
    slowdown, slowdown_rows = _shares(slowdowns, "bounded slowdown above", round_slowdowns)
    data = {"wait": wait, "slowdown": slowdown}
    no_wait = "" if any(wait.any() for wait in waits) else "<p>No job waits.</p>"
    table = values_table("Table of the distributions", ("Jobs with a", *names), wait_rows + slowdown_rows)
    return Content(no_wait + body("distributions") + table + hint(reading + wait_sentence(runs)), data)


PANEL = Panel("distributions", "Waiting times and slowdowns", _content)


def _shares(
    columns: Sequence[FloatColumn], title: str, points: Mapping[str, float]
) -> tuple[dict[str, Any], list[str]]:
    """Return what the chart draws, and the rows of its table at `points`, by what these are called."""
    axis = log_axis(columns, lowest=1.0)
    # Both at once, as each job's value is then looked at once.
    shares = [share_above(column, np.concatenate((axis, [*points.values()]))) for column in columns]
    curves, exact = [share[: len(axis)] for share in shares], [share[len(axis) :] for share in shares]
    data = {"at": round_numbers(axis, 6), "share": [round_numbers(share) for share in curves]}
    return data, _rows(title, exact, list(points))


def _rows(title: str, shares: Sequence[FloatColumn], texts: Sequence[str]) -> list[str]:
    """Return a row of a table for each point: the exact share of each run's jobs above it."""
    return [
        table_row(f"{title} {text}", (f"{100 * share[place]:.2f} %" for share in shares))
        for place, text in enumerate(texts)
    ]
