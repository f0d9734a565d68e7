"""Character: what a grid's workload is like, where the study says something of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.workloads.grid.weekdays import DAY, WEEK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.workloads.grid import GridWorkload

_HOUR = 3600.0
DAYTIME = (8, 18)
"""Hours of the day taken for daytime: from the first, up to the second."""


class Character(NamedTuple):
    """What a grid's workload is like.

    Attributes
    ----------
    jobs_a_week : float
        Mean number of jobs of an experiment.
    load : float
        Work over the processor time of the experiments' days.
    by_site : ndarray, shape (n_sites,)
        Mean number of jobs of an experiment by the smallest site that can hold them.
    work_by_site : ndarray, shape (n_sites,)
        Their share of the work, 0 to 1.
    sizes : mapping of int to float
        Share of jobs of 1, 2, 4 ... processors.
    small : float
        Share of jobs of at most 32 processors.
    daytime : float
        Share of jobs submitted in `DAYTIME`.
    lone_job : float
        Share of experiments whose lower bound of C_max is the end of one job that starts when submitted.
    """

    jobs_a_week: float
    load: float
    by_site: NDArray[np.float64]
    work_by_site: NDArray[np.float64]
    sizes: dict[int, float]
    small: float
    daytime: float
    lone_job: float


def character(grid: GridWorkload) -> Character:
    """Return what a grid's workload is like. Cost: O(n log m)."""
    jobs, sizes = grid.jobs, grid.platform.sizes
    fits = (jobs.processors <= sizes[-1]) & (jobs.run_time > 0)
    size, run, submit = jobs.processors[fits], jobs.run_time[fits], jobs.submit_time[fits]
    work = size * run
    place = np.searchsorted(sizes, size)
    hour = submit % DAY / _HOUR
    weeks = len(grid)
    return Character(
        len(size) / weeks,
        float(work.sum()) / (grid.platform.processors * weeks * grid.recipe.weekdays.seconds),
        np.bincount(place, minlength=len(sizes)) / weeks,
        np.bincount(place, weights=work, minlength=len(sizes)) / work.sum(),
        {int(one): float((size == one).mean()) for one in (1, 2, 4, 8, 16, 32)},
        float((size <= 32).mean()),
        float(((hour >= DAYTIME[0]) & (hour < DAYTIME[1])).mean()),
        _lone_jobs(submit, run, work, weeks=weeks, processors=grid.platform.processors),
    )


def _lone_jobs(
    submit: NDArray[np.float64],
    run: NDArray[np.float64],
    work: NDArray[np.float64],
    *,
    weeks: int,
    processors: int,
) -> float:
    week = (submit // WEEK).astype(np.int64)
    last = np.zeros(weeks)
    np.maximum.at(last, week, submit - week * WEEK + run)
    area = np.bincount(week, weights=work, minlength=weeks) / processors
    return float((last >= area).mean())
