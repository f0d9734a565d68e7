"""Site filters in runs: before a broker, before a global queue, on shared nodes, and on old news."""

from __future__ import annotations

import pytest
from tests.unit.engine.tree.trees import instance, nodes, of, platform, run, time_shared

from echelon.engine.reference import simulate
from echelon.errors import DeadlockError, PolicyError
from echelon.model import (
    Application,
    LocalChange,
    LocalUse,
    SharedCluster,
    SocialContract,
    Workstation,
)
from echelon.policies import Information
from echelon.policies.broker.site_filter import EveryFilter, site_filter
from echelon.testing.multiclusters import cluster_case

PAIR = SharedCluster((Workstation(),) * 2, SocialContract(mpl=3))
SMALL = SharedCluster((Workstation(memory=100.0),), SocialContract(mpl=3))


def filtered(spec, controller):
    """Return the controller with site filters."""
    return controller._replace(site_filter=site_filter(spec))


def sites(spec, rows, on, kinds, **more):
    """Return the sites that the first-site broker chooses for jobs of these executables."""
    given = instance(on, *rows, executable=kinds)
    return run(given, filtered(spec, of("first-site", **more))).site.tolist()


@pytest.mark.parametrize("kind", [4, nodes(4), time_shared(4)])
@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (None, [0, 0, 0, 0]),
        # Job 1 is of the type of job 0; at 2 type 2 runs nowhere; at 3 it runs at a alone.
        ("not-running:same", [0, 1, 0, 1]),
        # Job 2 finds type 1 at a; type 2 of job 3 meets type 1 at a, and only type 2 at b.
        ("not-running:other", [0, 0, 1, 1]),
        ("not-running:1", [0, 1, 0, 0]),
    ],
)
def test_what_runs_at_a_site_by_hand(kind, spec, expected):
    """Types 1, 1, 2 and 2, a second apart, before a broker; sites of every kind know what they run.

    For ``not-running:1``: at 1 job 0 of type 1 runs at a; at 2 one runs at each, so that none is left out.
    """
    rows = [(second, 50, 1) for second in range(4)]
    assert sites(spec, rows, platform(a=kind, b=kind), [1, 1, 2, 2]) == expected


def test_before_a_broker_alone_all_sites_count_if_none_passes():
    """There is nowhere to wait: job 2 goes to the first site though both run its type."""
    rows = [(second, 50, 1) for second in range(3)]
    assert sites("not-running:same", rows, platform(a=4, b=4), [1, 1, 1]) == [0, 1, 0]


def test_in_a_global_queue_a_job_waits_until_a_site_passes():
    """Job 2 waits for the end of job 1 at 41, at b."""
    given = instance(platform(a=4, b=4), (0, 50, 1), (1, 40, 1), (2, 5, 1), executable=[1, 1, 1])
    found = run(given, filtered("not-running:same", of("first-site", queue="fcfs")))
    assert found.start_time.tolist() == [0, 1, 41]
    assert found.site.tolist() == [0, 1, 1]


@pytest.mark.parametrize("rule", ["fcfs", "fpfs", "nb.rs", "b.rs", "pull", "backfilling"])
def test_jobs_of_one_instant_see_what_has_started(rule):
    """A site takes no further job before it has decided on the last: one job each, the others wait."""
    given = instance(platform(a=4, b=4), *[(0, 10, 1)] * 5, executable=[1] * 5)
    found = run(given, filtered("not-running:same", of("first-site", queue=rule)))
    assert found.start_time.tolist() == [0, 0, 10, 10, 20]


def test_sites_of_sites_run_what_runs_below_them():
    """Of g, where type 1 runs at g/b, and c: job 1 goes to c."""
    on = platform(g__a=4, g__b=4, c=4)
    given = instance(on, (0, 50, 1), (1, 50, 1), executable=[1, 1])
    root = filtered("not-running:same", of("first-site"))
    assert run(given, {"": root, "g": of("ml")}).site.tolist() == [0, 2]


@pytest.mark.parametrize(("most", "expected"), [(1, [0, 1, 0]), (2, [0, 0, 1]), (3, [0, 0, 0])])
def test_the_multiprogramming_level_by_hand(most, expected):
    """Two clusters of two nodes for up to 3 tasks each; jobs of both nodes, a second apart.

    With mpl-below:1 job 2 waits for the end of job 0 at 10, at the first cluster.
    """
    case = cluster_case([(0, 10, 2), (1, 30, 2), (2, 5, 2)], [PAIR, PAIR])
    found = simulate(case.scenario(broker="first-site", site_filter=site_filter(f"mpl-below:{most}")))
    assert found.site.tolist() == expected
    assert found.start_time.tolist() == [0, 1, 10 if most == 1 else 2]


@pytest.mark.parametrize(("most", "expected"), [(0.4, [0, 1]), (0.41, [0, 0]), (1, [0, 0])])
def test_memory_in_use_by_hand(most, expected):
    """A task holds 40 of the 100 bytes of the one node of each cluster."""
    programs = [Application(memory=40.0)] * 2
    case = cluster_case([(0, 10, 1), (1, 10, 1)], [SMALL, SMALL], applications=programs)
    found = simulate(case.scenario(broker="first-site", site_filter=site_filter(f"memory-below:{most}")))
    assert found.site.tolist() == expected


def test_owners_use_memory_too():
    """Until 20 the owner of the only node uses half of its memory; if he stays, the job waits forever."""
    use = LocalUse(cpu=0.1, memory=0.5)
    come, go = LocalChange(0.0, 0, 0, use), LocalChange(20.0, 0, 0, LocalUse())
    chosen = {"broker": "first-site", "site_filter": site_filter("memory-below:0.5")}
    leaves = cluster_case([(1, 10, 1)], [SMALL], changes=[come, go])
    assert simulate(leaves.scenario(**chosen)).start_time.tolist() == [20]
    stays = cluster_case([(1, 10, 1)], [SMALL], changes=[come])
    with pytest.raises(DeadlockError):
        simulate(stays.scenario(**chosen))


def test_old_news_are_waited_for():
    """Job 1 runs from 100 to 110; by the status of 108 it still does, until 116, though nothing happens then.

    Statuses are asked for at 0, at 100, at 108 and at 116: each is at least 8 s old by then.
    """
    stale = filtered("not-running:same", of("first-site", queue="fcfs", refresh=8.0))
    given = instance(platform(a=4), (0, 10, 1), (100, 10, 1), (108, 5, 1), executable=[1, 1, 1])
    assert run(given, stale._replace(refresh=0.0)).start_time.tolist() == [0, 100, 110]
    assert run(given, stale).start_time.tolist() == [0, 100, 116]
    # The status of 0 tells of nothing that runs.
    soon = instance(platform(a=4), (0, 10, 1), (5, 30, 1), executable=[1, 1])
    assert run(soon, stale).start_time.tolist() == [0, 5]


def test_a_filter_that_fails_is_named():
    """As brokers are."""

    class Broken:
        name = "broken"
        information = Information.SITES

        def passes(self, job, site, view):
            raise ValueError("no")

    given = instance(platform(a=4, b=4), (0, 10, 1))
    controller = of("ml")._replace(site_filter=EveryFilter((Broken(),)))
    with pytest.raises(PolicyError, match="makes the site filter fail with ValueError: no"):
        run(given, controller)


def test_a_filter_may_not_read_more_than_it_declares():
    """The view refuses it."""

    class Curious:
        name = "curious"
        information = Information.SITES

        def passes(self, job, site, view):
            return view.free(site) > 0

    given = instance(platform(a=4, b=4), (0, 10, 1))
    controller = of("ml")._replace(site_filter=EveryFilter((Curious(),)))
    with pytest.raises(PolicyError, match="asks the view for free"):
        run(given, controller)
