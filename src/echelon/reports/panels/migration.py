"""Where the jobs of a grid came from and where they ran: a migration matrix for each run."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import migration
from echelon.metrics.tables.site_flows import site_rows
from echelon.model.schedules.features import Feature, there
from echelon.quantities import tally
from echelon.reports.page_data.blocks import Blocks
from echelon.reports.panels.panel import Content, Panel, absent, body, column_heads, hint, table_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import JobSites, Migration
    from echelon.reports.tables import RunTables

MOST_ROWS = 100
"""Rows and columns of a matrix: with more sites, each is several of them."""

MOST_MOVES = 10
"""Of the largest moves, which are listed as text."""

PARTS = 1_000_000
"""In how many of all work is counted."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    grids = [(run, there(run.sites)) for run in runs]
    if not any(sites.knows_homes for _, sites in grids):
        # All jobs of a multicluster enter at its global queue: mostly no job has a home.
        if any(Feature.DELIVERY in run.has for run in runs):
            return None
        return absent(
            "The home sites of the jobs are unknown. A job's home is the site with the name of its "
            "partition; see the column home_site of jobs.csv."
        )
    matrices = [
        migration(sites.home_site, sites.site, area=run.area, sites=len(sites.platform))
        for run, sites in grids
    ]
    rows = [_matrix(sites, flows) for (_, sites), flows in zip(grids, matrices, strict=True)]
    several = len(runs) > 1
    rows_of_jobs = "".join(
        _sentence(f"{name}: " if several else "", flows) for name, flows in zip(names, matrices, strict=True)
    )
    moves = "".join(
        _moves(name, sites, flows) for name, (_, sites), flows in zip(names, grids, matrices, strict=True)
    )
    reading = (
        "Rows are the sites at which jobs were submitted, columns those at which they ran, both in the "
        "order of the platform; on the framed diagonal jobs stayed at home. Colors are logarithmic and the "
        "same for all runs; cells without color hold no job."
    )
    if any(not np.array_equal(sites.home_site, grids[0][1].home_site) for _, sites in grids):
        reading += (
            " The runs do not agree on the homes of the jobs: they have different jobs, or a decentralized "
            "protocol assigns homes by its own rule."
        )
    grouping = site_rows(grids[0][1].platform, MOST_ROWS).sentence
    largest = f"<details><summary>Largest moves</summary>{moves}</details>" if moves else ""
    return Content(f"{rows_of_jobs}{body('migration')}{largest}{hint(reading + grouping)}", rows)


PANEL = Panel("migration", "Home sites and execution sites of the jobs", _content, needs=Feature.SITES)


def _matrix(sites: JobSites, flows: Migration) -> dict[str, Any]:
    """Return the matrices of jobs and of parts of all work, with neighboring sites together if need be."""
    rows = site_rows(sites.platform, MOST_ROWS)
    first = np.flatnonzero(np.diff(rows.row, prepend=-1))
    jobs, area = (
        np.add.reduceat(np.add.reduceat(matrix, first, axis=0), first, axis=1)
        for matrix in (flows.jobs, flows.area)
    )
    blocks = Blocks()
    parts = np.rint(PARTS * area / (area.sum() or 1.0)).astype(np.int64)
    columns = {"jobs": blocks.add(jobs.ravel()), "work": blocks.add(parts.ravel())}
    return {"rows": rows.names, **{name: blocks.packed[place] for name, place in columns.items()}}


def _sentence(name: str, flows: Migration) -> str:
    jobs, area = int(flows.jobs.sum()), float(flows.area.sum()) or 1.0
    unknown = f" {tally(flows.unknown, 'job')} without a known home do not count." if flows.unknown else ""
    rows_of_jobs = (
        f"{tally(flows.moved_jobs, 'job')} of {jobs:,} ({100 * flows.moved_jobs / max(1, jobs):.1f} %) ran "
        f"away from home, with {100 * flows.moved_area / area:.1f} % of the work.{unknown}"
    )
    return f'<p class="told"><b>{html.escape(name)}</b>{rows_of_jobs}</p>'


def _moves(name: str, sites: JobSites, flows: Migration) -> str:
    """Return the moves with the most jobs as a table; nothing if no job moved."""
    jobs = flows.jobs.copy()
    np.fill_diagonal(jobs, 0)
    most = np.argsort(-jobs, axis=None, kind="stable")[:MOST_MOVES]
    pairs = [divmod(int(flow), len(jobs)) for flow in most if jobs.flat[flow]]
    if not pairs:
        return ""
    names, work = sites.platform.names, float(flows.area.sum()) or 1.0
    rows = "".join(
        table_row(
            f"{names[home]} → {names[site]}",
            (f"{flows.jobs[home, site]:,}", f"{100 * flows.area[home, site] / work:.2f} %"),
        )
        for home, site in pairs
    )
    heads = column_heads(("From → to", "Jobs", "Share of work"))
    return (
        f"<table><caption>{html.escape(name)}</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
