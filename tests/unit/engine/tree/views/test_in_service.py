"""What brokers know of sites that are down or closed: at each level of information, on every kind of leaf."""

from __future__ import annotations

import math

import pytest
from tests.unit.engine.tree.trees import instance, nodes, of, platform, run, time_shared

from echelon.availability import Changes, Requeueing
from echelon.errors import PolicyError
from echelon.model import OutageKind, Outages, Reservation
from echelon.policies import IMMEDIATE_STRATEGIES, STRATEGIES, Information, broker
from echelon.policies.global_queue.registry import GLOBAL_QUEUES

FAIL, DRAIN, MAINTENANCE = OutageKind.FAIL, OutageKind.DRAIN, OutageKind.MAINTENANCE
KNOWING = [kind.name for kind in STRATEGIES if kind.information > Information.SITES]
UNSEEING = [kind.name for kind in STRATEGIES if kind.information == Information.SITES]
ALL = (0, 1, 2, 3)
KINDS = {"processors": lambda: 4, "nodes": lambda: nodes(1, 1, 1, 1)}


def closed(*rows, **more):
    """Return what changes: (kind, start, end, nodes[, site]) with the first site by default."""
    rows = [(start, end, held, kind, -math.inf, *(site or [0])) for kind, start, end, held, *site in rows]
    return Changes(outages=Outages.of(rows), **more)


def sites_of(spec, changes, *jobs, on=None, columns=None, **more):
    """Return the site of each job (submit, run, processors) under a broker, or controllers by path."""
    given = instance(platform(a=4, b=4) if on is None else on, *jobs, **(columns or {}))
    controllers = spec if isinstance(spec, dict) else of(spec, **more)
    return run(given, controllers, changes=changes).site.tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", [FAIL, DRAIN, MAINTENANCE])
@pytest.mark.parametrize("spec", KNOWING)
def test_an_empty_site_that_is_down_gets_no_job(spec, what, kind):
    """Site a, which ties would favor, is down or closed with all its nodes; its repair is unknown."""
    there = platform(a=KINDS[kind](), b=KINDS[kind]())
    assert sites_of(spec, closed((what, 0, 1000, ALL)), (0, 50, 2), (1, 50, 2), on=there) == [1, 1]


@pytest.mark.parametrize("spec", [name for name in UNSEEING if name != "home"])
def test_a_broker_of_sizes_alone_does_not_know(spec):
    """Its jobs go where they would go without the failure, and wait there."""
    jobs = [(0, 5, 2), (1, 5, 2), (2, 5, 2)]
    assert sites_of(spec, closed((FAIL, 0, 100, ALL)), *jobs) == sites_of(spec, Changes(), *jobs)


@pytest.mark.parametrize("spec", KNOWING)
def test_what_is_left_of_a_site_must_do_for_the_job(spec):
    """One processor of a is left: a job of one goes there, one of two does not."""
    assert sites_of(spec, closed((FAIL, 0, 1000, (1, 2, 3))), (0, 50, 2)) == [1]
    if spec not in ("max-ar", "lbal-s", "lbal-t", "lbal-w"):  # to which a has the larger load with it
        assert sites_of(spec, closed((FAIL, 0, 1000, (1, 2, 3))), (0, 50, 1)) == [0]


def test_who_knows_plans_knows_when_a_site_is_back():
    """Site a is back at 10, b is busy to 60; only a broker of planned schedules waits for a."""
    jobs = [(0, 60, 4), (1, 5, 4)]
    found = {spec: sites_of(spec, closed((MAINTENANCE, 0, 10, ALL)), *jobs) for spec in ("mst", "tat", "mlb")}
    assert found == {"mst": [1, 0], "tat": [1, 0], "mlb": [1, 1]}
    assert sites_of("mct", closed((MAINTENANCE, 0, 10, ALL)), *jobs) == [1, 0]


@pytest.mark.parametrize("spec", ["mct", "mct:of=job", "mst", "mwt", "tat", "ptt"])
def test_who_knows_plans_knows_what_is_announced(spec):
    """The job of 50 s does not end before the maintenance of a at 20 s, and would wait to 1,000 s."""
    assert sites_of(spec, closed((MAINTENANCE, 20, 1000, ALL)), (0, 50, 2)) == [1]
    assert sites_of("ml", closed((MAINTENANCE, 20, 1000, ALL)), (0, 50, 2)) == [0]


@pytest.mark.parametrize(("repair", "site"), [("unknown", 1), ("known", 0), (10.0, 0)])
def test_plans_know_of_a_repair_what_schedulers_know(repair, site):
    """Site a is back at 10 s, b is busy to 60 s."""
    changes = closed((FAIL, 0, 10, ALL), repair=repair)
    assert sites_of("tat", changes, (0, 60, 4), (1, 5, 4)) == [1, site]


def test_if_all_are_down_the_usual_one_is_chosen():
    """Where no site has enough in service, the broker chooses as if all had."""
    both = closed((FAIL, 0, 30, ALL), (FAIL, 0, 20, ALL, 1))
    for spec in ("ml", "mpl", "lbal-w", "max-ar", "mct", "tat"):
        assert sites_of(spec, both, (0, 5, 2))[0] in (0, 1)
    assert sites_of("ml", both, (0, 5, 2), (1, 5, 2)) == [0, 1]


def test_a_group_is_in_service_if_its_own_choice_is():
    """Of a group of a and b, b gets the job if too little is left of a; c does if too little is of both."""
    there = platform(g__a=4, g__b=4, c=16)
    under = {"": of("mlp"), "g": of("mlp")}
    some = [(FAIL, 0, 1000, (0, 1, 2))]
    assert sites_of(under, closed(*some), (0, 50, 2), on=there) == [1]
    assert sites_of(under, closed(*some, (FAIL, 0, 1000, (1, 2, 3), 1)), (0, 50, 2), on=there) == [2]


def test_old_information_says_what_was_in_service():
    """What the sites said at 0 s counts to 100 s; a fails at 10 s."""
    jobs = [(0, 1, 2), (20, 1, 2), (110, 1, 2)]
    found = sites_of("ml", closed((FAIL, 10, 1000, ALL)), *jobs, refresh=100.0)
    assert found == [0, 0, 1]


@pytest.mark.parametrize("rule", [kind.name for kind in GLOBAL_QUEUES])
def test_a_global_queue_sends_nothing_to_what_is_down(rule):
    """Even where its broker does not know: both jobs go to b."""
    changes = closed((FAIL, 0, 1000, ALL))
    assert sites_of("first-site", changes, (0, 5, 2), (1, 5, 2), queue=rule) == [1, 1]


def test_a_queue_waits_for_the_site_that_it_has_chosen():
    """Under B the site of the head is chosen once, here a: when a fails meanwhile, the job waits for it."""
    jobs = [(0, 10, 4), (0, 20, 4), (1, 5, 4)]
    changes = closed((FAIL, 5, 100, ALL), requeueing=Requeueing("kill"))
    given = instance(platform(a=4, b=4), *jobs)
    found = run(given, of("ml", queue="b", limit="at-most:0"), changes=changes)
    assert (found.site.tolist()[2], found.start_time.tolist()[2]) == (0, 100)


def test_reserved_nodes_serve_those_with_access():
    """Site a is reserved for user 1: it is in service for the first job alone."""
    kept = Reservation("kept", 0.0, 1000.0, ALL, 0, users=("1",))
    changes = Changes(reservations=(kept,))
    jobs = [(0, 5, 2), (10, 5, 2)]
    assert sites_of("ml", changes, *jobs, columns={"user": [1, 2]}) == [0, 1]


def test_the_view_says_what_is_in_service():
    """Down, drained, maintained and reserved nodes are not; the machine's size stays."""
    seen = {}

    @broker("looks", information=1, source="none")
    def looks(job, site, view):
        """Return the number of the site."""
        seen[view.now] = tuple(view.in_service)
        assert (tuple(view.sizes), view.machines_change) == ((4, 4), True)
        assert (len(view.in_service), view.in_service[0:1]) == (2, [view.in_service[0]])
        return site

    changes = Changes(
        outages=closed(
            (FAIL, 10, 20, (0,)), (DRAIN, 15, 30, (0, 1)), (MAINTENANCE, 40, 50, ALL), (FAIL, 45, 60, (2,), 1)
        ).outages,
        reservations=(Reservation("kept", 70.0, 80.0, (1,), 0, users=("nobody",)),),
    )
    times = (0, 12, 17, 25, 41, 46, 55, 75, 90)
    sites_of(looks, changes, *((time, 1, 1) for time in times))
    wanted = [(4, 4), (3, 4), (2, 4), (2, 4), (0, 4), (0, 3), (4, 3), (3, 4), (4, 4)]
    assert [seen[time] for time in times] == wanted


def test_a_broker_of_level_0_may_not_ask():
    """Asking for what is in service needs level 1 where machines change."""

    @broker("asks", information=0, source="none")
    def asks(job, site, view):
        """Return the processors in service, negative."""
        return -view.in_service[site]

    with pytest.raises(PolicyError, match="in_service, which is information of level 1"):
        sites_of(asks, closed((FAIL, 10, 20, (0,))), (0, 5, 2))
    assert sites_of(asks, Changes(), (0, 5, 2)) == [0]


@pytest.mark.parametrize("spec", [*(kind.name for kind in IMMEDIATE_STRATEGIES), "mct", "mpl"])
def test_time_shared_machines_that_are_down(spec):
    """Every rule that knows more than sizes sends the job to the machine that is up."""
    there = platform(a=time_shared(2), b=time_shared(2))
    assert sites_of(spec, closed((FAIL, 0, 1000, (0, 1))), (1, 5, 1), on=there) == [1]
