"""Migration over several experiments: means, and what was taken from each site as a share of what it had."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics.tables.site_flows import Migration
    from echelon.model.jobs.columns import FloatColumn


class MeanMigration(NamedTuple):
    """Where jobs came from (rows) and where they ran (columns), on average over experiments.

    Attributes
    ----------
    jobs : ndarray of float, shape (n_sites, n_sites)
        How many; on the diagonal those that ran at home.
    area : ndarray of float, shape (n_sites, n_sites)
        Their work, in processor-seconds.
    """

    jobs: FloatColumn
    area: FloatColumn


def mean_migration(experiments: Sequence[Migration]) -> MeanMigration:
    """Return the mean of the migration matrices of several experiments on one platform.

    Raises
    ------
    InputError
        If there is none, or they are of platforms of different numbers of sites.

    Notes
    -----
    Cost: O(e s^2) for e experiments and s sites.
    """
    if len({one.jobs.shape for one in experiments}) != 1:
        counts = sorted({len(one.jobs) for one in experiments})
        raise InputError(f"must be migrations between the same sites, got some of {counts} sites")
    jobs = np.mean([one.jobs for one in experiments], axis=0)
    return MeanMigration(jobs, np.mean([one.area for one in experiments], axis=0))


def taken(matrix: FloatColumn) -> FloatColumn:
    """Return what each site (column) took from each other (row): the matrix with 0 on its diagonal.

    Parameters
    ----------
    matrix : ndarray, shape (n_sites, n_sites)
        Jobs or work by home and by the site that ran them.

    Notes
    -----
    Its sums by column are what each site took, those by row what was taken from each.
    Source: table 8 of Quezada Pina, CICESE 2012, which prints means of jobs.
    """
    return np.where(np.eye(len(matrix), dtype=np.bool_), 0.0, matrix)


def percent_taken(matrix: FloatColumn) -> FloatColumn:
    """Return what each site (column) took from each other (row), in percent of all that the other had.

    Parameters
    ----------
    matrix : ndarray, shape (n_sites, n_sites)
        Jobs or work by home and by the site that ran them. Of a mean, the result is the ratio of means.

    Returns
    -------
    ndarray of float, shape (n_sites, n_sites)
        0 in the rows of sites that had nothing.

    Notes
    -----
    Source: table 9 of Quezada Pina, CICESE 2012: by its title percentages of work, by its figures those of
    jobs.

    Examples
    --------
    >>> percent_taken(np.array([[1.0, 3.0], [0.0, 5.0]])).tolist()
    [[0.0, 75.0], [0.0, 0.0]]
    """
    had = matrix.sum(axis=1, keepdims=True)
    return 100.0 * taken(matrix) / np.where(had > 0, had, 1.0)
