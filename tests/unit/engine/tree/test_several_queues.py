"""Several global queues: who waits where, which is served first, by what rule, and what none takes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from tests.unit.engine.tree.trees import instance, nodes, of, platform, run, time_shared

import budgets
from echelon.engine.controllers import QueueRules
from echelon.errors import InputError, PolicyError
from echelon.policies import Information, broker_named
from echelon.policies.broker.site_filter import site_filter
from echelon.policies.global_queue.contract import Deliver
from echelon.policies.global_queue.registry import global_queue, queue_limit
from echelon.policies.global_queue.several import SERVING_ORDERS, JobQueue, job_queues

TWO = platform(a=4, b=4)
ROWS = [(0, 10, 4), (0, 10, 4), (1, 10, 4), (2, 10, 1), (3, 10, 1), (4, 10, 4), (5, 10, 1)]
"""Jobs 0 and 1 fill both sites until 10; 2 and 5 need a whole site, 3, 4 and 6 one processor."""


def several(spec, *, limit=0, order="listed", queue="fcfs", broker="ml", **more):
    """Return a controller with these queues; limit 0 leaves no job waiting in a site."""
    queues = spec if isinstance(spec, tuple) else job_queues(spec)
    rules = QueueRules(global_queue(queue), queue_limit(limit), queues=queues, order=order)
    return of(broker, **more)._replace(queue=rules)


def starts(spec, rows=ROWS, on=TWO, columns=None, **more):
    """Return the starts under these queues."""
    return run(instance(on, *rows, **(columns or {})), several(spec, **more)).start_time.tolist()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        # At 10: job 2 at a, 3 and 4 at b; job 5 has no whole site, and 6 waits behind it.
        ("all", [0, 0, 10, 10, 10, 20, 20]),
        # At 10 jobs 2 and 5 fill both sites, the small ones start at 20.
        ("big(tasks(least=2)); small", [0, 0, 10, 20, 20, 10, 20]),
        # At 10 the small ones stand at a, b and a, and no site is whole before 20.
        ("small(tasks(most=1)); big", [0, 0, 20, 10, 10, 20, 10]),
    ],
)
def test_queues_are_served_in_the_order_in_which_they_are_listed(spec, expected):
    """By hand: the first of two queues has all that it can use before the other gets anything."""
    assert starts(spec) == expected


def test_a_job_waits_in_the_first_queue_that_takes_it():
    """Both queues take job 2, which needs a whole site: as the first is served last, it starts last."""
    spec = "a(tasks(least=1)); b(tasks(least=2))"
    assert starts(spec) == starts("all")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("listed", [0, 10, 20, 30, 40]),
        # x has dispatched job 0, so it is y's turn at 10, x's at 20, y's at 30 and x's at 40.
        ("rotating", [0, 20, 40, 10, 30]),
        # Heads by arrival: as one queue, first come, first served.
        ("oldest", [0, 10, 20, 30, 40]),
    ],
)
def test_orders_of_queues_by_hand(order, expected):
    """One processor; jobs 0, 1 and 2 are of executable 1, in queue x, jobs 3 and 4 of 2, in y."""
    rows = [(second, 10, 1) for second in range(5)]
    found = starts(
        "x(type(1)); y(type(2))", rows, platform(a=1), columns={"executable": [1, 1, 1, 2, 2]}, order=order
    )
    assert found == expected


def test_the_oldest_head_goes_first_though_its_queue_is_listed_last():
    """Jobs 1 and 3 (y) and 2 (x) wait for one processor: they start as 1, 2, 3; by the list as 2, 1, 3."""
    rows, kinds = [(second, 10, 1) for second in range(4)], {"executable": [1, 2, 1, 2]}
    on, spec = platform(a=1), "x(type(1)); y(type(2))"
    assert starts(spec, rows, on, columns=kinds, order="oldest") == [0, 10, 20, 30]
    assert starts(spec, rows, on, columns=kinds) == [0, 20, 10, 30]


def test_a_turn_passes_over_empty_queues():
    """After job 0 of x it is the turn of z, as y holds nothing: 3 starts at 10, 1 at 20, 2 at 30."""
    rows, kinds = [(second, 10, 1) for second in range(4)], {"executable": [1, 1, 1, 3]}
    found = starts("x(type(1)); y(type(2)); z(type(3))", rows, platform(a=1), columns=kinds, order="rotating")
    assert found == [0, 20, 30, 10]


def test_each_queue_has_its_own_rule():
    """Big jobs block each other, small ones overtake: only in the queue under fpfs job 2 passes job 1."""
    rows = [(0, 10, 3), (1, 10, 4), (2, 5, 1)]
    on = platform(a=4, b=2)
    assert starts("all", rows, on) == [0, 10, 10]
    assert starts("all(rule=fpfs)", rows, on) == [0, 10, 2]
    assert starts("long(time(least=6)); short", rows, on) == [0, 10, 2]


def test_each_queue_has_its_own_broker_and_its_own_round():
    """Round robin among the jobs of its own queue: 0, 2 and 3 at a, b and a, whatever is sent between."""
    rows = [(second, 1, 1 + (second == 1)) for second in range(4)]
    spec = "small(tasks(most=1), broker=round-robin); big(broker=first-site)"
    found = run(instance(TWO, *rows), several(spec, limit="unlimited"))
    assert found.site.tolist() == [0, 0, 1, 0]
    alone = run(instance(TWO, *rows), of("round-robin", queue="fcfs"))
    assert alone.site.tolist() == [0, 1, 0, 1]


def test_each_queue_has_its_own_limit():
    """One small job may wait at the site, and no big one: job 3 joins at 3, job 2 when it can start."""
    rows = [(0, 10, 4), (2, 10, 2), (3, 10, 1)]
    found = run(instance(platform(a=4), *rows), several("small(tasks(most=1), limit=1); big"))
    assert found.delivered.tolist() == [0, 10, 3]
    assert found.start_time.tolist() == [0, 10, 10]


def test_each_queue_has_its_own_sites():
    """Jobs of q leave out a site where a job of their type runs; the others do not, and wait at a."""
    rows = [(0, 10, 1), (1, 10, 1), (2, 10, 1), (3, 10, 1)]
    kinds = {"executable": [1, 1, 2, 2]}
    spec = "q(type(1), sites=not-running:same); rest"
    found = run(instance(TWO, *rows, **kinds), several(spec, limit="unlimited", broker="first-site"))
    assert found.site.tolist() == [0, 1, 0, 0]


def test_jobs_that_no_queue_takes_are_dropped_before_the_run():
    """With the reason, which names the first of them."""
    found = run(instance(TWO, *ROWS), several("small(tasks(most=1))"))
    assert found.start_time.tolist() == [2, 3, 5]
    (reason,) = found.instance.dropped
    assert "meet the criteria of none" in str(reason)
    with pytest.raises(InputError, match=r"no job is left to simulate.*criteria of none"):
        run(instance(TWO, *ROWS), several("none(tasks(least=9))"))


def test_queues_of_an_inner_site_keep_jobs_out_of_it():
    """The broker of the root never sends a big job to g, whose queue takes small ones alone."""
    on = platform(g__a=4, g__b=4, c=4)
    found = run(instance(on, *ROWS), {"": of("ml"), "g": several("small(tasks(most=1))", limit="unlimited")})
    big = [position for position, row in enumerate(ROWS) if row[2] == 4]
    assert {on.names[found.site[position]] for position in big} == {"c"}
    assert any(on.names[site].startswith("g/") for site in found.site)


def test_big_jobs_have_nowhere_to_go_where_the_other_site_is_too_small():
    """Site g takes small jobs alone and c has one processor: jobs of four processors are dropped."""
    on = platform(g__a=4, c=1)
    found = run(instance(on, *ROWS), {"": of("ml"), "g": several("small(tasks(most=1))")})
    assert len(found.start_time) == 3


def test_a_rule_sees_the_jobs_of_its_queue_alone():
    """A rule that dispatches a job of another queue is refused."""
    seen = []

    class Greedy:
        name = "greedy"

        def dispatch(self, view):
            seen.append([job.position for job in view.queue])
            yield from (Deliver(job, 0) for job in view.queue)

    class Thief:
        name = "thief"

        def dispatch(self, view):
            yield Deliver(instance(TWO, *ROWS).jobs()[0], 0)

    greedy = JobQueue("small", job_queues("q(tasks(most=1))")[0].jobs, rule=Greedy())
    run(instance(TWO, *ROWS), several((greedy, JobQueue("rest")), limit="unlimited"))
    assert {position for queue in seen for position in queue} == {3, 4, 6}
    thief = replace(greedy, rule=Thief())
    with pytest.raises(PolicyError, match=r"thief.*does not wait in the global queue"):
        run(instance(TWO, *ROWS), several((thief, JobQueue("rest", rule=Greedy())), limit="unlimited"))


def test_a_filter_or_a_broker_that_asks_too_much_is_refused():
    """Of a queue as of the inner site."""
    level = {"information": Information.JOB_SIZES}
    for spec in ("q(broker=mwt)", "q(sites=not-running:same)"):
        with pytest.raises(InputError, match="job-sizes at most"):
            run(instance(TWO, *ROWS), several(spec)._replace(**level))
    with pytest.raises(InputError, match="the broker mwt needs schedules"):
        run(instance(TWO, *ROWS), several("q", broker="mwt")._replace(**level))


JOB = st.tuples(st.integers(0, 12), st.integers(1, 9), st.integers(1, 4), st.integers(0, 5))
QUEUES = ("a(tasks(most=2)); b", "a(time(least=5)); b(tasks(most=1)); c", "a(type(1)); b(type(2)); c")


@pytest.mark.slow
@budgets.examples(60)
@examples(
    st.lists(JOB, min_size=1, max_size=25),
    st.sampled_from(("fcfs", "sjf", "fpfs", "nb", "nb.rs", "pull", "backfilling")),
    st.sampled_from(SERVING_ORDERS),
    st.sampled_from((0, 1, "unlimited")),
)
def test_one_queue_for_all_jobs_is_the_global_queue(rows, rule, order, limit):
    """Start for start and dispatch for dispatch, whatever its name and the order."""
    on = platform(a=4, b=nodes(2, 2), t=time_shared(4))
    given = instance(on, *sorted(rows))
    expected = run(given, of("ml", queue=rule, limit=limit))
    found = run(given, several(f"all(rule={rule})", limit=limit, order=order))
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.delivered.tolist() == expected.delivered.tolist()
    assert found.site.tolist() == expected.site.tolist()


@pytest.mark.slow
@budgets.examples(80)
@examples(
    st.lists(JOB, min_size=1, max_size=25),
    st.sampled_from(QUEUES),
    st.sampled_from(SERVING_ORDERS),
    st.sampled_from((0, 1, "unlimited")),
    st.tuples(st.sampled_from((0.0, 4.0)), st.sampled_from((None, "not-running:same", "mpl-below:1"))),
)
def test_within_a_queue_no_job_overtakes_another(rows, spec, order, limit, more):
    """Under fcfs jobs of one queue leave it in the order of their arrival, and every job runs once."""
    refresh, filtered = more
    on = platform(a=4, g__b=nodes(2, 2), g__c=4)
    given = instance(on, *sorted(rows), executable=[k % 3 for k in range(len(rows))])
    root = several(spec, order=order, limit=limit, refresh=refresh)
    root = root._replace(site_filter=site_filter(filtered))
    found = run(given, {"": root, "g": of("ml", refresh=refresh)})
    assert len(found.start_time) == len(rows)
    assert (found.end_time - found.start_time == given.run_time).all()
    queues = job_queues(spec)
    for queue in queues:
        mine = [
            job.position for job in given.jobs()
            if next(one for one in queues if one.takes(job, lambda _: ())) is queue
        ]  # fmt: skip
        left = found.delivered[mine].tolist()
        assert left == sorted(left)


def test_a_broker_is_asked_for_its_own_queue():
    """The broker of a queue goes by its own information, as alone."""
    given = instance(TWO, *ROWS)
    expected = run(given, of(broker_named("lbal-w"), queue="fcfs"))
    found = run(given, several("all(broker=lbal-w)", limit="unlimited", broker="random"))
    assert found.site.tolist() == expected.site.tolist()
