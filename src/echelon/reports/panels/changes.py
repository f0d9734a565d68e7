"""Job by job: which jobs start earlier or later under one policy than under another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import difference_edges
from echelon.reports.panels.panel import (
    Content,
    Panel,
    absent,
    body,
    hint,
    round_numbers,
    wait_sentence,
)
from echelon.reports.panels.users import known_codes
from echelon.reports.side_by_side.job_sets import have_same_jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    if len(runs) < 2:
        return None
    if not all(have_same_jobs(runs[0], run) for run in runs[1:]):
        return absent("The runs have different jobs and cannot be compared job by job.")
    starts = [run.float_column("start_time") for run in runs]
    furthest = np.maximum.reduce(starts) - np.minimum.reduce(starts)
    edges = difference_edges(float(furthest.max(initial=0.0)))
    reading = (
        "The axis is logarithmic in both directions; jobs whose start changes by at most 1 s are in the "
        "middle. All pairs of policies share the axis."
    )
    has_users = "user" in runs[0].jobs.columns and bool((known_codes(runs[0], "user")[0] >= 0).any())
    return Content(
        body("changes") + hint(reading + wait_sentence(runs)),
        {"edges": round_numbers(edges, 17), "users": has_users},
    )


PANEL = Panel("changes", "Job by job", _content)
