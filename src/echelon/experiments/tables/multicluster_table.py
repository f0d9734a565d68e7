"""Columns of the table of jobs that only jobs on multiclusters have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.metrics.columns.job_places import job_nodes
from echelon.model.schedules.features import Feature

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics import Measured


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
