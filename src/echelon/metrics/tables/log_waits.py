"""The waits that a log records, beside those of a schedule of its jobs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""At which differences are reported."""

CLOSE = (60.0, 600.0, 3600.0)
"""Differences up to which jobs are counted as close, in seconds."""


@dataclass(frozen=True, eq=False)
class LogWaits:
    """How long jobs waited in their log and in a simulation, in seconds.

    Parameters
    ----------
    row : IntColumn, shape (n,)
        Rows of ``jobs.csv``, from 0, of the jobs whose wait the log records; at least one.
    logged : FloatColumn, shape (n,)
        Wait in the log.
    simulated : FloatColumn, shape (n,)
        From the log's submission of the job to its first start in the simulation; below 0 where the job waits
        for another that ends earlier than in the log.
    """

    row: IntColumn
    logged: FloatColumn
    simulated: FloatColumn

    def __len__(self) -> int:
        """Return the number of jobs that are compared."""
        return len(self.row)

    @cached_property
    def difference(self) -> FloatColumn:
        """Simulated minus logged wait: how much later each job starts in the simulation, in seconds."""
        return self.simulated - self.logged

    def largest(self, count: int = 10) -> IntColumn:
        """Return the places of the largest differences, either way, descending; ties by row."""
        return np.argsort(-np.abs(self.difference), kind="stable")[:count]

    def to_dict(self) -> dict[str, float | int | dict[str, float]]:
        """Return the figures of both as plain values for JSON.

        Returns
        -------
        dict
            ``jobs``; ``mean``, ``median`` and ``max`` of ``logged`` and ``simulated`` (s); of the differences
            ``mean_difference``, ``mean_absolute_difference``, ``quantiles`` by level (s), and ``close``: the
            share of jobs whose difference is at most so many seconds.
        """
        size = np.abs(self.difference)
        quantiles = np.quantile(self.difference, QUANTILES).tolist()
        return {
            "jobs": len(self),
            **{
                f"{name}_{which}_wait": float(function(values))
                for which, values in (("logged", self.logged), ("simulated", self.simulated))
                for name, function in (("mean", np.mean), ("median", np.median), ("max", np.max))
            },
            "mean_difference": float(self.difference.mean()),
            "mean_absolute_difference": float(size.mean()),
            "quantiles": {f"{level:g}": value for level, value in zip(QUANTILES, quantiles, strict=True)},
            "close": {f"{limit:g}": float((size <= limit).mean()) for limit in CLOSE},
        }

    def to_frame(self, job_id: pl.Series) -> pl.DataFrame:
        """Return one row a job: the columns of ``log_waits.csv``; `job_id` is that of ``jobs.csv``."""
        import polars as pl

        return pl.DataFrame(
            {
                "job_id": job_id.gather(self.row),
                "row": self.row,
                "log_wait": self.logged,
                "simulated_wait": self.simulated,
                "difference": self.difference,
            }
        )


def log_waits(schedule: Schedule) -> LogWaits | None:
    """Return the waits that a log records beside those of a schedule of its jobs.

    Parameters
    ----------
    schedule : Schedule
        Its workload has the log's waits (``wait_time``), of a batch system's accounting counted from when the
        job was eligible to run.

    Returns
    -------
    LogWaits or None
        None if the log records the wait of no job that was simulated.

    Notes
    -----
    A log whose submit times were changed, by a factor on the load for example, has waits of other arrivals.
    Cost: O(n).
    """
    instance = schedule.instance
    workload = instance.workload
    logged = workload.float_column("wait_time")[instance.kept]
    # Below 0 is no wait: unknown, or of a clock that went back.
    row = np.flatnonzero(logged >= 0)
    if not len(row):
        return None
    submitted = workload.submit_time[instance.kept]
    return LogWaits(row, logged[row], (schedule.start_time - submitted)[row])
