"""Further columns of sites that are time-shared machines: speeds, and jobs that share cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.model.schedules.features import Feature, sites_with, there

if TYPE_CHECKING:
    from echelon.metrics.columns.measured_schedule import Measured


def machine_columns(measured: Measured) -> dict[str, Any]:
    """Return the columns of ``sites.csv`` that only time-shared machines have, shape (n_sites,) each.

    A site of another kind has null in each, but in ``canceled_copies`` where jobs are replicated.

    ``speed``; ``mean_execution``: mean of end - start of the jobs that ended there, in seconds, null if none
    did; ``mean_processes``: mean number of processes while there was one, null if there never was;
    ``max_processes``; ``canceled_copies``: copies of jobs that ended elsewhere.
    """
    # A heavy library that only tables need.
    import polars as pl

    schedule = measured.schedule
    platform, site = schedule.instance.sites, there(schedule.site)
    count = len(platform)
    took = np.bincount(site, weights=schedule.end_time - schedule.start_time, minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):
        execution = took / np.bincount(site, minlength=count)
    mean, most = measured.processes
    canceled = np.zeros(count, dtype=np.int64)
    if Feature.COPIES in measured.has:
        replicas = there(schedule.replicas)
        canceled += np.bincount(replicas.site[~replicas.finished], minlength=count)
    columns = {
        "speed": pl.Series(measured.speeds),
        "mean_execution": pl.Series(execution).fill_nan(None),
        "mean_processes": pl.Series(mean).fill_nan(None),
        "max_processes": pl.Series(most),
        "canceled_copies": pl.Series(canceled),
    }
    other = pl.Series(~sites_with(platform, Feature.TIME_SHARING))
    found = {name: column.set(other, None) for name, column in columns.items()}
    # Copies may be canceled at any site.
    return found | ({"canceled_copies": columns["canceled_copies"]} if Feature.COPIES in measured.has else {})
