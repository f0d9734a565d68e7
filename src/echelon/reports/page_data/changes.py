"""The data behind what a page shows of machines that change: outages, reservations, attempts of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics.columns.run_tables.table_closures import KINDS
from echelon.model import EndReason
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics.columns.steps import Steps
    from echelon.model import Platform
    from echelon.model.jobs.columns import IntColumn
    from echelon.reports.page_data.blocks import Blocks
    from echelon.reports.tables import RunTables

REASONS = {reason.name.lower(): int(reason) for reason in EndReason}
"""Codes of why attempts ended, by their names in tables."""


def change_data(run: RunTables, blocks: Blocks, chart_platform: Platform | None = None) -> dict[str, Any]:
    """Pack what changed of a run's machine; nothing of one that never changes.

    ``closed``: rows of processors that were down or reserved, from when to when. ``attempts``: those of jobs
    that had several, or that did not complete. ``available``: processors that were not down over time.
    `chart_platform` are the sites as the Gantt stacks them.
    """
    sections: dict[str, Any] = {}
    if Feature.OUTAGES in run.has or Feature.RESERVATIONS in run.has:
        sections["closed"] = _closure_data(run, blocks, chart_platform)
    if Feature.ATTEMPTS in run.has and run.attempts is not None:
        sections["attempts"] = _attempts(run, blocks)
    if run.down is not None:
        sections["available"] = _pack_availability(run, run.down, blocks)
    return sections


def _closure_data(run: RunTables, blocks: Blocks, chart_platform: Platform | None) -> dict[str, Any]:
    bands = run.closures.drawn_bands(chart_platform)
    begin, last = run.span
    # What lasts longer than the run is drawn to its end.
    end = np.where(np.isfinite(bands.end), bands.end, max(last, float(bands.start.max(initial=begin))))
    (names, name), (sets, nodes) = _number_texts(bands.name), _number_texts(bands.nodes)
    return {
        "kinds": [*KINDS],
        "names": names,
        "sets": sets,
        "columns": {
            "start": blocks.add(bands.start, differences=True),
            "run": blocks.add(end - bands.start),
            "first": blocks.add(bands.first),
            "height": blocks.add(bands.last - bands.first + 1),
            "kind": blocks.add(bands.kind),
            "name": blocks.add(name),
            "nodes": blocks.add(nodes),
            "forever": blocks.add(np.isinf(bands.end).astype(np.int64)),
        },
    }


def _number_texts(texts: Sequence[str]) -> tuple[list[str], IntColumn]:
    """Return the different texts in the order in which they come, and the number of each text."""
    number = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return list(number), np.array([number[text] for text in texts], dtype=np.int64)


def _attempts(run: RunTables, blocks: Blocks) -> dict[str, Any]:
    table = there(run.attempts)
    row, start, end = run.tried
    reason = np.array([REASONS.get(name, 0) for name in table["reason"].to_list()], dtype=np.int64)
    several = np.bincount(row, minlength=run.jobs.height)[row] > 1
    shown = several | (reason != EndReason.COMPLETED)
    work, overhead = (table[name].cast(float).to_numpy() for name in ("work", "overhead"))
    lost = np.maximum(0.0, end - start - work - overhead)
    return {
        "reasons": list(REASONS),
        "columns": {
            "job": blocks.add(row[shown], differences=True),
            "start": blocks.add(start[shown], differences=True),
            "run": blocks.add((end - start)[shown]),
            "reason": blocks.add(reason[shown]),
            "lost": blocks.add(lost[shown]),
            "overhead": blocks.add(overhead[shown]),
        },
    }


def _pack_availability(run: RunTables, down: Steps, blocks: Blocks) -> dict[str, int]:
    submit, steps = run.span[0], down.changes()
    capacity = int(run.capacity) if Feature.TIME_SHARING not in run.has else run.processors
    first = [] if len(steps.time) and steps.time[0] <= submit else [submit]
    time = np.concatenate((first, steps.time))
    value = np.concatenate(([0.0] * len(first), steps.value))
    return {"time": blocks.add(time, differences=True), "value": blocks.add(capacity - value)}
