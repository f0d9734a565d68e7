"""Sizes of jobs: how many ask for one processor, for two, for sixteen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.columns import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn


class SizeCounts(NamedTuple):
    """Jobs by size or class of sizes, ascending.

    Attributes
    ----------
    lowest, highest : IntColumn, shape (n_classes,)
        The sizes of a class, both included, in processors.
    jobs : IntColumn, shape (n_classes,)
        How many jobs are of such a size.
    """

    lowest: IntColumn
    highest: IntColumn
    jobs: IntColumn

    @property
    def share(self) -> NDArray[np.float64]:
        """Share of all jobs, 0 to 1, shape (n_classes,); empty without jobs."""
        return self.jobs / max(1, int(self.jobs.sum()))

    @property
    def labels(self) -> list[str]:
        """Names of the classes: ``"16"``, ``"17 to 32"``."""
        pairs = zip(self.lowest.tolist(), self.highest.tolist(), strict=True)
        return [str(low) if low == high else f"{low} to {high}" for low, high in pairs]


def jobs_per_size(size: IntColumn) -> SizeCounts:
    """Count the jobs of each size that occurs.

    Parameters
    ----------
    size : IntColumn, shape (n_jobs,)
        Processors of each job, >= 1.

    Returns
    -------
    SizeCounts
        One entry a size that occurs.

    Notes
    -----
    Cost: O(n log n).
    """
    sizes, place = distinct(size)
    jobs = np.bincount(place, minlength=len(sizes))
    return SizeCounts(sizes, sizes, jobs)


def jobs_per_power_of_two(size: IntColumn) -> SizeCounts:
    """Count the jobs by size, powers of two apart from the sizes between them: 1, 2, 3, 4, 5 to 7, 8 ...

    Jobs of most logs crowd on powers of two, so a class such as 5 to 8 would hide those of size 8.

    Parameters
    ----------
    size : IntColumn, shape (n_jobs,)
        Processors of each job, >= 1.

    Returns
    -------
    SizeCounts
        From size 1 to the class of the largest job, classes without jobs included; empty without jobs.

    Notes
    -----
    Cost: O(n log s) for a largest size s.

    Source: Downey and Feitelson, "The elusive goal of workload characterization", 1999, on the
    emphasis on powers of two.
    """
    if not len(size):
        return jobs_per_size(size)
    powers = 2 ** np.arange(int(size.max()).bit_length() + 1, dtype=np.int64)
    # A class begins at each power and, from 2 on, right after it: from 3 to 3, from 5 to 7.
    begins = np.unique(np.concatenate((powers, powers[1:] + 1)))
    jobs = np.bincount(np.searchsorted(begins, size, side="right") - 1, minlength=len(begins))
    used = int(np.flatnonzero(jobs)[-1]) + 1
    return SizeCounts(begins[:used], begins[1 : used + 1] - 1, jobs[:used])
