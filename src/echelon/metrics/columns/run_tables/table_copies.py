"""What ran at which site of a run, from the tables that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.shared_machines import Copies, copies_of_table, first_records
from echelon.metrics.tables.nodes.task_slots import tasks_at_sites, times_of
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.columns.run_tables.job_sites import JobSites
    from echelon.metrics.columns.run_tables.table_nodes import NodePart
    from echelon.model.jobs.columns import FloatColumn, IntColumn

    Jobs = tuple[
        JobSites, IntColumn, tuple[FloatColumn, FloatColumn], tuple[IntColumn, FloatColumn, FloatColumn]
    ]
    """Where each ran, its processors, from when to when; row, start and end of each time it held some."""


def copies_of_tables(
    has: Feature,
    jobs: Jobs,
    nodes: Sequence[NodePart],
    places: pl.DataFrame | None,
    replicas: pl.DataFrame | None,
) -> Copies:
    """Return what ran where, of each job by the closest record that the tables of its run have of it.

    That is in how many nodes of a site it had tasks, which cores it held, which copies of it ran, and else
    when it held its processors.
    """
    (sites, size, (begin, until), (row, start, end)), records = jobs, []
    of, names = sites.site, sites.platform.names
    if Feature.PLACES in has:
        job, site, tasks = tasks_at_sites(there(places), names)
        records.append(Copies(job, site, *times_of(there(places), job, start=begin, end=until), tasks))
    if Feature.CORES in has:
        held = next(part.held for part in nodes if part.feature is Feature.CORES)
        records.append(Copies(held.row, of[held.row], held.start, held.release, held.sizes))
    if Feature.COPIES in has:
        records.append(copies_of_table(there(replicas), names, size))
    records.append(Copies(row, of[row], start, end, size[row]))
    return first_records(records, len(size))


def held_by_all(held: HeldCores | None, jobs: int) -> bool:
    """Return whether it is known of each of `jobs` jobs what it held of nodes."""
    return held is not None and bool(np.bincount(held.row, minlength=jobs).all())
