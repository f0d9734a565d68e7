"""How busy each site of a grid and each time-shared machine was over time: heat maps with a row a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics.tables.site_flows import site_rows
from echelon.model.schedules.features import Feature
from echelon.reports.panels.charts.load_map import COLUMNS, load_map, map_frame, sites_load, time_edges
from echelon.reports.panels.panel import Content, Panel, body, hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Platform
    from echelon.reports.tables import RunTables

MOST_ROWS = 200
"""Rows of a heat map: with more sites, each row is several of them."""


def _content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    edges = time_edges(runs)
    loads = [sites_load(run, Feature.QUEUES, edges) for run in runs]
    data = map_frame(edges) | {"runs": [_site_map(platform, load) for platform, load in loads]}
    reading = (
        f"A row is a site, {_on_top(loads[0][0])} on top; its color is the share of its processors that "
        f"jobs held, averaged over a {COLUMNS}th of the time. All runs share the time axis and the colors; "
        "no color means idle."
    )
    grouping = site_rows(loads[0][0], MOST_ROWS).sentence
    return Content(body("site_load") + hint(reading + grouping), data)


def _machine_content(runs: Sequence[RunTables], _: Sequence[str]) -> Content | None:
    edges = time_edges(runs)
    loads = [sites_load(run, Feature.TIME_SHARING, edges) for run in runs]
    most = max(1.0, *(float(load.max()) for _, load in loads))
    maps = [_site_map(platform, load / most) for platform, load in loads]
    reading = (
        "A row is a machine, the last one of the platform on top; its color is the number of processes per "
        f"processor, averaged over a {COLUMNS}th of the time. Beyond 1 they slow each other down. All runs "
        "share the time axis and the colors."
    )
    grouping = site_rows(loads[0][0], MOST_ROWS).sentence
    return Content(
        body("machine_load") + hint(reading + grouping), map_frame(edges) | {"most": most, "runs": maps}
    )


PANEL = Panel(
    "site_load", "Utilization of the sites over time", _content, needs=Feature.SITES | Feature.QUEUES
)
MACHINES = Panel(
    "machine_load", "Processes of the machines over time", _machine_content, needs=Feature.TIME_SHARING
)


def _on_top(platform: Platform) -> str:
    """Return which site is on top: the last one, which is the largest where they are in order of size."""
    ascend = bool((np.diff(platform.sizes) >= 0).all())
    return "the largest" if ascend else "the last one of the platform"


def _site_map(platform: Platform, share: NDArray[np.float64]) -> dict[str, Any]:
    """Pack shares of what each site has, with neighboring sites in a row where there are too many."""
    rows = site_rows(platform, MOST_ROWS)
    return load_map(share, platform.sizes, row=rows.row, names=rows.names)
