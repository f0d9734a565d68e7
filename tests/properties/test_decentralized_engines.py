"""The two engines agree, start for start and site for site, on grids without a broker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Platform
from echelon.policies import broker_named, policy
from echelon.policies.decentralized.exchange import CommonPool, Exchange
from echelon.policies.decentralized.stealing import Stealing
from echelon.testing import crowd
from echelon.testing.strategies import grids

OFTEN = settings()
"""As many examples as the profile draws: workloads by a seed, below, hold many times the jobs."""
SELDOM = examples(50)

latencies = st.sampled_from((0.0, 0.0, 1.0, 7.5, 1 / 3))
refreshes = st.sampled_from((0.0, 0.0, 0.1, 1.0, 5.0, 20.0, 1000.0))


def exchanges():
    """Return a strategy for exchange with all its parameters."""
    return st.builds(
        Exchange,
        algorithm=st.sampled_from(("easy", "fcfs", "list")),
        takes=st.sampled_from(("without-local-start", "always")),
        latency=latencies,
        refresh=refreshes,
    )


def stealings():
    """Return a strategy for stealing with all its parameters."""
    return st.builds(
        Stealing,
        threshold=st.sampled_from((50.0, 0.0, 100.0, 25.0, 75.0, 33.3)),
        fit=st.sampled_from(("first-fit", "best-fit")),
        sets=st.sampled_from(("AHB", "ABH", "HAB", "HBA", "BAH", "BHA")),
        at_threshold=st.sampled_from(("B", "A")),
        steals=st.sampled_from(("what-fits", "first-list")),
        latency=latencies,
        refresh=refreshes,
    )


def pools():
    """Return a strategy for the common pool with all its parameters."""
    return st.builds(CommonPool, latency=latencies, refresh=refreshes)


def both(instance, arrangement):
    """Return the schedules of both engines, seen to be the same."""
    scenario = Scenario(instance, policy("fcfs"), system_model=tree_of_sites(arrangement))
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    different = np.flatnonzero((expected.start_time != found.start_time) | (expected.site != found.site))
    assert not len(different), f"{arrangement}: first {different[0]} of {len(different)}"
    assert (expected.home_site == found.home_site).all()
    assert expected.counts["passes"] == found.counts["passes"]
    return found


@OFTEN
@given(grids(), exchanges())
def test_exchange_agrees(instance, arrangement):
    """FCFS, EASY and LIST with a global queue, fresh or stale news, free or slow transfers."""
    both(instance, arrangement)


@OFTEN
@given(grids(), stealings())
def test_stealing_agrees(instance, arrangement):
    """All thresholds, orders of sets and readings, fresh or stale news, free or slow transfers."""
    both(instance, arrangement)


@SELDOM
@given(grids(), pools())
def test_the_common_pool_agrees(instance, arrangement):
    """One pool for all sites."""
    both(instance, arrangement)


@SELDOM
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(((4, 8, 16, 20), (5, 5, 5, 20), (64, 100, 128), (20,))),
    st.sampled_from((0.9, 1.5, 10.0)),
    st.one_of(exchanges(), stealings(), pools()),
)
def test_long_queues_agree(seed, sizes, load, arrangement):
    """Hundreds of jobs crowd on few sites."""
    case = crowd(seed, 300, processors=max(sizes), load=load)
    both(Instance.of(case.workload, Platform.of_sizes(sizes)), arrangement)


@SELDOM
@given(grids(), st.one_of(exchanges(), stealings(), pools()))
def test_no_site_holds_more_than_it_has(instance, arrangement):
    """At no time do the jobs of a site, with those on their way to it, need more than its processors."""
    schedule = both(instance, arrangement)
    away = schedule.site != schedule.home_site
    taken = schedule.start_time - np.where(away, arrangement.latency, 0.0)
    assert (taken >= instance.submit_time - 1e-9 * taken.max()).all()
    for site, processors in enumerate(instance.platform.sizes):
        here = schedule.site == site
        starts, ends, size = schedule.start_time[here], schedule.end_time[here], instance.size[here]
        for moment in starts:
            assert size[(starts <= moment) & (moment < ends)].sum() <= processors


@SELDOM
@given(grids(), st.one_of(exchanges(), stealings(), pools()))
def test_nobody_takes_what_was_not_published(instance, arrangement):
    """A job that runs away from home waited there until a multiple of the refresh time at least."""
    schedule = both(instance, replace(arrangement, latency=0.0, refresh=5.0))
    away = schedule.site != schedule.home_site
    published = np.ceil(instance.submit_time / 5.0) * 5.0
    assert (schedule.start_time[away] >= published[away]).all()


@SELDOM
@given(grids(), st.one_of(exchanges(), stealings(), pools()))
def test_no_clock_is_minded(instance, arrangement):
    """With all times doubled, those of communication too, every job starts at twice the time, there."""
    jobs = instance.workload
    slow = jobs.with_columns(
        submit_time=2 * jobs.submit_time,
        run_time=2 * jobs.run_time,
        requested_time=np.where(jobs.requested_time > 0, 2 * jobs.requested_time, -1),
    )
    twice = replace(arrangement, latency=2 * arrangement.latency, refresh=2 * arrangement.refresh)
    expected = both(instance, arrangement)
    found = both(Instance.of(slow, instance.platform, estimates=instance.estimates), twice)
    assert (found.start_time == 2 * expected.start_time).all()
    assert (found.site == expected.site).all()


@SELDOM
@given(grids(), st.one_of(exchanges(), stealings(), pools()))
def test_somebody_always_works(instance, arrangement):
    """While a job waits that all know of, some job is held by a site: nobody waits at an empty grid."""
    schedule = both(instance, replace(arrangement, latency=0.0, refresh=0.0))
    for job in np.flatnonzero(schedule.wait_time > 0):
        since, until = instance.submit_time[job], schedule.start_time[job]
        moments = np.unique(np.concatenate(([since], schedule.end_time)))
        for moment in moments[(moments >= since) & (moments < until)]:
            assert ((schedule.start_time <= moment) & (moment < schedule.end_time)).any()


@pytest.mark.parametrize("spec", ["exchange:easy", "common-pool", "stealing:50"])
def test_a_single_job(spec):
    """One job on one processor starts at once."""
    case = crowd(1, 1, processors=1)
    schedule = both(Instance.of(case.workload, Platform.of_sizes([1])), broker_named(spec))
    assert schedule.wait_time.tolist() == [0.0]
