"""How many processes each time-shared machine had over time: a heat map with a row a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics import site_load
from echelon.metrics.tables.site_rows import site_rows
from echelon.reports.panels.load_map import COLUMNS, load_map, map_frame, time_edges
from echelon.reports.panels.panel import Content, Panel, body, hint
from echelon.reports.panels.site_load import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from echelon.metrics import JobSites
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.tables import RunTables


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    machines = [(run, run.sites) for run in runs if run.sites is not None and run.is_immediate]
    if len(machines) < len(runs):
        return None
    edges = time_edges(runs)
    loads = [_load(run, sites, edges) for run, sites in machines]
    most = max(1.0, *(float(load.max()) for load in loads))
    maps = [_map(load / most, sites) for load, (_, sites) in zip(loads, machines, strict=True)]
    reading = (
        "A row is a machine, the last one of the platform on top; its color is the number of processes per "
        f"processor, averaged over a {COLUMNS}th of the time. Beyond 1 they slow each other down. All runs "
        "share the time axis and the colors."
    )
    words = site_rows(machines[0][1].platform, MOST_ROWS).words
    return Content(
        body("machine_load") + hint(reading + words), map_frame(edges) | {"most": most, "runs": maps}
    )


PANEL = Panel("machine_load", "Processes of the machines over time", _content)


def _load(run: RunTables, sites: JobSites, edges: FloatColumn) -> NDArray[np.float64]:
    site, pieces, size = run.at_sites
    return site_load(site, pieces.start, pieces.end, size, platform=sites.platform, edges=edges)


def _map(share: NDArray[np.float64], sites: JobSites) -> dict[str, Any]:
    rows = site_rows(sites.platform, MOST_ROWS)
    return load_map(share, sites.platform.sizes, row=rows.row, names=rows.names)
