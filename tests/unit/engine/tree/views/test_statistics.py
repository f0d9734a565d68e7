"""Old information: a status that is asked for at most every so many seconds, at any level."""

from __future__ import annotations

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from tests.unit.engine.tree.trees import instance, nodes, of, platform, run, time_shared
from tests.unit.engine.tree.views.test_inner_member import Spy

import budgets
from echelon.policies import STRATEGIES, broker_named

FREE = ("free", "jobs")
ROWS = [(k * 4, 5 + k * 7 % 30, 1 + k * 5 % 4, 5 + k * 7 % 30 + k % 3) for k in range(40)]
"""No two jobs of one instant."""


def seen(refresh, *rows, on=None):
    """Return what a broker sees of the free processors and jobs of one site and of another, job by job."""
    spy = Spy(*[0] * len(rows), asks=FREE)
    run(instance(on or platform(a=4, b=4), *rows), of(spy, refresh=refresh))
    return [(one["free"][0], one["jobs"][0]) for one in spy.seen]


def test_a_status_is_as_old_as_allowed_and_no_older():
    """Asked at 0, and again at 10 when it is 10 s old: what happened between is unknown until then."""
    rows = [(0, 99, 1), (3, 99, 1), (9, 99, 1), (10, 99, 1), (12, 99, 1)]
    assert seen(0.0, *rows) == [(4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]
    assert seen(10.0, *rows) == [(4, 0), (4, 0), (4, 0), (1, 3), (1, 3)]


def test_a_status_asked_for_once_never_changes():
    """With 1e9 s the broker knows the empty sites for good, and so sends all to the first by the tie."""
    given = instance(platform(a=4, b=4), *ROWS)
    assert set(run(given, of("ml", refresh=1e9)).site.tolist()) == {0}
    assert set(run(given, of("mpl", refresh=1e9)).site.tolist()) == {0}
    assert set(run(given, of("ml")).site.tolist()) == {0, 1}


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_a_status_asked_for_at_every_instant_is_none_that_is_old(strategy):
    """Where no two jobs come at one instant, the least age gives every start and site of no age at all."""
    given, chosen = instance(platform(a=4, g__b=2, g__c=4), *ROWS), strategy()
    for below in ("ml", "mwt:grid-state=actual"):
        fresh = run(given, {"": of(chosen), "g": of(below)})
        found = run(given, {"": of(chosen, refresh=1e-6), "g": of(below, refresh=1e-6)})
        assert found.start_time.tolist() == fresh.start_time.tolist()
        assert found.site.tolist() == fresh.site.tolist()


def test_jobs_of_one_instant_see_one_status():
    """Without age each sees those before it; with any age what they were sent to is unknown to them."""
    rows = [(5, 9, 1)] * 3
    assert seen(0.0, *rows) == [(4, 0), (4, 1), (4, 2)]
    assert seen(1e-6, *rows) == [(4, 0), (4, 0), (4, 0)]


def test_sites_are_asked_when_the_broker_looks_at_them():
    """Ages differ: at 10 b is first asked for, and at 15 it is 5 s old, while a is asked again."""

    class Late(Spy):
        def choose(self, job, view):
            looks = range(2) if job.submit_time >= 10 else range(1)
            self.seen.append([view.jobs(site) for site in looks])
            return job.user - 1

    spy = Late()
    rows = [(0, 99, 1), (5, 99, 1), (10, 99, 1), (12, 99, 1), (15, 99, 1)]
    run(instance(platform(a=4, b=4), *rows, user=[1, 2, 2, 1, 1]), of(spy, refresh=10.0))
    assert spy.seen == [[0], [0], [1, 1], [1, 1], [1, 1]]


@pytest.mark.parametrize("kind", [4, nodes(4), time_shared(4)])
def test_plans_are_of_the_jobs_that_were_there(kind):
    """At 8 the broker plans with the status of 0, when only job 0 was there, and keeps its old plan."""

    class Planner(Spy):
        def choose(self, job, view):
            plan = view.schedule(0, job)
            self.seen.append([one.job.position for one in plan])
            return 0

    spy = Planner()
    run(
        instance(platform(a=kind, b=2), (0, 40, 1), (4, 40, 1), (8, 40, 1), (30, 1, 1)), of(spy, refresh=20.0)
    )
    assert spy.seen == [[0], [1], [2], [0, 1, 2, 3]]


def test_what_was_planned_for_the_past_counts_as_planned_for_now():
    """By the status of 0, job 2 would start at 0 and job 0 has never run; a wait is never below 0."""
    given = instance(platform(a=2, b=2), (0, 40, 2), (4, 40, 2), (8, 40, 2))
    for spec in ("tat:grid-state=actual", "ptt:grid-state=actual"):
        assert run(given, of(spec, refresh=20.0)).start_time.tolist() == [0, 40, 80]


def test_an_inner_site_reports_what_is_below_it():
    """The root's status of g is as old as the root allows, though the broker of g is up to date."""
    spy = Spy(*[0] * 3, asks=FREE)
    given = instance(platform(g__a=2, g__b=2, c=4), (0, 99, 2), (5, 99, 2), (20, 99, 1))
    found = run(given, {"": of(spy, refresh=20.0), "g": of("mpl")})
    assert found.site.tolist() == [0, 1, 0]
    assert [one["free"][0] for one in spy.seen] == [4, 4, 0]


def test_a_global_queue_dispatches_by_what_it_knows():
    """Limit 0 lets a job through if the site that was asked at 0 could start it: the queue below fills."""
    given = instance(platform(a=2, b=1), (0, 50, 2), (1, 9, 2), (2, 9, 2))
    fresh = run(given, of("ml", queue="fcfs", limit=0))
    stale = run(given, of("ml", queue="fcfs", limit=0, refresh=1e9))
    assert fresh.delivered.tolist() == [0, 50, 59]
    assert stale.delivered.tolist() == [0, 1, 2]
    assert stale.start_time.tolist() == fresh.start_time.tolist()


JOB = st.tuples(st.integers(0, 30), st.integers(1, 9), st.integers(1, 4), st.integers(0, 5))


@pytest.mark.slow
@budgets.examples(30)
@examples(
    st.lists(JOB, min_size=1, max_size=20),
    st.sampled_from(("ml", "mwt", "mct:grid-state=actual", "lbal-w", "ptt:grid-state=actual")),
    st.sampled_from((1e-6, 3.0, 10.0, 1e9)),
)
def test_old_information_changes_choices_and_nothing_else(rows, spec, refresh):
    """Whatever brokers believe, every job runs once, for its run time, where it fits."""
    on = platform(a=4, g__b=nodes(2, 2), g__t=time_shared(4))
    given = instance(on, *[(submit, run_, size, run_ + more) for submit, run_, size, more in sorted(rows)])
    chosen = of(broker_named(spec), refresh=refresh)
    found = run(given, {"": chosen, "g": chosen})
    assert (found.start_time >= given.submit_time).all()
    queued = found.site != 2
    assert ((found.end_time - found.start_time)[queued] == given.run_time[queued]).all()
