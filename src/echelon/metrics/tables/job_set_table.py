"""Sets of jobs site by site: what each site was given of either set, and what it ran and took."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.schedules.features import Feature, features_of, there

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

SETS = ("A", "B")


def job_set_table(schedule: Schedule, in_a: NDArray[np.bool_]) -> pl.DataFrame:
    """Return jobs and work of sets A and B at each site: as they were submitted, and as they were run.

    Parameters
    ----------
    schedule : Schedule
        On a grid; jobs of no known home count only where they ran.
    in_a : ndarray of bool, shape (n_jobs,)
        Whether each job is in set A, else it is in B: ``stealing.job_sets(sizes).in_a(size)``.

    Returns
    -------
    polars.DataFrame
        Two rows a site, in the platform's order, A before B. ``site, set``; of the jobs submitted there
        ``home_jobs, home_work`` (processor-seconds), ``home_work_per_processor`` (s) and ``home_load``, the
        sum of sizes by the site's processors; of those it ran ``run_jobs, run_work,
        run_work_per_processor, run_load``; of these those submitted elsewhere, ``taken_jobs, taken_work``.

    Raises
    ------
    InputError
        If the schedule is on one machine, or there is not one entry of `in_a` a job.

    Notes
    -----
    Cost: O(n + s) for n jobs and s sites. Source: figures 19 to 22 and 27 to 30 of Quezada Pina, CICESE 2012.
    """
    # A heavy library that only tables need.
    import polars as pl

    if Feature.SITES not in features_of(schedule):
        raise InputError("a table of sets needs a schedule on a grid, got one on a single machine")
    instance, platform = schedule.instance, schedule.instance.sites
    site, home = there(schedule.site), there(schedule.home_site)
    if np.shape(in_a) != (len(instance),):
        raise InputError(f"in_a needs one entry a job, got {np.size(in_a)} for {len(instance)} jobs")
    work, size = instance.run_time * instance.size, instance.size.astype(np.float64)
    processors = np.repeat(platform.sizes, len(SETS))
    at_home, here = (np.where(where >= 0, len(SETS) * where + ~in_a, -1) for where in (home, site))
    taken = np.where((home >= 0) & (home != site), here, -1)
    rows, one = len(processors), np.ones(len(work))
    return pl.DataFrame(
        {
            "site": np.repeat(platform.names, len(SETS)),
            "set": SETS * len(platform),
            "home_jobs": _sums(at_home, one, rows).astype(np.int64),
            "home_work": _sums(at_home, work, rows),
            "home_work_per_processor": _sums(at_home, work, rows) / processors,
            "home_load": _sums(at_home, size, rows) / processors,
            "run_jobs": _sums(here, one, rows).astype(np.int64),
            "run_work": _sums(here, work, rows),
            "run_work_per_processor": _sums(here, work, rows) / processors,
            "run_load": _sums(here, size, rows) / processors,
            "taken_jobs": _sums(taken, one, rows).astype(np.int64),
            "taken_work": _sums(taken, work, rows),
        }
    )


def _sums(row: IntColumn, amount: FloatColumn, rows: int) -> FloatColumn:
    """Return the sum of an amount in each row; -1 is none."""
    return np.bincount(row[row >= 0], weights=amount[row >= 0], minlength=rows).astype(np.float64)
