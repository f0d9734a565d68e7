"""Where jobs ran and on what: tables and columns of nodes, of multiclusters and of time-shared machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics.columns.job_places import (
    communication_volumes,
    holding_cores,
    job_cores,
    job_nodes,
)
from echelon.model import EndReason
from echelon.model.schedules.features import Feature

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from echelon.metrics import Measured
    from echelon.model import Attempts, Schedule
    from echelon.model.jobs.columns import FloatColumn


def holding_table(schedule: Schedule, job_ids: pl.Series) -> pl.DataFrame | None:
    """Return one row a holding: the columns of ``holdings.csv``; None if the schedule is not on hardware.

    Cost: O(k log k) for k cores held in all.
    """
    # A heavy library that only tables need.
    import polars as pl

    hardware, held = schedule.instance.hardware, schedule.holdings
    if hardware is None or held is None:
        return None
    return pl.DataFrame(
        {
            "job_id": job_ids.gather(held.job),
            "row": held.job,
            "node": hardware.node_of_processor[held.processor],
            "processor": held.processor,
            "cores": pl.Series(holding_cores(held).texts(), dtype=pl.String),
            "tasks": held.tasks,
            "start_time": held.start,
            "begin_time": held.begin,
            "end_time": held.end,
            "release_time": held.release,
            "level": held.level,
        }
    )


def power_table(measured: Measured) -> pl.DataFrame | None:
    """Return what the machine drew: the columns of ``power.csv``; None where that is not known.

    Each row holds until the next one; the last one, at the end of the run, says again what was drawn before.
    """
    import polars as pl

    trace = measured.power
    if trace is None:
        return None
    columns = {"time": trace.time, "power": trace.power, "idle_power": trace.idle}
    steps = pl.DataFrame(columns)
    return steps.vstack(steps.tail(1).with_columns(time=pl.lit(trace.end)))


def place_columns(measured: Measured) -> dict[str, Any]:
    """Return the columns of ``jobs.csv`` that only jobs on hardware have, those that apply.

    Of a job that was in no node they are empty or null, as is the energy of one in nodes of unknown power.
    """
    import polars as pl

    schedule = measured.schedule
    instance, held = schedule.instance, schedule.holdings
    if instance.hardware is None or instance.demands is None or held is None:
        return {}
    jobs = len(instance)
    columns: dict[str, Any] = {
        "nodes": pl.Series(job_nodes(held, instance.hardware, jobs).texts(), dtype=pl.String),
        "cores": pl.Series(job_cores(held, jobs).texts(), dtype=pl.String),
    }
    if instance.demands.communication_volume.any():
        columns["communication_volume"] = _of(measured.in_nodes, communication_volumes(schedule))
    if measured.energy is not None:
        columns["energy"] = _of(measured.is_charged, measured.energy.per_job)
    factor = measured.speed_factor
    if (factor < 1).any():
        columns["speed_factor"] = _of(measured.in_nodes, factor)
    quality = measured.allocation
    if quality is not None and quality.pairwise_hops is not None and quality.diameter is not None:
        columns["pairwise_hops"] = pl.Series(quality.pairwise_hops).fill_nan(None)
        columns["diameter"] = pl.Series(quality.diameter).fill_nan(None)
    return columns


def _of(jobs: NDArray[np.bool_], column: FloatColumn) -> pl.Series:
    """Return a column that says something of some jobs, null for the others."""
    import polars as pl

    return pl.Series(column).set(pl.Series(~jobs), None)


def cluster_job_columns(measured: Measured) -> dict[str, Any]:
    """Return those columns that apply: where each job's tasks were, when it was handed on, what was forecast.

    Forecasts are those of the run's own estimator, null for a job it was not asked about.
    """
    # A heavy library that only tables need.
    import polars as pl

    nodes, schedule = measured.shared_nodes, measured.schedule
    if nodes is None:
        return {}
    columns: dict[str, Any] = {
        "nodes": _nodes(measured, pl.Series(nodes.texts(), dtype=pl.String)),
        "sites": nodes.sites_per_job,
        "dedicated_time": measured.dedicated,
    }
    if schedule.delivered is not None:
        columns["delivered_time"] = pl.Series(schedule.delivered).fill_nan(None)
    if schedule.forecasts:
        forecast = schedule.forecasts[0]
        columns["forecast_wait"] = pl.Series(forecast.wait).fill_nan(None)
        columns["forecast_run"] = pl.Series(forecast.run).fill_nan(None)
    return columns


def _nodes(measured: Measured, shared: pl.Series) -> pl.Series:
    """Return the nodes of each job: shared ones, or beside them those that are modeled individually."""
    held, instance = measured.schedule.holdings, measured.schedule.instance
    if Feature.CORES not in measured.has or held is None or instance.hardware is None:
        return shared
    import polars as pl

    inside = pl.Series(job_nodes(held, instance.hardware, len(instance)).texts(), dtype=pl.String)
    return inside.zip_with(pl.Series(measured.in_nodes), shared)


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
