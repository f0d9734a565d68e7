"""How busy each site of a grid was over time: a heat map with a row a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics import site_load
from echelon.metrics.tables.site_rows import site_rows
from echelon.reports.panels.load_map import COLUMNS, load_map, map_frame, time_edges
from echelon.reports.panels.panel import Content, Panel, body, hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import JobSites
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.tables import RunTables

MOST_ROWS = 200
"""Rows of a heat map: with more sites, each row is several of them."""


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    grids = [(run, run.sites) for run in runs if run.sites is not None]
    if len(grids) < len(runs) or any(run.is_immediate for run in runs):
        return None
    edges = time_edges(runs)
    data = map_frame(edges) | {"runs": [_load(run, sites, edges) for run, sites in grids]}
    reading = (
        "A row is a site, the largest on top; its color is the share of its processors that jobs held, "
        f"averaged over a {COLUMNS}th of the time. All runs share the time axis and the colors; no color "
        "means idle."
    )
    words = site_rows(grids[0][1].platform, MOST_ROWS).words
    return Content(body("site_load") + hint(reading + words), data)


PANEL = Panel("site_load", "Utilization of the sites over time", _content)


def _load(run: RunTables, sites: JobSites, edges: FloatColumn) -> dict[str, Any]:
    site, pieces, size = run.at_sites
    load = site_load(site, pieces.start, pieces.end, size, platform=sites.platform, edges=edges)
    rows = site_rows(sites.platform, MOST_ROWS)
    return load_map(load, sites.platform.sizes, row=rows.row, names=rows.names)
