"""Waits in the log beside the simulated ones, which say whether the simulation reproduces the machine."""

from __future__ import annotations

import html
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.experiments.summaries.moments import format_date
from echelon.metrics import LogWaits
from echelon.metrics.tables.log_waits import CLOSE, QUANTILES
from echelon.model.schedules.features import there
from echelon.quantities import duration, tally
from echelon.reports.panels.cells import Cell, duration_cell, in_unit
from echelon.reports.panels.charts.column_chart import column_chart
from echelon.reports.panels.distributions import ROUND_WAITS
from echelon.reports.panels.panel import Content, Panel, hint, labeled_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.tables import RunTables

MOST_JOBS = 10
"""Jobs that are listed: those with the largest differences."""

MOST_CHARTED = 4
"""Runs that have a chart and a list of jobs."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    compared = [
        (run, name, place)
        for place, (run, name) in enumerate(zip(runs, names, strict=True))
        if run.log_waits is not None
    ]
    if not compared:
        return None
    waits_by_name = [(name, waits_of(run)) for run, name, _ in compared]
    if not len(waits_by_name[0][1]):
        return None
    shown = compared[:MOST_CHARTED]
    charts = [
        _chart(waits, name, several=len(waits_by_name) > 1) for name, waits in waits_by_name[: len(shown)]
    ]
    lists = [
        _largest(run, waits, name, place)
        for (run, name, place), (_, waits) in zip(shown, waits_by_name, strict=False)
    ]
    reading = (
        "Waits in the log count from when a job was eligible to run, where the log says it. A difference is "
        "the simulated wait minus that in the log: above 0 the job starts later in the simulation. The "
        "column 5 % is the difference below which 5 % of the jobs are; the mean size takes all as positive. "
        "How many processors the machine had and its priorities are not in the log. "
        f"{_coverage_sentence(runs[0], waits_by_name[0][1])}"
    )
    tables = _waits(waits_by_name) + _differences(waits_by_name)
    return Content(f'{tables}<div class="pair">{"".join(charts)}</div>{"".join(lists)}{hint(reading)}')


PANEL = Panel("log-waits", "Waits in the log and simulated", _content)


def waits_of(run: RunTables) -> LogWaits:
    """Return the waits of a run that has them beside those of its log."""
    table = there(run.log_waits)
    logged, simulated = (table[name].to_numpy().astype(np.float64) for name in ("log_wait", "simulated_wait"))
    return LogWaits(table["row"].to_numpy().astype(np.int64), logged, simulated)


def _coverage_sentence(run: RunTables, waits: LogWaits) -> str:
    if len(waits) == run.jobs.height:
        return ""
    return f"The log records the wait of {len(waits):,} of {run.jobs.height:,} jobs."


def _waits(waits_by_name: Sequence[tuple[str, LogWaits]]) -> str:
    heads = [in_unit(text, "s") for text in ("Mean wait", "Median wait", "Longest wait")]
    keys = ("mean", "median", "max")
    logged: dict[str, Any] = waits_by_name[0][1].to_dict()
    rows = [("In the log", [duration_cell(logged[f"{key}_logged_wait"]) for key in keys])]
    for name, waits in waits_by_name:
        figures: dict[str, Any] = waits.to_dict()
        label = name if len(waits_by_name) > 1 else f"Simulated, {name}"
        rows.append((label, [duration_cell(figures[f"{key}_simulated_wait"]) for key in keys]))
    return labeled_table("Waits", "Waits in the log and simulated", heads, rows)


def _differences(waits_by_name: Sequence[tuple[str, LogWaits]]) -> str:
    quantiles = [f"{100 * level:g} %" for level in QUANTILES]
    heads = [in_unit(text, "s") for text in ("Mean", "Mean size", *quantiles)]
    heads += [Cell(text, text) for text in (f"Within {duration(limit)}" for limit in CLOSE)]
    rows = []
    for name, waits in waits_by_name:
        figures: dict[str, Any] = waits.to_dict()
        seconds = [figures[f"mean_{kind}"] for kind in ("difference", "absolute_difference")]
        texts = [duration_cell(one) for one in (*seconds, *figures["quantiles"].values())]
        texts += [Cell(f"{100 * share:.1f} %", share) for share in figures["close"].values()]
        rows.append((name, texts))
    return f"<h3>Simulated wait minus that in the log</h3>{labeled_table('Run', 'Differences', heads, rows)}"


def _chart(waits: LogWaits, name: str, *, several: bool) -> str:
    """Return the chart of the jobs by how much earlier or later they start than in the log."""
    edges = [*ROUND_WAITS.items()][1:]
    limits = np.array([at for _, at in edges])
    outward = np.searchsorted(limits, np.abs(waits.difference))  # 0 in the middle; an edge belongs inward
    place = len(limits) + np.where(waits.difference < 0, -outward, outward)
    counts = np.bincount(place, minlength=2 * len(limits) + 1).tolist()
    texts = [text for text, _ in edges]
    later = [f"{low} to {high} later" for low, high in pairwise(texts)]
    later.append(f"more than {texts[-1]} later")
    earlier = [text.replace("later", "earlier") for text in reversed(later)]
    labels = [*earlier, f"within {texts[0]}", *later]
    # On a phone there is no room for all.
    marks = [text if place % 2 else "" for place, text in enumerate(texts)]
    below = (
        [text and f"−{text}" for text in reversed(marks)] + ["0"] + [text and f"+{text}" for text in marks]
    )
    kinds = [*["earlier"] * len(limits), "same", *["later"] * len(limits)]
    title = "Jobs by how much earlier (left) or later (right) they start than in the log"
    title = f"{name}: {title[0].lower()}{title[1:]}" if several else title
    return column_chart(
        title, labels, counts, shown=below, kinds=kinds, field="beyond", ranges=_ranges(limits)
    )


def _ranges(limits: FloatColumn) -> list[tuple[float, float]]:
    """Return the differences of each column; one on an edge belongs to the column nearer to 0."""
    later = [(low * (1 + 1e-6), high) for low, high in pairwise([*limits.tolist(), math.inf])]
    return [*((-high, -low) for low, high in reversed(later)), (-float(limits[0]), float(limits[0])), *later]


def _largest(run: RunTables, waits: LogWaits, name: str, place: int) -> str:
    """Return the list of the jobs with the largest differences."""
    submit, size = run.float_column("submit_time"), run.int_column("processors")
    times = [in_unit(text, "s") for text in ("Wait in the log", "Simulated wait", "Difference")]
    heads: list[str | Cell] = ["Submitted", "Processors", *times]
    rows, jobs = [], []
    for one in waits.largest(MOST_JOBS).tolist():
        row = int(waits.row[one])
        jobs.append(row)
        texts = (waits.logged[one], waits.simulated[one], waits.difference[one])
        shown = [duration_cell(float(seconds)) for seconds in texts]
        cells: list[str | Cell] = [_moment(run, submit[row]), Cell(f"{size[row]:,}", size[row]), *shown]
        rows.append((f"Job {run.jobs['job_id'][row]}", cells))
    summary = f"The {tally(len(rows), 'job')} with the largest differences, {name}"
    about = f"Jobs with the largest differences, {name}"
    table = labeled_table("Job", about, heads, rows, jobs=jobs, run=place)
    return f"<details><summary>{html.escape(summary)}</summary>{table}</details>"


def _moment(run: RunTables, seconds: float) -> str:
    start = run.unix_start_time
    date = None if start is None else format_date(start + float(seconds), run.time_zone)
    return date or f"{seconds:,.15g} s"
