"""How many processes each time-shared machine had over time: a heat map with a row a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.tables.site_rows import site_rows
from echelon.model.schedules.features import Feature
from echelon.reports.panels.charts.load_map import COLUMNS, map_frame, sites_load, time_edges
from echelon.reports.panels.panel import Content, Panel, body, hint
from echelon.reports.panels.site_load import MOST_ROWS, site_map

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    edges = time_edges(runs)
    loads = [sites_load(run, Feature.TIME_SHARING, edges) for run in runs]
    most = max(1.0, *(float(load.max()) for _, load in loads))
    maps = [site_map(platform, load / most) for platform, load in loads]
    reading = (
        "A row is a machine, the last one of the platform on top; its color is the number of processes per "
        f"processor, averaged over a {COLUMNS}th of the time. Beyond 1 they slow each other down. All runs "
        "share the time axis and the colors."
    )
    words = site_rows(loads[0][0], MOST_ROWS).sentence
    return Content(
        body("machine_load") + hint(reading + words), map_frame(edges) | {"most": most, "runs": maps}
    )


PANEL = Panel("machine_load", "Processes of the machines over time", _content, needs=Feature.TIME_SHARING)
