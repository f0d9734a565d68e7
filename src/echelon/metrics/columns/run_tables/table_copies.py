"""What ran at which site of a run, from the tables that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.shared_machines import Copies, copies_of_table, first_records
from echelon.metrics.tables.nodes.task_slots import tasks_at_sites, times_of
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.metrics.columns.run_tables.job_sites import JobSites
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class SiteRecords(NamedTuple):
    """What a run's tables say about where its jobs were; times in seconds.

    Attributes
    ----------
    sites : JobSites
        Where each job ran.
    size : IntColumn, shape (n_jobs,)
        Processors of each.
    start, end : FloatColumn, shape (n_jobs,)
        When each ran.
    pieces : tuple of row, start and end
        When jobs held their processors.
    places, replicas : polars.DataFrame, optional
        The columns of ``places.csv`` and ``replicas.csv``.
    held : HeldCores, optional
        What jobs held of cores.
    """

    sites: JobSites
    size: IntColumn
    start: FloatColumn
    end: FloatColumn
    pieces: tuple[IntColumn, FloatColumn, FloatColumn]
    places: pl.DataFrame | None = None
    replicas: pl.DataFrame | None = None
    held: HeldCores | None = None

    def copies(self, has: Feature) -> Copies:
        """Return what ran where, of each job by the closest record that the run has of it.

        That is in how many nodes of a site it had tasks, which cores it held, which copies of it ran, and
        else when it held its processors.
        """
        return first_records(self._records(has), len(self.size))

    def _records(self, has: Feature) -> Iterator[Copies]:
        names, of = self.sites.platform.names, self.sites.site
        if Feature.PLACES in has:
            places = there(self.places)
            row, site, tasks = tasks_at_sites(places, names)
            yield Copies(row, site, *times_of(places, row, start=self.start, end=self.end), tasks)
        if Feature.CORES in has:
            held = there(self.held)
            yield Copies(held.row, of[held.row], held.start, held.release, held.sizes)
        if Feature.COPIES in has:
            yield copies_of_table(there(self.replicas), names, self.size)
        row, start, end = self.pieces
        yield Copies(row, of[row], start, end, self.size[row])


def held_by_all(held: HeldCores | None, jobs: int) -> bool:
    """Return whether it is known of each of `jobs` jobs what it held of nodes."""
    return held is not None and bool(np.bincount(held.row, minlength=jobs).all())
