"""Shapes of the jobs: run time by size as a scatter of all jobs, and jobs by size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics import cells, jobs_per_power_of_two, jobs_per_size
from echelon.reports.panels.charts.column_chart import column_chart
from echelon.reports.panels.panel import Content, Panel, absent, body, hint, round_numbers, workload_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.jobs.columns import IntColumn
    from echelon.reports.tables import RunTables

MOST_COLUMNS = 16
"""Sizes drawn each for itself; beyond, powers of two stand apart from what is between them."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    run = runs[0]
    length, size = run.run_time, run.int_column("processors")
    has_length = length > 0
    if not has_length.any():
        return absent("No job of this workload runs for longer than 0 s.")
    grid = cells(length[has_length], size[has_length])
    data = {
        "run": round_numbers(grid.x, 6),
        "size": round_numbers(grid.y, 6),
        "jobs": grid.jobs.tolist(),
    }
    left_out = int((~has_length).sum())
    reading = (
        "Each square covers a twentieth of a decade in width and height; its color is the number of jobs in "
        "it." + (f" {left_out:,} jobs of 0 s are not shown." if left_out else "")
    )
    reading += workload_sentence(runs, names)
    return Content(f'<div class="pair">{body("shapes")}{_sizes(size)}</div>{hint(reading)}', data)


PANEL = Panel("shapes", "Run time and size of the jobs", _content)


def _sizes(size: IntColumn) -> str:
    counts = jobs_per_size(size)
    if len(counts.jobs) > MOST_COLUMNS:
        counts = jobs_per_power_of_two(size)
    labels = [f"{label} processor{'' if label == '1' else 's'}" for label in counts.labels]
    # Ranges lie between the powers of two beside them; of many powers every other one has room for its label.
    step = 1 if len(labels) <= MOST_COLUMNS else 2
    shown = [_label_of_column(label, step) for label in counts.labels]
    ranges = list(zip(counts.lowest.tolist(), counts.highest.tolist(), strict=True))
    jobs = counts.jobs.tolist()
    return column_chart("Jobs by processors", labels, jobs, shown=shown, field="size", ranges=ranges)


def _label_of_column(label: str, step: int) -> str:
    return "" if " " in label or (int(label).bit_length() - 1) % step else f"{int(label):,}"
