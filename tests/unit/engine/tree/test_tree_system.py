"""The system of a tree: one order of events through all levels, two schedules, and runs that never end."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from tests.unit.engine.tree.trees import (
    Hearer,
    instance,
    nodes,
    of,
    platform,
    run,
    run_grid,
    scenario,
    time_shared,
)

import budgets
from echelon import broker
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate, system_of
from echelon.errors import DeadlockError
from echelon.policies import BACKFILLS, PREEMPTIVE, policy

JOB = st.tuples(st.integers(0, 12), st.integers(1, 9), st.integers(1, 4), st.integers(0, 5))
LOCAL = tuple(one.name.replace("none", "fcfs") for one in (*BACKFILLS, *PREEMPTIVE))


@broker("by-user", information=0, source="none")
def by_user(job, site, view):
    """Send each job to the branch of its user's number."""
    return site != job.user


@broker("least-jobs", information=1, source="none")
def least_jobs(job, site, view):
    """Send jobs of user 0 to the first branch, and others to where the fewest are."""
    return view.jobs(site) if job.user else site


def test_one_instant_through_all_levels():
    """At 10: END at two leaves, JOIN through two brokers, then DECIDE leaf by leaf."""
    hearer = Hearer()
    on = platform(g__a=2, g__b=nodes(2), t=time_shared(2))
    rows = [(0, 10, 2), (0, 10, 2), (10, 5, 1), (10, 5, 2), (10, 5, 1)]
    run(instance(on, *rows), {"": of("mpl"), "g": of("mpl")}, observers=[hearer])
    # At 0: job 0 to a; then g has 2 of 4, t none of 2; job 1 runs on t.
    assert hearer.at(10) == [
        *(("end", 1, 2), ("end", 0, 0)),
        # All are empty: g, then its a; t is a lighter branch than g; then 1 of 4 in g, and b is empty.
        *(("join", 2, 0), ("join", 3, 2), ("start", 3, 2), ("join", 4, 1)),
        *(("start", 2, 0), ("decide", 0, 0), ("start", 4, 1), ("decide", 0, 1)),
    ]


def test_a_broker_sees_the_ends_of_its_instant_and_what_it_has_assigned_at_it():
    """At 10 site a is empty again for job 2, and has one job for job 3."""
    given = instance(platform(a=2, b=2), (0, 10, 1), (0, 99, 1), (10, 9, 1), (10, 9, 1), (10, 9, 1))
    assert run(given, of("ml")).site.tolist() == [0, 1, 0, 0, 1]


def test_brokers_know_of_a_job_that_ends_instead_of_being_suspended():
    """At 5 the turn of jobs 0 and 1 is over, and so are both: at 20 site a is known to be empty for job 3."""
    given = instance(platform(a=4, b=4), (0, 5, 2), (0, 5, 2), (0, 3, 4), (20, 1, 1), user=[0, 0, 0, 1])
    found = run(given, of(least_jobs), "gang:quantum=5", cycles="event")
    assert found.start_time.tolist() == [0, 0, 5, 20]
    assert found.site.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("local", LOCAL)
@budgets.examples(15)
@examples(st.lists(JOB, min_size=1, max_size=25))
def test_a_cycle_after_every_event_of_one_site_is_that_of_the_machine(local, rows):
    """Below a broker one site has the schedule of the machine, with every start, end and count."""
    jobs = [(submit, time, size, time + more) for submit, time, size, more in sorted(rows)]
    alone = simulate(Scenario(instance(4, *jobs), policy(local), cycles="event"))
    found = run(instance(platform(a=4), *jobs), of("ml"), local, cycles="event")
    assert found.start_time.tolist() == alone.start_time.tolist()
    assert found.end_time.tolist() == alone.end_time.tolist()
    assert found.counts == alone.counts


@pytest.mark.slow
@pytest.mark.parametrize("cycles", ["instant", "event"])
@budgets.examples(25)
@examples(st.lists(JOB, min_size=1, max_size=25))
def test_levels_between_a_broker_and_its_sites_change_nothing(cycles, rows):
    """Two inner sites above the grid, each with one branch: every event is heard as without them."""
    jobs = [(submit, time, size, time + more) for submit, time, size, more in sorted(rows)]
    heard = []
    for on, controllers in (
        (platform(a=4, b=2), of("mpl")),
        (platform(x__y__a=4, x__y__b=2), {"": of("ml"), "x": of("mct"), "x/y": of("mpl")}),
    ):
        hearer = Hearer()
        run(instance(on, *jobs), controllers, "conservative", cycles=cycles, observers=[hearer])
        heard.append(hearer.events)
    assert heard[0] == heard[1]


@pytest.mark.parametrize("cycles", ["instant", "event"])
def test_event_and_instant_differ_where_ends_meet(cycles):
    """Jobs 0 and 1 end at 10 and job 2 needs what both held: a cycle between them gives job 3 a start."""
    jobs = [(0, 10, 1), (0, 10, 1), (1, 5, 2), (2, 9, 1)]
    found = run(instance(platform(a=2), *jobs), of("ml"), "first-fit", cycles=cycles)
    assert found.start_time.tolist() == {"instant": [0, 0, 10, 15], "event": [0, 0, 19, 10]}[cycles]


@pytest.mark.parametrize("cycles", ["instant", "event"])
@budgets.examples(25)
@examples(st.lists(JOB, min_size=1, max_size=25))
def test_every_job_joins_starts_and_ends_once_at_sites_of_any_kind(cycles, rows):
    """On queues, nodes and time-shared machines under two levels, also with a cycle after every event."""
    hearer = Hearer()
    on = platform(a=4, g__b=nodes(2, 2), g__t=time_shared(4))
    jobs = [(submit, time, size, time + more) for submit, time, size, more in sorted(rows)]
    run(instance(on, *jobs), {"": of("ml"), "g": of("ml")}, cycles=cycles, observers=[hearer])
    heard = Counter((what, job) for _, what, job, _ in hearer.events if what != "decide")
    assert heard == {(what, job): 1 for what in ("join", "start", "end") for job in range(len(jobs))}
    assert [event[0] for event in hearer.events] == sorted(event[0] for event in hearer.events)


def test_planned_information_ignores_that_a_job_ended():
    """The inner broker keeps a planned schedule: job 0 fills a until 100 there, so job 1 goes to b."""
    given = instance(platform(g__a=2, g__b=4), (0, 5, 2, 100), (10, 5, 2, 5))
    assert run(given, {"": of("ml"), "g": of("mct")}).site.tolist() == [0, 1]
    assert run(given, {"": of("ml"), "g": of("mct:grid-state=actual")}).site.tolist() == [0, 0]


def test_the_planned_schedule_holds_what_waits_there():
    """Planned, job 1 starts when job 0 was to end, at 100; really at 5. Metrics are of what happens."""
    found = run(instance(platform(a=2), (0, 5, 2, 100), (1, 5, 2, 100)), of("mct"))
    assert found.start_time.tolist() == [0, 5]


def test_a_released_job_joins_both_schedules_when_it_is_really_released():
    """Job 1 waits for job 0, which ends at 5: it is sent then, though planned for 100."""
    given = instance(platform(a=2, b=2), (0, 5, 2, 100), (0, 5, 2, 5), preceding_job=[-1, 1])
    found = run(given, of("mct"))
    assert found.start_time.tolist() == [0, 5]
    assert found.site.tolist() == [0, 1]


@pytest.mark.slow
@budgets.examples(20)
@examples(st.lists(JOB, min_size=1, max_size=20), st.sampled_from(("mct", "mwt", "mpl:grid-state=planned")))
def test_a_tree_of_one_level_is_the_grid(rows, spec):
    """A brokered grid and a tree with one controller are one system, planned information included."""
    jobs = [(submit, time, size, time + more) for submit, time, size, more in sorted(rows)]
    given = instance(platform(a=4, b=2, c=4), *jobs)
    grid, tree = run_grid(given, spec), run(given, of(spec))
    assert grid.start_time.tolist() == tree.start_time.tolist()
    assert grid.site.tolist() == tree.site.tolist()
    assert grid.counts == tree.counts


def test_a_job_that_outlives_the_resolution_of_times_is_reported():
    """At a millionth of the speed a job of 1e11 s ends beyond 2^53 s: seconds could not be told there."""
    given = instance(platform(a=1, t=time_shared(1, 1e-6)), (0, 1e11, 1), user=[1])
    with pytest.raises(DeadlockError, match=r"jobs 1 have not ended at t = 9\.01e\+15 s"):
        run(given, of(by_user))


def test_jobs_that_can_never_start_are_reported_with_their_site():
    """A scheduler that starts nothing leaves the job at b."""

    class Idle:
        """Start nothing."""

        name = "idle"

        def decide(self, view):
            """Decide nothing."""
            return iter(())

    given = instance(platform(a=2, g__b=2), (0, 5, 1), user=[1])
    with pytest.raises(DeadlockError, match="1 job can never start at site 'g/b'"):
        run(given, {"": of(by_user), "g": of("ml")}, Idle())


def test_the_next_event_is_the_earliest_of_controllers_leaves_and_releases():
    """A decision at 5, an end at 12, and the release that the loop knows of."""
    system = system_of(scenario(instance(platform(a=2), (0, 7, 1), (30, 1, 1)), of("ml", time=5.0)))
    assert system.next_event(30.0) == 30.0
    system.begin(0.0)
    system.join(system.ledger.announce(0, 0.0))
    system.decide()
    system.settle()
    assert system.next_event(30.0) == 5.0
    system.begin(5.0)
    system.decide()
    system.settle()
    assert system.next_event(30.0) == 12.0
    assert system.next_event(11.0) == 11.0
