"""Arrivals by hour of day and by weekday, as in the figures of the Parallel Workloads Archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics import arrivals
from echelon.metrics.tables.arrivals import DAYS
from echelon.reports.panels.charts.column_chart import column_chart
from echelon.reports.panels.panel import Content, Panel, hint, workload_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    run = runs[0]
    submit = run.float_column("submit_time")
    pattern = arrivals(submit, unix_start_time=run.unix_start_time, time_zone=run.time_zone)
    hours = [f"{hour:02d}:00 to {hour:02d}:59" for hour in range(24)]
    shown = [str(hour) if hour % 3 == 0 else "" for hour in range(24)]
    each = [(hour, hour) for hour in range(24)]
    title, counts = "Jobs by hour of submission", pattern.by_hour.tolist()
    charts = [column_chart(title, hours, counts, shown=shown, field="hour", ranges=each)]
    if pattern.by_weekday is not None:
        short = [day[:2] for day in DAYS]
        counts = pattern.by_weekday.tolist()
        title = "Jobs by weekday of submission"
        charts.append(
            column_chart(title, DAYS, counts, shown=short, field="weekday", ranges=each[: len(DAYS)])
        )
    reading = f"Clock: {pattern.clock}." + workload_sentence(runs, names)
    return Content(f'<div class="pair">{"".join(charts)}</div>{hint(reading)}')


PANEL = Panel("arrivals", "Arrivals", _content)
