"""Comparisons: statements that one turnaround is shorter than another, from delivery and from submission."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from echelon.reproduce.machinery.experiments import mean_table
from echelon.reproduce.machinery.statement import gain, lower
from echelon.reproduce.multicluster.evidence import DELIVERED, TURNAROUND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.experiments import FloatTable
    from echelon.reproduce.machinery.statement import Statement

    Measure = Callable[[int], FloatColumn]
    """A measure by its column in `MEASURES`, by seed."""

SINCE = {DELIVERED: "delivery", TURNAROUND: "submission"}
"""When a turnaround begins: that of E2 when a job is delivered to a cluster, that of users on submission."""


def measure_of(cases: Mapping[Any, FloatTable], **fields: object) -> Measure:
    """Return the measures of the cases that have these values in these fields, means over them."""
    table = mean_table(cases, **fields)
    return lambda column: table[:, column]


def shorter(names: tuple[str, str], ours: Measure, theirs: Measure, *, since: int) -> Statement:
    """Return the statement that one turnaround is shorter than another, and what the other kind says.

    `names` are as of `lower`; `since` is the column of the kind that is judged.
    """
    other = next(column for column in SINCE if column != since)
    statement = lower(names, (ours(since), theirs(since)))
    beside = gain(ours(other), theirs(other))
    side = "lower" if beside.mean >= 0 else "higher"
    text = f"{statement.text} (from {SINCE[since]}; from {SINCE[other]} {abs(beside.mean):.1f} % {side})"
    return replace(statement, text=text)
