"""Columns of the table of jobs that only jobs on multiclusters have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
        "nodes": pl.Series(nodes.texts(), dtype=pl.String),
        "sites": nodes.sites_per_job,
        "dedicated_time": measured.dedicated,
    }
    if schedule.delivered is not None:
        columns["delivered_time"] = pl.Series(schedule.delivered).fill_nan(None)
    if schedule.forecasts:
        said = schedule.forecasts[0]
        columns["forecast_wait"] = pl.Series(said.wait).fill_nan(None)
        columns["forecast_run"] = pl.Series(said.run).fill_nan(None)
    return columns
