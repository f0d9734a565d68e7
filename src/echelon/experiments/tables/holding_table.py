"""Holdings as tables: what jobs held in the machine, and what each job's own columns say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics.columns.job_places import (
    communication_volumes,
    holding_cores,
    job_cores,
    job_nodes,
)

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from echelon.metrics import Measured
    from echelon.model import Schedule
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
