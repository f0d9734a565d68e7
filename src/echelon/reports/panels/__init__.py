"""Panels: the sections of the page below the summary, each a file here and a script beside the page.

`PANELS` lists them in the order of the page.
"""

from echelon.reports.panels import (
    arrivals,
    availability,
    bars,
    changes,
    classes,
    clusters,
    distributions,
    forecasts,
    migration,
    nodes,
    power,
    shapes,
    site_load,
    sites,
    traces,
    users,
)
from echelon.reports.panels.accounting import groups, log_waits
from echelon.reports.panels.charts import textbook
from echelon.reports.panels.panel import Content, Panel

PANELS: tuple[Panel, ...] = (
    bars.PANEL,
    textbook.PANEL,
    sites.PANEL,
    site_load.PANEL,
    site_load.MACHINES,
    migration.PANEL,
    clusters.PANEL,
    forecasts.PANEL,
    power.PANEL,
    availability.PANEL,
    nodes.PANEL,
    log_waits.PANEL,
    distributions.PANEL,
    traces.PANEL,
    classes.PANEL,
    users.PANEL,
    groups.PANEL,
    changes.PANEL,
    shapes.PANEL,
    arrivals.PANEL,
)

EARLY = (bars.PANEL, textbook.PANEL)
"""Panels that come before the schedule over time."""

__all__ = ["EARLY", "PANELS", "Content", "Panel"]
