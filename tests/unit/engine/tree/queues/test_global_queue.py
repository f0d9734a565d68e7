"""Global queues above sites of any kind: what leaves them when, copies, limits, and refused dispatches."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from tests.unit.engine.tree.trees import Hearer, instance, nodes, of, platform, run, scenario, time_shared

import budgets
from echelon.engine.clock.simulation import run as let_time_pass
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate, system_of
from echelon.errors import DeadlockError, PolicyError
from echelon.policies import BACKFILLS, PREEMPTIVE, STRATEGIES, Information, broker_of, policy
from echelon.policies.global_queue.contract import Copy, Deliver, Spread

LOCAL = tuple(one.name.replace("none", "fcfs") for one in (*BACKFILLS, *PREEMPTIVE))
FORESEEABLE = ("fcfs", "first-fit", "easy", "conservative", "plan")
BUSY = [(k // 2, 3 + k * 7 % 11, 1 + k * 5 % 4, 3 + k * 7 % 11 + k % 3) for k in range(26)]
"""Jobs of up to 4 processors, twice as fast as three small sites can run them."""


def actual(broker):
    """Return a broker that goes by actual information."""
    return replace(broker, grid_state="actual") if broker.grid_state == "planned" else broker


@pytest.mark.slow
def test_an_unlimited_queue_in_the_order_of_arrival_is_the_broker_alone():
    """Start for start and site for site, for every strategy and every local policy that it can work with."""
    on, pairs = platform(a=4, b=2, c=4), 0
    given = instance(on, *BUSY[:14])
    for strategy in STRATEGIES:
        chosen = actual(strategy())
        for local in FORESEEABLE if chosen.information >= Information.SCHEDULES else LOCAL:
            alone = run(given, of(chosen), local)
            found = run(given, of(chosen, queue="fcfs"), local)
            assert found.start_time.tolist() == alone.start_time.tolist(), (chosen.name, local)
            assert found.site.tolist() == alone.site.tolist(), (chosen.name, local)
            assert found.delivered.tolist() == given.submit_time.tolist()
            pairs += 1
    assert pairs > 100


JOB = st.tuples(st.integers(0, 12), st.integers(1, 9), st.integers(1, 4), st.integers(0, 5))


@pytest.mark.slow
@budgets.examples(40)
@examples(st.lists(JOB, min_size=1, max_size=20), st.sampled_from(("ml", "mlp", "mpl", "lbal-w")))
def test_an_unlimited_queue_is_the_broker_alone_on_random_jobs(rows, spec):
    """The same above nodes and time-shared machines beside counted processors."""
    on = platform(a=4, b=nodes(2, 2), t=time_shared(4))
    given = instance(on, *[(submit, run, size, run + more) for submit, run, size, more in sorted(rows)])
    alone, found = run(given, of(spec)), run(given, of(spec, queue="fcfs"))
    assert found.start_time.tolist() == alone.start_time.tolist()
    assert found.end_time.tolist() == alone.end_time.tolist()
    assert found.site.tolist() == alone.site.tolist()


@pytest.mark.parametrize("local", LOCAL)
@budgets.examples(20)
@examples(st.lists(JOB, min_size=1, max_size=25))
def test_without_local_queues_one_site_is_first_come_first_served(local, rows):
    """Limit 0 leaves one central queue: no job overtakes, whatever the site's own backfilling."""
    jobs = [(submit, run, size, run + more) for submit, run, size, more in sorted(rows)]
    found = run(instance(platform(a=4), *jobs), of("ml", queue="fcfs", limit=0), local)
    plain = simulate(Scenario(instance(4, *jobs), policy("fcfs")))
    assert found.start_time.tolist() == plain.start_time.tolist()
    assert found.delivered.tolist() == found.start_time.tolist()


def test_a_limit_holds_jobs_back():
    """At most one job waits at the site: job 2 is dispatched when job 1 starts, at 10."""
    given = instance(platform(a=2), (0, 10, 2), (0, 10, 2), (0, 10, 2))
    found = run(given, of("ml", queue="fcfs", limit=1))
    assert found.start_time.tolist() == [0, 10, 20]
    assert found.delivered.tolist() == [0, 0, 10]


def test_a_head_that_no_site_takes_blocks_the_rest_and_is_skipped_by_fpfs():
    """Job 1 needs the whole of a; job 2 waits behind it under fcfs and starts beside it under fpfs."""
    given = instance(platform(a=4, b=2), (0, 10, 3), (1, 10, 4), (2, 5, 1))
    assert run(given, of("ml", queue="fcfs", limit=0)).start_time.tolist() == [0, 10, 10]
    assert run(given, of("ml", queue="fpfs", limit=0)).start_time.tolist() == [0, 10, 2]


def test_copies_start_once_and_the_others_leave_their_queues():
    """Job 2 has copies at both sites; that at b starts at 5, and the one at a does not start at 10."""
    hearer = Hearer()
    given = instance(platform(a=2, b=2), (0, 10, 2), (0, 5, 2), (1, 20, 2), (2, 1, 2))
    found = run(given, of("ml", queue="requests"), observers=[hearer])
    assert found.start_time.tolist() == [0, 0, 5, 10]
    assert found.site.tolist() == [0, 1, 1, 0]
    assert [event[2] for event in hearer.events if event[1] == "start"] == [0, 1, 2, 3]
    assert [event for event in hearer.at(10) if event[0] == "start"] == [("start", 3, 0)]


@pytest.mark.parametrize("first", ["a", "t"])
def test_a_copy_on_a_time_shared_machine_starts_as_it_joins(first):
    """It is the one that starts, wherever its site stands in the file; the queue beside it stays empty."""
    kinds = {"a": 2, "t": time_shared(2)}
    on = platform(**{name: kinds[name] for name in sorted(kinds, key=lambda name: name != first)})
    found = run(instance(on, (0, 10, 2), (0, 10, 2)), of("ml", queue="requests"))
    assert [on.names[site] for site in found.site] == ["t", "t"]
    assert found.start_time.tolist() == [0, 0]
    assert found.end_time.tolist() == [20, 20]


@pytest.mark.slow
@budgets.examples(30)
@examples(st.lists(JOB, min_size=1, max_size=20), st.sampled_from(("fcfs", "easy", "conservative")))
def test_every_job_with_copies_starts_and_ends_once(rows, local):
    """Observers hear of one join, one start and one end of each job, at one site, on sites of any kind."""
    hearer = Hearer()
    on = platform(a=4, b=nodes(2, 2), c=2, t=time_shared(1))
    found = run(instance(on, *sorted(row[:3] for row in rows)), of("ml", queue="requests"), local,
                observers=[hearer])  # fmt: skip
    for what in ("join", "start", "end"):
        jobs = [event[2] for event in hearer.events if event[1] == what]
        assert sorted(jobs) == list(range(len(rows)))
    started = {event[2]: event[3] for event in hearer.events if event[1] == "start"}
    assert [started[job] for job in range(len(rows))] == found.site.tolist()


def test_a_queue_stands_above_nodes_and_time_shared_machines():
    """With limit 0 a job waits for two cores of nodes; a time-shared machine starts every job at once."""
    waits = instance(platform(a=nodes(2, 2), b=nodes(1)), (0, 10, 4), (0, 5, 2), (1, 5, 2))
    assert run(waits, of("ml", queue="fcfs", limit=0)).start_time.tolist() == [0, 10, 10]
    shares = instance(platform(a=time_shared(2)), (0, 10, 2), (0, 10, 2))
    found = run(shares, of("ml", queue="fcfs", limit=0))
    assert found.start_time.tolist() == [0, 0]
    assert found.end_time.tolist() == [20, 20]


def test_a_queue_of_an_inner_site_holds_jobs_behind_those_of_the_root():
    """The root sends all to g at once, whose queue lets one job wait at each site: the fifth is held."""
    given = instance(platform(g__a=2, g__b=2), *[(0, 10, 2)] * 5)
    found = run(given, {"": of("ml"), "g": of("ml", queue="fcfs", limit=1)})
    assert found.start_time.tolist() == [0, 0, 10, 10, 20]
    assert found.delivered.tolist() == [0, 0, 0, 0, 10]


def test_a_queue_above_inner_sites_limits_what_waits_below():
    """One job may wait below g in all: job 3 is dispatched when one of those there starts."""
    given = instance(platform(g__a=2, g__b=2), *[(0, 10, 2)] * 4)
    found = run(given, {"": of("ml", queue="fcfs", limit=1), "g": of("ml")})
    assert found.start_time.tolist() == [0, 0, 10, 10]
    assert found.delivered.tolist() == [0, 0, 0, 10]


def test_a_limit_counts_what_waits_at_an_inner_site_itself():
    """Each decision of g takes 5 s, and one job may wait there: the next is sent when it has started."""
    given = instance(platform(g__a=1, g__b=1), *[(0, 20, 1)] * 4)
    found = run(given, {"": of("ml", queue="fcfs", limit=1), "g": of("ml", time=5.0)})
    assert found.delivered.tolist() == [0, 5, 10, 25]
    assert found.start_time.tolist() == [5, 10, 25, 30]


def test_a_job_is_delivered_when_it_leaves_the_last_queue_above_it():
    """The queue of g holds job 2 until a is free, though the root's has let it through at once."""
    given = instance(platform(g__a=1), (0, 20, 1), (1, 20, 1))
    found = run(given, {"": of("ml", queue="fcfs"), "g": of("ml", queue="fcfs", limit=0)})
    assert found.delivered.tolist() == [0, 20]


def test_planned_information_is_actual_under_a_queue():
    """Mct believes in planned times alone; under a queue it sees that job 0 has ended at 5."""
    given = instance(platform(a=2, b=4), (0, 5, 2, 100), (10, 5, 2, 5))
    assert run(given, of("mct")).site.tolist() == [0, 1]
    assert run(given, of("mct", queue="fcfs")).site.tolist() == [0, 0]


def test_a_job_that_is_suspended_resumes_at_its_site():
    """Job 1 is shorter and suspends job 0, which has left the global queue for good: it resumes at 6."""
    hearer, given = Hearer(), instance(platform(a=2), (0, 10, 2), (2, 4, 2))
    found = run(given, of("ml", queue="fcfs"), "srtf", observers=[hearer])
    assert found.end_time.tolist() == [14, 6]
    assert found.delivered.tolist() == [0, 2]
    assert [event[:3] for event in hearer.events if event[1] == "start"] == [
        *((0, "start", 0), (2, "start", 1), (6, "start", 0))
    ]


def test_decisions_of_a_queue_take_time():
    """A job joins the queue 5 s after the one before it, and is dispatched at that instant."""
    found = run(instance(platform(a=4), (0, 1, 1), (2, 1, 1)), of("ml", queue="fcfs", time=5.0))
    assert found.delivered.tolist() == found.start_time.tolist() == [5, 10]


class Dispatching:
    """A global queue that gives what a test says for the first job, and then nothing."""

    name, asks_broker = "dispatching", False

    def __init__(self, *handings):
        self.handings = handings

    def dispatch(self, view):
        """Give them."""
        for handing in self.handings:
            yield handing(view.queue[0])


@pytest.mark.parametrize(
    ("handing", "said"),
    [
        (lambda job: Deliver(job, 7), r"dispatched to \(7,\); the clusters that can hold it are 1, 0"),
        (lambda job: Copy(job, (1, 1)), r"dispatched to \(1, 1\)"),
        (lambda job: Copy(job, ()), r"dispatched to \(\)"),
        (lambda job: Deliver(job._replace(processors=2), 0), "does not wait in the global queue"),
        (lambda job: "job", "gave 'job'; expected Deliver"),
    ],
)
def test_dispatches_that_are_not_allowed_are_errors_of_the_rule(handing, said):
    """The message names the rule and what it expected instead."""
    given = instance(platform(g__a=2, g__b=2, c=1), (0, 9, 1))
    with pytest.raises(PolicyError, match=f"dispatching.*{said}"):
        run(given, {"": of("ml", queue=Dispatching(handing)), "g": of("ml")})


class Everywhere:
    """A rule that copies every job to all sites that can hold it."""

    name = "everywhere"

    def dispatch(self, view):
        """Give the copies."""
        for job in view.queue:
            yield Copy(job, tuple(sorted(view.able(job))))


@pytest.mark.parametrize(
    ("below", "sites", "last"),
    [({}, [0, 1, 2, 2], 5), ({"time": 0.0}, [2, 0, 1, 2], 10), ({"queue": "fpfs"}, [2, 0, 1, 2], 10)],
)
def test_copies_wait_below_a_site_of_sites(below, sites, last):
    """Copies reach a and b at once by a broker; if that decides first, c has taken job 0 meanwhile.

    Job 3 waits at a and at c, which is free first. When all jobs have ended, no level counts any: copies were
    withdrawn from all levels.
    """
    on = platform(g__a=2, g__b=2, c=2)
    given = instance(on, (0, 10, 2), (0, 20, 2), (0, 5, 2), (1, 5, 2))
    controllers = {"": of("ml", queue=Everywhere()), "g": of("ml", **below)}
    system = system_of(scenario(given, controllers))
    found = let_time_pass(system)
    assert found.start_time.tolist() == [0, 0, 0, last]
    assert found.site.tolist() == sites
    sums = {id(one): one for leaf in system._actual.leaves for one, _ in leaf.above}
    counts = [(site.jobs, site.size_sum) for one in sums.values() for site in one.sites]
    assert set(counts) == {(0, 0)}


def test_copies_wait_under_a_protocol():
    """A copy waits at a group under a protocol until c takes the job at 5."""
    given = instance(platform(g__a=2, c=2), (0, 10, 2), (0, 5, 2), (1, 5, 2))
    controllers = {"": of("ml", queue=Everywhere()), "g": of(broker_of("common-pool"))}
    found = run(given, controllers)
    assert (found.start_time.tolist(), found.site.tolist()) == ([0, 0, 5], [0, 1, 1])


def test_sites_without_co_allocation_offer_no_parts():
    """Spreading a job over sites with queues of their own starts nothing; the run says that jobs wait."""
    given = instance(platform(a=2, b=2), (0, 9, 2))
    with pytest.raises(DeadlockError, match="'dispatching': 1 job can never start"):
        run(given, of("ml", queue=Dispatching(Spread)))


def test_a_job_too_large_for_a_branch_is_not_dispatched_to_it():
    """Every dispatch goes to a site that can hold the job, for each rule with its own choice."""
    on = platform(a=1, b=4, c=2)
    given = instance(on, *[(k, 5, 1 + k % 4) for k in range(20)])
    for rule in ("fcfs", "sjf", "fpfs", "backfilling", "b", "nb", "b.rs", "nb.rs", "pull", "requests"):
        found = run(given, of("ml", queue=rule, limit=1))
        assert all(
            on.sites[site].processors >= size for site, size in zip(found.site, given.size, strict=True)
        )
        assert not any(map(math.isnan, found.delivered))
