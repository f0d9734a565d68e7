"""CPU times and recent jobs: moving averages, what is known before a run, loads corrected for both ends."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.engine.immediate.platforms import instance

from echelon.engine.immediate.accounting import CpuTimes, RecentJobs, warm_prior


def test_the_moving_average_forgets_slowly():
    """60 then 80 make 65: the first is taken whole, later ones count a quarter."""
    times = CpuTimes()
    assert times.mean("a", 0) is None
    for seconds in (60, 80):
        times.observe("a", 0, seconds)
    assert times.mean("a", 0) == 65
    assert times.mean("b", 0) is None
    assert times.mean("a", 1) is None


def test_what_was_known_before_counts_as_old():
    """With a prior the first observation counts a quarter, too."""
    times = CpuTimes(lambda application, site: 60.0)
    times.observe("a", 0, 80)
    assert times.mean("a", 0) == 65
    assert times.mean("a", 1) == 60


def test_a_warm_start_knows_the_mean_of_each_application_by_speed():
    """Means are over the jobs of an executable; those unknown are one application."""
    given = instance(
        (0, 60, 1), (0, 80, 1), (0, 10, 1), (0, 30, 1), executable=[1, 1, -1, -1], on=((1, 1.0), (1, 0.5))
    )
    prior = warm_prior(given, np.array([60.0, 80.0, 10.0, 30.0]), [1.0, 0.5])
    assert [prior(code, site) for code in (1, -1) for site in (0, 1)] == [70, 140, 20, 40]


def test_recent_jobs_correct_a_published_load():
    """What came counts whole, what went not at all, though the average shows parts of both."""
    jobs = RecentJobs(60.0)
    jobs.note_start(0.0, 1)
    assert jobs.estimated_load(0.25, 15.0) == 1.0
    jobs.note_end(0.0, 30.0, 1)
    assert jobs.estimated_load(0.5, 30.0) == 0.0
    assert jobs.estimated_load(0.5, 60.0) == 0.0
    assert jobs.estimated_load(0.25, 75.0) == 0.0
    assert jobs.estimated_load(7.0, 91.0) == 7.0


def test_jobs_of_one_instant_are_told_apart_only_by_their_ends():
    """Of three that came together one goes: two are left to come to light."""
    jobs = RecentJobs(60.0)
    for _ in range(3):
        jobs.note_start(0.0, 2)
    jobs.note_end(0.0, 30.0, 2)
    assert jobs.estimated_load(3.0, 30.0) == pytest.approx(4.0)


def test_what_is_long_ago_is_forgotten():
    """Books do not grow with the run."""
    jobs = RecentJobs(60.0)
    for k in range(1000):
        jobs.note_start(float(k), 1)
        jobs.note_end(float(k), k + 1.0, 1)
    assert len(jobs._ended) < 63
    assert not jobs._started
