"""Columns and tables of jobs of runs on time-shared machines only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.model import EndReason

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics import Measured
    from echelon.model import Attempts, Schedule


def immediate_job_columns(measured: Measured) -> dict[str, Any]:
    """Return those columns that apply: run times alone, CPU times, and how many copies of a job ran."""
    # A heavy library that only tables need.
    import polars as pl

    schedule = measured.schedule
    if not measured.immediate:
        return {}
    columns: dict[str, Any] = {"dedicated_time": measured.dedicated}
    if schedule.cpu_time is not None:
        # Jobs beside time-shared machines have none.
        columns["cpu_time"] = pl.Series(schedule.cpu_time).fill_nan(None)
    if (copies := _copies(schedule)) is not None:
        # A job that was suspended has one.
        columns["copies"] = copies.counts().clip(1)
    return columns


def _copies(schedule: Schedule) -> Attempts | None:
    """Return the copies of jobs, those without others among them; None if no job had two."""
    copies = schedule.replicas
    return copies if copies is not None and copies.ended_by(EndReason.CANCELED).any() else None


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

    copies, platform = _copies(schedule), schedule.instance.platform
    if platform is None or copies is None:
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
