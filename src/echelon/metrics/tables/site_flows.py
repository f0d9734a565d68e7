"""A grid site by site: means, migration of jobs, how busy each site was; sites as rows to be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.steps import held_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class SiteMeans(NamedTuple):
    """One entry a site, in the platform's order, each of shape (n_sites,).

    Attributes
    ----------
    jobs : IntColumn
        Jobs that ran there.
    area : FloatColumn
        Their work, in processor-seconds.
    mean_wait, mean_bounded_slowdown : FloatColumn
        Over them, in seconds and without unit; nan where no job ran.
    """

    jobs: IntColumn
    area: FloatColumn
    mean_wait: FloatColumn
    mean_bounded_slowdown: FloatColumn


def site_means(
    site: IntColumn, wait: FloatColumn, bounded_slowdown: FloatColumn, *, area: FloatColumn, sites: int
) -> SiteMeans:
    """Return what each site ran, and how long its jobs waited on average.

    Parameters
    ----------
    site : IntColumn, shape (n_jobs,)
        Place of the site where each job ran, 0 to `sites` - 1.
    wait, bounded_slowdown : FloatColumn, shape (n_jobs,)
        Of each job; waits in seconds.
    area : FloatColumn, shape (n_jobs,)
        Run time times size of each job, in processor-seconds.
    sites : int
        Of the grid.

    Notes
    -----
    Cost: O(n).
    """
    jobs = np.bincount(site, minlength=sites)

    def mean(column: FloatColumn) -> FloatColumn:
        sums = np.bincount(site, weights=column, minlength=sites)
        return np.asarray(np.where(jobs > 0, sums / np.maximum(jobs, 1), np.nan))

    work = np.bincount(site, weights=area, minlength=sites).astype(np.float64)
    return SiteMeans(jobs, work, mean(wait), mean(bounded_slowdown))


class Migration(NamedTuple):
    """Where jobs came from (rows) and where they ran (columns), in the platform's order.

    Attributes
    ----------
    jobs : ndarray of int, shape (n_sites, n_sites)
        How many; on the diagonal those that ran at home.
    area : ndarray of float, shape (n_sites, n_sites)
        Their work, in processor-seconds.
    unknown : int
        Jobs of no known home, which are in neither.
    """

    jobs: NDArray[np.int64]
    area: NDArray[np.float64]
    unknown: int

    @property
    def moved_jobs(self) -> int:
        """Jobs that ran at another site than their home."""
        return int(self.jobs.sum() - np.trace(self.jobs))

    @property
    def moved_area(self) -> float:
        """Their work, in processor-seconds."""
        return float(self.area.sum() - np.trace(self.area))


def migration(home_site: IntColumn, site: IntColumn, *, area: FloatColumn, sites: int) -> Migration:
    """Return the migration matrices: how many jobs, and how much work, each site ran of each other's.

    Parameters
    ----------
    home_site : IntColumn, shape (n_jobs,)
        Place of the site at which each job was submitted, -1 if unknown.
    site : IntColumn, shape (n_jobs,)
        Place of the site where it ran.
    area : FloatColumn, shape (n_jobs,)
        Run time times size of each job, in processor-seconds.
    sites : int
        Of the grid.

    Notes
    -----
    Cost: O(n + s^2) for n jobs and s sites.
    """
    has_home = home_site >= 0
    flow = home_site[has_home] * sites + site[has_home]
    jobs = np.bincount(flow, minlength=sites * sites).astype(np.int64)
    work = np.bincount(flow, weights=area[has_home], minlength=sites * sites)
    shape = (sites, sites)
    unknown = int((~has_home).sum())
    return Migration(jobs.reshape(shape), work.astype(np.float64).reshape(shape), unknown)


def site_load(
    site: IntColumn, start: FloatColumn, end: FloatColumn, size: IntColumn, *, platform: Platform,
    edges: FloatColumn,
) -> NDArray[np.float64]:  # fmt: skip
    """Return the share of each site's processors that jobs held, between each two moments.

    Parameters
    ----------
    site : IntColumn, shape (n,)
        Place in `platform` of the site at which each job held processors.
    start, end, size : arrays, shape (n,)
        When, in seconds, and how many.
    platform : Platform
        The sites.
    edges : FloatColumn, shape (k + 1,)
        Moments, in seconds, ascending.

    Returns
    -------
    ndarray of float, shape (n_sites, k)
        Means over time, exact; 0 to 1 in a schedule that fits the sites.

    Notes
    -----
    Cost: O(n log n + s k) for s sites.
    """
    return held_shares(site, start, end, size, capacity=platform.sizes, edges=edges)


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


def transfers(matrix: FloatColumn) -> FloatColumn:
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


def transfer_percentages(matrix: FloatColumn) -> FloatColumn:
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
    >>> transfer_percentages(np.array([[1.0, 3.0], [0.0, 5.0]])).tolist()
    [[0.0, 75.0], [0.0, 0.0]]
    """
    had = matrix.sum(axis=1, keepdims=True)
    return 100.0 * transfers(matrix) / np.where(had > 0, had, 1.0)


class SiteRows(NamedTuple):
    """Rows of consecutive sites, in the platform's order.

    Attributes
    ----------
    names : list of str
        Of a row's site, or of its first and last one.
    row : IntColumn, shape (n_sites,)
        The row of each site.
    processors : IntColumn, shape (n_rows,)
        Of all sites of a row.
    by_size : bool
        Whether the platform's order is that of sizes.
    """

    names: list[str]
    row: IntColumn
    processors: IntColumn
    by_size: bool = True

    @property
    def sentence(self) -> str:
        """A sentence if rows are of several sites, else nothing."""
        most = int(np.bincount(self.row).max())
        if most == 1:
            return ""
        near = " in size" if self.by_size else " in the platform"
        return f" There are {len(self.row):,} sites; each row is {most} of them, next to each other{near}."


def site_rows(platform: Platform, most: int) -> SiteRows:
    """Return at most `most` rows of equally many neighboring sites, the last one of what is left."""
    each = -(-len(platform) // most)
    row = np.arange(len(platform)) // each
    groups = [platform.names[at : at + each] for at in range(0, len(platform), each)]
    names = [group[0] if len(group) == 1 else f"{group[0]} … {group[-1]}" for group in groups]
    in_order = bool((np.diff(platform.sizes) >= 0).all())
    return SiteRows(names, row, np.bincount(row, weights=platform.sizes).astype(np.int64), in_order)
