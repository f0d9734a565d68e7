"""JobSites: where each job of a table ran, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.steps import step_function
from echelon.model.machines.platform import Platform, Site

if TYPE_CHECKING:
    import polars as pl

    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class JobSites:
    """The sites of the jobs of one run, as places in its platform.

    Parameters
    ----------
    platform : Platform
        At least two sites.
    site, home_site : IntColumn, shape (n_jobs,)
        Where each job ran, and where it was submitted, -1 if unknown.
    is_stated : bool, default True
        Whether the run named its platform; else each site is as large as the most its jobs held at once.
    """

    platform: Platform
    site: IntColumn
    home_site: IntColumn
    is_stated: bool = True

    @property
    def knows_homes(self) -> bool:
        """Whether the home of any job is known."""
        return bool((self.home_site >= 0).any())

    @classmethod
    def of_table(
        cls, jobs: pl.DataFrame, platform: Platform | None, *, spanning: bool = False
    ) -> JobSites | None:
        """Read the columns ``site`` and ``home_site`` of a table of jobs.

        Parameters
        ----------
        jobs : polars.DataFrame
            The columns of ``jobs.csv``; where `platform` is unknown also when the jobs ran.
        platform : Platform, optional
            The sites, where the run named them.
        spanning : bool, default False
            Whether a job may be larger than its site, because it has tasks in others, too.

        Returns
        -------
        JobSites or None
            None where there is one site: a machine.

        Raises
        ------
        InputError
            If a job ran at a site that `platform` lacks, or one that is too small for it.

        Notes
        -----
        Cost: O(n), without a platform O(n log n).
        """
        if "site" not in jobs.columns:
            return None
        is_stated = platform is not None
        if len(platform or jobs["site"].unique()) < 2:
            return None
        platform = platform or _platform_of(jobs)
        site = _places(jobs["site"], platform)
        size = jobs["processors"].to_numpy()
        wrong = (site < 0) | ((size > platform.sizes[np.maximum(site, 0)]) & (not spanning))
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(_problem(jobs["site"][row], int(size[row]), row, platform), field="column site")
        home = _places(jobs["home_site"], platform) if "home_site" in jobs.columns else np.full(len(site), -1)
        return cls(platform, site, home, is_stated)


def _problem(name: object, size: int, row: int, platform: Platform) -> str:
    if str(name) not in platform.names:
        return f"expected a site of platform {platform.name!r} in each row, got {name!r} in row {row + 1}"
    held = platform.sites[platform.index(str(name))].processors
    return f"site {name!r} has {held} processors, but the job in row {row + 1} held {size}"


def _places(names: pl.Series, platform: Platform) -> IntColumn:
    """Return the place of each site named, -1 for one that the platform lacks."""
    import polars as pl

    places = names.cast(pl.String).replace_strict(
        list(platform.names), list(range(len(platform))), default=-1, return_dtype=pl.Int64
    )
    return places.fill_null(-1).to_numpy()


def _platform_of(jobs: pl.DataFrame) -> Platform:
    """Return the sites named, each as large as the most its jobs held at once, the smallest first."""
    import polars as pl

    table = jobs.with_columns(pl.col("site").cast(pl.String).fill_null(""))
    parts = table.partition_by("site", maintain_order=True)
    sites = [Site(part["site"][0] or "unknown", _peak(part)) for part in parts]
    return Platform(tuple(sorted(sites, key=lambda site: site.processors)), "jobs")


def _peak(jobs: pl.DataFrame) -> int:
    start, end = (jobs[name].cast(float).to_numpy() for name in ("start_time", "end_time"))
    size = jobs["processors"].to_numpy()
    return max(int(step_function(start, end, size).value.max(initial=0)), int(size.max()))
