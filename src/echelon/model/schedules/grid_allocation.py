"""Processor numbers on a grid: each site's own, one site above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import float_column, int_column
from echelon.model.schedules.allocation import Allocation, assign_processors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.model.jobs.columns import IntColumn
    from echelon.model.machines.platform import Platform


def first_processors(platform: Platform) -> IntColumn:
    """Return the number of each site's first processor if processors are numbered across sites from 0."""
    return np.cumsum(platform.sizes) - platform.sizes


def assign_at_sites(
    start: ArrayLike, end: ArrayLike, size: ArrayLike, *, site: IntColumn, platform: Platform
) -> Allocation:
    """Assign every job of a grid's schedule processor numbers of its site.

    Parameters
    ----------
    start, end, size : array-like, shape (n_jobs,)
        As for `assign_processors`.
    site : IntColumn, shape (n_jobs,)
        Place in `platform` of the site where each job ran.
    platform : Platform
        The sites.

    Returns
    -------
    Allocation
        In the order of the jobs. Processors are counted through all sites, in the platform's order:
        less the site's entry in `first_processors`, a number is that within the site.

    Raises
    ------
    InputError
        As `assign_processors`, naming the site.

    Notes
    -----
    Within a site the rule is that of `assign_processors`, ties included.

    Cost: that of `assign_processors` for each site, and O(n log n) to sort the jobs by site.
    """
    times, ends, sizes = float_column(start, "start"), float_column(end, "end"), int_column(size, "size")
    count = np.zeros(len(times), dtype=np.int64)
    parts = []
    ordered = np.argsort(site, kind="stable")
    bounds = np.searchsorted(site[ordered], np.arange(len(platform) + 1))
    for place, below in enumerate(first_processors(platform).tolist()):
        jobs = ordered[bounds[place] : bounds[place + 1]]
        try:
            allocation = assign_processors(
                times[jobs], ends[jobs], sizes[jobs], platform.sites[place].processors
            )
        except InputError as error:
            raise InputError(f"among the jobs of site {platform.names[place]!r}, {error.problem}") from error
        count[jobs] = np.diff(allocation.offsets)
        parts.append((jobs, allocation, below))
    offsets = np.concatenate(([0], np.cumsum(count)))
    first, last = np.empty((2, int(offsets[-1])), dtype=np.int64)
    for jobs, allocation, below in parts:
        where = np.arange(len(allocation.first)) + np.repeat(
            offsets[jobs] - allocation.offsets[:-1], count[jobs]
        )
        first[where], last[where] = allocation.first + below, allocation.last + below
    return Allocation(offsets, first, last)
