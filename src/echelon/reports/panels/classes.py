"""How jobs of each class of size and length fared: heat maps of the sixteen classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics.class_grid import JobClasses
from echelon.reports.panels.panel import Content, Panel, body, hint, rounded, wait_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import ClassGrid
    from echelon.reports.tables import RunTables


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content:
    grids = [_grids(run) for run in runs]
    first = grids[0]["mean_wait"]
    data = {
        "sizes": first.sizes,
        "lengths": first.lengths,
        "runs": [
            {
                "jobs": found["mean_wait"].jobs.ravel().tolist(),
                **{name: rounded(grid.value.ravel(), 6) for name, grid in found.items()},
            }
            for found in grids
        ],
    }
    reading = (
        "Jobs by processors (rows) and run time (columns); the small figure counts the jobs of a class. "
        "All heat maps share one logarithmic color scale."
    )
    return Content(body("classes") + hint(reading + wait_words(runs)), data)


PANEL = Panel("classes", "Wait by job class", _content)


def _grids(run: RunTables) -> dict[str, ClassGrid]:
    columns: dict[str, Any] = {"wait": run.wait, "bounded_slowdown": run.bounded_slowdown}
    classes = JobClasses(run.run_time, run.int_column("processors"))
    return {
        f"{statistic}_{name}": found(values)
        for name, values in columns.items()
        for statistic, found in (("mean", classes.mean), ("median", classes.median))
    }
