"""Where the jobs of a table ran and came from."""

from __future__ import annotations

import polars as pl
import pytest

from echelon.errors import InputError
from echelon.metrics import JobSites
from echelon.model import Platform, Site

TWO = Platform((Site("large", 8), Site("small", 2)), "two")
JOBS = pl.DataFrame(
    {
        "start_time": [0.0, 0.0, 5.0],
        "end_time": [5.0, 9.0, 6.0],
        "processors": [2, 4, 3],
        "site": ["small", "large", "large"],
    }
)


def test_sites_are_places_in_the_platform():
    """Sites count from 0 in the platform's order; homes that are empty, unknown or missing are -1."""
    homes = pl.Series(["large", "elsewhere", None])
    found = JobSites.of_table(JOBS.with_columns(home_site=homes), TWO)
    assert found is not None
    assert (found.site.tolist(), found.home_site.tolist()) == ([1, 0, 0], [0, -1, -1])
    assert (found.knows_homes, found.is_stated) == (True, True)
    without = JobSites.of_table(JOBS, TWO)
    assert without is not None
    assert not without.knows_homes


def test_one_site_is_a_machine():
    """A platform of one site, one name in the column, or no column, is no grid."""
    one = JOBS.with_columns(site=pl.lit("cluster"))
    assert JobSites.of_table(one, None) is None
    assert JobSites.of_table(one, Platform((Site("cluster", 8),))) is None
    assert JobSites.of_table(JOBS.drop("site"), TWO) is None


def test_a_platform_that_nobody_told_is_what_the_jobs_held():
    """Each site named is as large as the most its jobs held at once."""
    found = JobSites.of_table(JOBS, None)
    assert found is not None
    assert [(site.name, site.processors) for site in found.platform.sites] == [("small", 2), ("large", 7)]
    assert not found.is_stated


def test_names_that_look_like_numbers():
    """A table read from CSV may have whole numbers for names."""
    found = JobSites.of_table(
        JOBS.with_columns(site=pl.Series([1, 2, 2])), Platform((Site("1", 2), Site("2", 8)))
    )
    assert found is not None
    assert found.site.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("sites", "message"),
    [
        (["small", "moon", "large"], r"a site of platform 'two' in each row, got 'moon' in row 2"),
        (["small", None, "large"], r"got None in row 2"),
        (["small", "small", "large"], r"site 'small' has 2 processors, but the job in row 2 held 4"),
    ],
)
def test_a_site_that_can_not_be(sites, message):
    """A site that the platform lacks, and one too small for its job, are told with the row."""
    with pytest.raises(InputError, match=message):
        JobSites.of_table(JOBS.with_columns(site=pl.Series(sites)), TWO)


def test_no_job():
    """A table without a row has a platform only if it is told."""
    assert JobSites.of_table(JOBS.head(0), None) is None
    found = JobSites.of_table(JOBS.head(0), TWO)
    assert found is not None
    assert len(found.site) == 0
