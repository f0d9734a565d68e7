"""The sites of a grid, as `run` and `compare` show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.cli.terminal import grid
from echelon.quantities import figure, tally, time_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from rich.table import Table

    from echelon.experiments import Result
    from echelon.quantities import TimeUnit

MOST_SITES = 30
"""Rows that a terminal shows; the file has all of them."""

_NOTHING = "–"


def size_of(result: Result) -> str:
    """Return the size of the machine: ``100 processors``, ``grid1 (7 sites, 4,442 processors)``.

    For nodes: ``irmasim-a (2 nodes, 16 cores)``.
    """
    if result.platform is None and (hardware := result.instance.hardware) is not None:
        return f"{hardware.name} ({tally(len(hardware.nodes), 'node')}, {tally(hardware.cores, 'core')})"
    processors = tally(result.processors, "processor")
    if result.platform is None:
        return processors
    return f"{result.platform.name} ({tally(len(result.platform), 'site')}, {processors})"


def site_table(sites: pl.DataFrame) -> str | Table:
    """Return a table of the sites' jobs and waits, with one unit; of many sites, those with the most work.

    If all are time-shared machines, where no job waits, it has execution times instead.
    """
    if len(sites) > MOST_SITES:
        working = sites.with_row_index().top_k(MOST_SITES, by="area").sort("index").drop("index")
        return site_table(working)
    if "speed" in sites.columns and not sites["speed"].null_count():
        return _machine_table(sites)
    unit = time_unit(max((wait for wait in sites["mean_wait"] if wait is not None), default=0.0))
    has_origins = bool(sites["jobs_from_elsewhere"].is_not_null().all())
    heads = [
        *("Site", "Processors", "Jobs"),
        *(["From\nelsewhere"] if has_origins else []),
        *("Utilization\n%", f"Mean wait\n{unit.sign}", "Bounded\nslowdown"),
    ]
    rows = [_row(site, unit, has_origins=has_origins) for site in sites.iter_rows(named=True)]
    return grid(heads, rows, numbers=range(1, len(heads)))


def _machine_table(sites: pl.DataFrame) -> str | Table:
    """Return the table of time-shared machines, where no job waits: execution times and concurrent jobs."""
    unit = time_unit(max((time for time in sites["mean_execution"] if time is not None), default=0.0))
    heads = [
        *("Site", "Processors", "Speed", "Jobs", "Utilization\n%", f"Mean execution\n{unit.sign}"),
        *("Processes\nwhile busy", "Most\nat once"),
    ]
    return grid(heads, [_machine(site, unit) for site in sites.iter_rows(named=True)], numbers=range(1, 8))


def _machine(site: Mapping[str, Any], unit: TimeUnit) -> list[str]:
    execution, processes = site["mean_execution"], site["mean_processes"]
    return [
        site["site"],
        f"{site['processors']:,}",
        f"{site['speed']:g}",
        f"{site['jobs']:,}",
        f"{100 * site['utilization']:.1f}",
        _NOTHING if execution is None else figure(execution / unit.seconds),
        _NOTHING if processes is None else figure(processes, 3),
        f"{site['max_processes']:,}",
    ]


def _row(site: Mapping[str, Any], unit: TimeUnit, *, has_origins: bool) -> list[str]:
    wait, slowdown = site["mean_wait"], site["mean_bounded_slowdown"]
    return [
        site["site"],
        f"{site['processors']:,}",
        f"{site['jobs']:,}",
        *([f"{site['jobs_from_elsewhere']:,}"] if has_origins else []),
        f"{100 * site['utilization']:.1f}",
        _NOTHING if wait is None else figure(wait / unit.seconds),
        _NOTHING if slowdown is None else figure(slowdown),
    ]
