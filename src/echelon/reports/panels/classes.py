"""How jobs of each class of size and length fared: heat maps of the sixteen classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics.tables.class_table import LENGTHS, SIZES, JobClasses
from echelon.reports.panels.panel import Content, Panel, body, hint, round_numbers, wait_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import ClassGrid
    from echelon.reports.tables import RunTables


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content:
    classes = _classes(runs)
    grids = [_grids(run, of_jobs) for run, of_jobs in zip(runs, classes, strict=True)]
    first = grids[0]["mean_wait"]
    data = {
        "sizes": first.sizes,
        "lengths": first.lengths,
        "edges": {"size": list(SIZES), "run": list(LENGTHS)},
        "runs": [
            {
                "jobs": grids_of_run["mean_wait"].jobs.ravel().tolist(),
                **{name: round_numbers(grid.value.ravel(), 6) for name, grid in grids_of_run.items()},
            }
            for grids_of_run in grids
        ],
    }
    reading = (
        "Jobs by processors (rows) and run time (columns); the small number is the number of jobs in the "
        "class. All heat maps share one logarithmic color scale."
    )
    return Content(body("classes") + hint(reading + wait_sentence(runs)), data)


PANEL = Panel("classes", "Wait by job class", _content)


def _classes(runs: Sequence[RunTables]) -> list[JobClasses]:
    """Return the classes of each run's jobs; runs of the same jobs share them."""
    classes: list[JobClasses] = []
    for place, run in enumerate(runs):
        length, size = run.run_time, run.int_column("processors")
        same = place and np.array_equal(length, runs[place - 1].run_time)
        if same and np.array_equal(size, runs[place - 1].int_column("processors")):
            classes.append(classes[-1])
        else:
            classes.append(JobClasses(length, size))
    return classes


def _grids(run: RunTables, classes: JobClasses) -> dict[str, ClassGrid]:
    columns: dict[str, Any] = {"wait": run.wait, "bounded_slowdown": run.bounded_slowdown}
    return {
        f"{statistic}_{name}": grid_of(values)
        for name, values in columns.items()
        for statistic, grid_of in (("mean", classes.mean), ("median", classes.median))
    }
