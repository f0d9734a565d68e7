"""Theorems on admissible brokers and on stealing: no schedule within their conditions exceeds its bound.

The bounds are of the optimum. Where that is too much to find, schedules are held against `grid_lower_bound`,
which is never above it, so that to stay within the bound of it proves more; on a few jobs, against itself.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.analysis import (
    SMALL_JOBS_APPROXIMATION,
    SMALL_JOBS_COMPETITIVE,
    approximation_factor,
    bound_case,
    competitive_factor,
    grid_lower_bound,
)
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Platform, Workload
from echelon.policies import broker_named, policy_named
from echelon.policies.broker.admissible import Admissible

check = examples(120)

BROKERS = ("mct", "mlb", "mct:grid-state=actual", "mlb:grid-state=actual")
LOCAL = ("first-fit", "first-fit:longest-first", "first-fit:smallest-first", "first-fit:shortest-first")


def simulated(jobs, sizes, broker, *, a=1.0, policy="first-fit"):
    """Return the schedule of jobs of (submit, run, size), planned with their run times."""
    submit, run, size = (np.array(column, dtype=np.float64) for column in zip(*jobs, strict=True))
    workload = Workload.from_columns(submit_time=submit, run_time=run, processors=size)
    instance = Instance.of(workload, Platform.of_sizes(sizes), estimates="exact")
    scenario = Scenario(
        instance, policy_named(policy), system_model=tree_of_sites(broker_named(broker), Admissible(a))
    )
    return reference.simulate(scenario)


def case_of(schedule, a):
    """Return the case of the theorems' proofs: by the last job assigned to the site that ends last."""
    instance, platform = schedule.instance, schedule.instance.platform
    there = np.flatnonzero(schedule.site == schedule.site[schedule.end_time.argmax()])
    last_job = there[np.lexsort((there, instance.submit_time[there]))[-1]]
    first, last = Admissible(a).ranges(platform, instance.size)
    near = (schedule.site >= first[last_job]) & (schedule.site <= last[last_job])
    return bound_case(platform.sizes, a=a, f0=int(first[near].min()), f=int(first[last_job]))


def ratio(schedule):
    """Return C_max over the lower bound."""
    jobs = schedule.instance
    bound = grid_lower_bound(jobs.submit_time, jobs.run_time, jobs.size, sites=jobs.platform.sizes)
    return schedule.end_time.max() / bound


@st.composite
def grids_and_jobs(draw, most_jobs=25, most_sites=5, arrivals=0):
    """Return sizes of sites and jobs of any shape: many narrow ones before wide ones, and any other mix."""
    sizes = sorted(draw(st.lists(st.integers(1, 16), min_size=1, max_size=most_sites)))
    wide = st.integers(1, sizes[-1])
    shapes = st.tuples(
        st.integers(0, arrivals),
        st.integers(1, 3) | st.integers(1, 30),
        st.just(1) | st.just(sizes[-1]) | wide,
    )
    jobs = draw(st.lists(shapes, min_size=1, max_size=most_jobs))
    if draw(st.booleans()):
        # The worst order: narrow jobs first, so that they take the wide sites.
        jobs = [(submit, *job) for (submit, *_), job in zip(jobs, sorted(j[1:] for j in jobs), strict=True)]
    return sizes, sorted(jobs, key=lambda job: job[0])


factors = st.sampled_from([0.05, 0.25, 0.5, 0.51, 0.75, 0.99, 1.0]) | st.floats(0.01, 1)


@check
@given(grids_and_jobs(), factors, st.sampled_from(BROKERS), st.sampled_from(LOCAL))
def test_theorems_1_and_2(grid_and_jobs, a, broker, policy):
    """Off line, MCT and MLB stay within the factor of their case; and always within that of case 2."""
    sizes, jobs = grid_and_jobs
    schedule = simulated(jobs, sizes, broker, a=a, policy=policy)
    found = ratio(schedule)
    assert found <= approximation_factor(a, case=case_of(schedule, a)) * (1 + 1e-12)
    assert found <= approximation_factor(a, case=2) * (1 + 1e-12)


@check
@given(grids_and_jobs(arrivals=60), factors, st.sampled_from(BROKERS), st.sampled_from(LOCAL))
def test_theorem_3(grid_and_jobs, a, broker, policy):
    """On line, they stay within the off-line factor plus 2."""
    sizes, jobs = grid_and_jobs
    schedule = simulated(jobs, sizes, broker, a=a, policy=policy)
    assert ratio(schedule) <= competitive_factor(a, case=case_of(schedule, a)) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("arrivals", "factor"), [(0, SMALL_JOBS_APPROXIMATION), (60, SMALL_JOBS_COMPETITIVE)]
)
@check
@given(data=st.data(), broker=st.sampled_from(BROKERS), policy=st.sampled_from(LOCAL))
def test_theorem_4(data, arrivals, factor, broker, policy):
    """If every job fits the smallest site, the factor is 3 off line and 5 on line."""
    sizes, jobs = data.draw(grids_and_jobs(arrivals=arrivals))
    small = [(submit, run, min(size, sizes[0])) for submit, run, size in jobs]
    assert ratio(simulated(small, sizes, broker, policy=policy)) <= factor


@pytest.mark.parametrize(("arrivals", "factor"), [(0, 3), (60, 5)])
@check
@given(data=st.data())
def test_stealing(data, arrivals, factor):
    """Stealing with the boundary at half a site stays within 3 off line and 5 on line, for any sizes.

    Source: Schwiegelshohn, Tchernykh and Yahyapour, IPDPS 2008.
    """
    sizes, jobs = data.draw(grids_and_jobs(arrivals=arrivals))
    assert ratio(simulated(jobs, sizes, "stealing:50")) <= factor


@check
@given(
    st.lists(st.tuples(st.just(0), st.integers(1, 30), st.integers(1, 9)), min_size=1), st.sampled_from(LOCAL)
)
def test_first_fit_is_within_the_theorems_conditions(jobs, policy):
    """Off line, first-fit is done by twice the larger of the longest job and the work a processor."""
    schedule = simulated(jobs, [9], "mct", policy=policy)
    run, size = schedule.instance.run_time, schedule.instance.size
    assert schedule.end_time.max() <= 2 * max(run.max(), (run * size).sum() / 9)


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_who_keeps_processors_back_is_not(policy):
    """Narrow jobs, each longer than the one before, between wide ones: only one job runs at a time."""
    jobs = [job for k in range(20) for job in ((0, 100 + k, 1), (0, 1, 9))]
    schedule = simulated(jobs, [9], "mct", policy=policy)
    run, size = schedule.instance.run_time, schedule.instance.size
    assert schedule.end_time.max() == run.sum() > 4 * 2 * max(run.max(), (run * size).sum() / 9)


def end_of(jobs, processors):
    """Return the least end of jobs on one site: each order of them, each as early as it fits."""
    return min(_end_in_order(order, processors) for order in permutations(jobs)) if jobs else 0


def _end_in_order(jobs, processors):
    placed = []
    for submit, run, size in jobs:
        starts = [submit, *(end for _, end, _ in placed if end > submit)]
        start = min(time for time in starts if _fits(time, run, size, placed, processors))
        placed.append((start, start + run, size))
    return max(end for _, end, _ in placed)


def _fits(start, run, size, placed, processors):
    moments = [start, *(begin for begin, _, _ in placed if start < begin < start + run)]
    held = (sum(wide for begin, end, wide in placed if begin <= now < end) for now in moments)
    return max(held) + size <= processors


def optimum(jobs, sizes):
    """Return the least C_max: every way to share the jobs out over the sites."""

    def least(site, left):
        if site == len(sizes):
            return math.inf if left else 0
        best = math.inf
        for chosen in range(1 << len(left)):
            here = [job for k, job in enumerate(left) if chosen >> k & 1]
            if any(size > sizes[site] for _, _, size in here):
                continue
            rest = [job for k, job in enumerate(left) if not chosen >> k & 1]
            end = end_of(here, sizes[site])
            best = min(best, max(end, least(site + 1, rest)))
        return best

    return least(0, jobs)


@examples(60)
@given(
    grids_and_jobs(most_jobs=4, most_sites=2) | grids_and_jobs(most_jobs=4, most_sites=2, arrivals=20),
    factors,
    st.sampled_from(BROKERS),
)
def test_bounds_and_optimum(grid_and_jobs, a, broker):
    """The lower bound is never above the optimum, no schedule below it, none above its factor of it."""
    sizes, jobs = grid_and_jobs
    schedule = simulated(jobs, sizes, broker, a=a)
    instance, best = schedule.instance, optimum(jobs, sizes)
    bound = grid_lower_bound(instance.submit_time, instance.run_time, instance.size, sites=np.array(sizes))
    assert bound <= best <= schedule.end_time.max()
    factor = competitive_factor if instance.submit_time.any() else approximation_factor
    assert schedule.end_time.max() <= factor(a, case=case_of(schedule, a)) * best * (1 + 1e-12)


def test_the_optimum_by_hand():
    """Two wide jobs share the wide site one after the other, or the enumeration is wrong."""
    assert optimum([(0, 10, 1), (0, 10, 4), (0, 5, 4)], [2, 4]) == 15
    assert optimum([(0, 10, 2), (0, 10, 2)], [2, 2]) == 10
    assert optimum([(3, 4, 2), (0, 4, 1)], [2]) == 8


def test_what_admissibility_is_for():
    """Narrow jobs first, wide sites with less in all than narrow ones: with a = 1 all spread to the widest.

    Each class of jobs has as much work as its own sites can do in 80 s, which is the optimum.
    """
    sizes = [2**k for k in range(4) for _ in range(4 ** (3 - k))]
    jobs = [(0, 10, size) for size in sizes for _ in range(8)]
    spread, kept = (ratio(simulated(jobs, sizes, "mlb", a=a)) for a in (1.0, 0.5))
    assert spread > 2.5
    assert kept < 1.5
