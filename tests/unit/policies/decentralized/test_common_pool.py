"""One pool of jobs for all sites, followed by hand."""

from __future__ import annotations


def test_the_lowest_site_takes_all_that_fits(run_on):
    """Site 1 starts the first job and the one of a single processor, site 2 what is left."""
    assert run_on((4, 8), "common-pool", (0, 10, 3), (0, 10, 4), (0, 10, 1)) == [(0, 1), (0, 2), (0, 1)]


def test_a_job_that_fits_overtakes(run_on):
    """LIST keeps nothing free for the job at the head."""
    jobs = ((0, 100, 3), (1, 10, 4), (2, 200, 1))
    assert run_on((4,), "common-pool", *jobs) == [(0, 1), (202, 1), (2, 1)]
