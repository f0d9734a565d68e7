"""Columns and tables of jobs of runs on time-shared machines only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics import Measured
    from echelon.model import Schedule


def immediate_job_columns(measured: Measured) -> dict[str, Any]:
    """Return those columns that apply: run times alone, CPU times, and how many copies of a job ran."""
    schedule = measured.schedule
    if not measured.immediate:
        return {}
    columns: dict[str, Any] = {"dedicated_time": measured.dedicated}
    if schedule.cpu_time is not None:
        columns["cpu_time"] = schedule.cpu_time
    if schedule.replicas is not None and not schedule.replicas.finished.all():
        columns["copies"] = np.bincount(schedule.replicas.job, minlength=len(schedule.instance))
    return columns


def replica_table(schedule: Schedule, ids: pl.Series) -> pl.DataFrame | None:
    """Return one row a copy of a job: the columns of ``replicas.csv``; None if no job had two.

    Parameters
    ----------
    schedule : Schedule
        The run.
    ids : polars.Series
        What each job is called.
    """
    # A heavy library that only tables need.
    import polars as pl

    copies, platform = schedule.replicas, schedule.instance.platform
    if copies is None or platform is None or copies.finished.all():
        return None
    spent = [] if copies.cpu_time is None else [pl.Series("cpu_time", copies.cpu_time)]
    return pl.DataFrame(
        [
            ids.gather(copies.job).alias("job_id"),
            pl.Series("row", copies.job),
            pl.Series("site", list(platform.names), dtype=pl.String).gather(copies.site),
            pl.Series("start_time", copies.start),
            pl.Series("end_time", copies.end),
            *spent,
            pl.Series("finished", copies.finished),
        ]
    )
