"""How busy each site of a grid was over time: a heat map with a row a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import site_load
from echelon.metrics.site_rows import site_rows
from echelon.reports.blocks import Blocks
from echelon.reports.panels.panel import Content, Panel, body, hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import JobSites
    from echelon.model.columns import FloatColumn
    from echelon.reports.tables import RunTables

MOST_ROWS = 200
"""Rows of a heat map: with more sites, each row is several of them."""

COLUMNS = 240
"""Parts of the time, each with its mean."""

LEVELS = 250
"""Into which the share of busy processors is rounded."""


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    grids = [(run, run.sites) for run in runs if run.sites is not None]
    if len(grids) < len(runs):
        return None
    start = min(float(run.float_column("submit_time").min()) for run in runs)
    end = max(float(run.float_column("end_time").max()) for run in runs)
    edges = np.linspace(start, max(end, start + 1.0), COLUMNS + 1)
    data = {
        "from": start,
        "to": float(edges[-1]),
        "columns": COLUMNS,
        "levels": LEVELS,
        "runs": [_load(run, sites, edges) for run, sites in grids],
    }
    reading = (
        f"A row is a site, the largest on top; its color is the share of its processors that jobs held, on "
        f"average over a {COLUMNS}th of the time. All runs share the time axis and the colors; "
        "what has none is idle."
    )
    words = site_rows(grids[0][1].platform, MOST_ROWS).words
    return Content(body("site_load") + hint(reading + words), data)


PANEL = Panel("site_load", "Utilization of the sites over time", _content)


def _load(run: RunTables, sites: JobSites, edges: FloatColumn) -> dict[str, Any]:
    row, start, end = run.pieces
    size = run.int_column("processors")[row]
    load = site_load(sites.site[row], start, end, size, platform=sites.platform, edges=edges)
    rows = site_rows(sites.platform, MOST_ROWS)
    busy = np.zeros((len(rows.names), load.shape[1]))
    np.add.at(busy, rows.row, load * sites.platform.sizes[:, None])
    levels = np.clip(busy / rows.processors[:, None] * LEVELS, 0, LEVELS)
    # What is not idle never looks idle, however little it is.
    shown = np.where(levels > 0, np.maximum(1, np.rint(levels)), 0).astype(np.int64)
    blocks = Blocks()
    blocks.add(shown.ravel())
    return {"rows": rows.names, "processors": rows.processors.tolist(), "level": blocks.packed[0]}
