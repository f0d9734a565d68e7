"""Further columns of time-shared machines: speeds, and jobs that share cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.shared_machines import copies_of, mean_processes, speeds
from echelon.model import EndReason

if TYPE_CHECKING:
    from echelon.model import Schedule


def machine_columns(schedule: Schedule) -> dict[str, Any]:
    """Return the columns of ``sites.csv`` that only time-shared machines have, shape (n_sites,) each.

    ``speed``; ``mean_execution``: mean of end - start of the jobs that ended there, in seconds, null if none
    did; ``mean_processes``: mean number of processes while there was one, null if there never was;
    ``max_processes``; ``canceled_copies``: copies of jobs that ended elsewhere.

    Raises
    ------
    InputError
        If the schedule is on no grid.
    """
    # A heavy library that only tables need.
    import polars as pl

    platform, site, attempts = schedule.instance.platform, schedule.site, schedule.attempts
    if platform is None or site is None:
        raise InputError("columns of machines need a schedule on a grid, got one on a single machine")
    count = len(platform)
    took = np.bincount(site, weights=schedule.end_time - schedule.start_time, minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):
        execution = took / np.bincount(site, minlength=count)
    mean, most = mean_processes(copies_of(schedule), count)
    canceled = np.bincount(attempts.site[attempts.ended_by(EndReason.CANCELED)], minlength=count)
    return {
        "speed": speeds(platform),
        "mean_execution": pl.Series(execution).fill_nan(None),
        "mean_processes": pl.Series(mean).fill_nan(None),
        "max_processes": most,
        "canceled_copies": canceled,
    }
