"""Leaves: which of them an event concerns, in which order they end, decide and settle."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.unit.engine.tree.trees import Hearer, instance, nodes, of, platform, run, time_shared

from echelon import broker
from echelon.engine.ledger.ledger import Ledger
from echelon.engine.machine import Machine
from echelon.engine.tree.leaves import Leaves
from echelon.model import Platform, Site


@broker("by-turn", information=0, source="none")
def by_turn(job, site, view):
    """Send each job to the site of its user's number."""
    return site != job.user


ASKED = ("begin", "take_ends", "correct", "watch", "decide", "settle", "next_event", "planned_schedule")


def counted(monkeypatch):
    """Return how often each site is asked for anything, by what and site; it grows while a run goes on."""
    asked = Counter()

    def counting(name):
        method = getattr(Machine, name)

        def count(self, *args, **keywords):
            asked[name, self._site.site] += 1
            return method(self, *args, **keywords)

        return count

    for name in ASKED:
        monkeypatch.setattr(Machine, name, counting(name))
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("cycles", ["instant", "event"])
def test_an_event_at_one_of_two_thousand_sites_asks_no_other(monkeypatch, cycles):
    """Three jobs come to site 1,234 and end there; no other site is asked anything by the loop."""
    asked = counted(monkeypatch)
    on = Platform(tuple(Site(f"s{k}", 4) for k in range(2000)))
    given = instance(on, (0, 10, 4), (1, 10, 4), (2, 10, 2), user=[1234] * 3)
    found = run(given, of(by_turn), cycles=cycles)
    assert found.start_time.tolist() == [0, 10, 20]
    assert {site for _, site in asked} == {1234}


@pytest.mark.slow
@pytest.mark.parametrize("cycles", ["instant", "event"])
def test_the_cost_of_an_event_does_not_grow_with_the_sites(monkeypatch, cycles):
    """The same jobs at the same three sites are as many calls among 3 sites as among 2,000."""
    calls = []
    for sites in (3, 2000):
        with monkeypatch.context() as patch:
            asked = counted(patch)
            on = Platform(tuple(Site(f"s{k}", 4) for k in range(sites)))
            rows = [(turn, 7 + turn % 5, 1 + turn % 4) for turn in range(40)]
            run(instance(on, *rows, user=[turn % 3 for turn in range(40)]), of(by_turn), cycles=cycles)
            calls.append(asked)
    assert calls[0] == calls[1]
    assert calls[0]["decide", 0] > 10


def test_ends_of_an_instant_are_in_the_order_of_dispatch_through_all_leaves():
    """Job 2 starts first, at the last site, then 0 and 1: all end at 10, whatever site or file says."""
    on = platform(a=4, b=nodes(2, 2), c=time_shared(4))
    given = instance(on, (2, 8, 1), (4, 6, 1), (0, 10, 1), user=[0, 1, 2])
    hearer = Hearer()
    run(given, of(by_turn), observers=[hearer])
    assert [event for event in hearer.at(10) if event[0] == "end"] == [
        ("end", 2, 2),
        ("end", 0, 0),
        ("end", 1, 1),
    ]


def test_leaves_decide_in_the_order_of_the_platform():
    """Jobs reach site 1 before site 0, but site 0 decides first, and so starts its job first."""
    hearer = Hearer()
    run(instance(platform(a=2, b=2), (0, 5, 1), (0, 5, 1), user=[1, 0]), of(by_turn), observers=[hearer])
    assert hearer.at(0) == [
        *(("join", 0, 1), ("join", 1, 0)),
        *(("start", 1, 0), ("decide", 0, 0)),
        *(("start", 0, 1), ("decide", 0, 1)),
    ]
    # The ENDs follow the dispatches, and not the file.
    assert [event[1] for event in hearer.at(5) if event[0] == "end"] == [1, 0]


def test_under_event_only_the_leaf_of_an_event_decides():
    """Two ENDs at 5 and a JOIN are three cycles, each of the one site where something happened."""
    hearer = Hearer()
    given = instance(platform(a=2, b=2), (0, 5, 1), (0, 5, 1), (5, 1, 1), user=[1, 0, 1])
    run(given, of(by_turn), cycles="event", observers=[hearer])
    assert hearer.at(5) == [
        *(("end", 0, 1), ("decide", 0, 1)),
        *(("end", 1, 0), ("decide", 0, 0)),
        *(("join", 2, 1), ("start", 2, 1), ("decide", 0, 1)),
    ]


def test_ends_that_differ_by_rounding_are_one_instant():
    """Jobs that share a core until 0.30000000000000004 end with one that ends at 0.3 elsewhere."""
    on = platform(a=1, t=time_shared(1))
    given = instance(on, (0, 0.1, 1), (0, 0.1, 1), (0, 0.1, 1), (0, 0.3, 1), user=[1, 1, 1, 0])
    assert run(given, of(by_turn)).end_time.tolist() == [0.3] * 4
    alone = instance(platform(t=time_shared(1)), *[(0, 0.1, 1)] * 3)
    assert run(alone, of("ml")).end_time.tolist() == [0.1 * 3] * 3 != [0.3] * 3


def leaves(*sizes, cycles="instant"):
    """Return machines of these sizes that share a ledger of four jobs of one processor and 10 s."""
    from echelon.engine.contract import Scenario
    from echelon.policies import policy

    ledger = Ledger(Scenario(instance(8, *[(0, 10, 1)] * 4), policy("easy"), cycles=cycles))
    machines = [Machine(ledger, size, f"s{place}", site=place) for place, size in enumerate(sizes)]
    return Leaves(ledger, machines)


def joined(there, *places):
    """Let job 0, 1 ... join the leaves at these places at 0 s."""
    there.begin(0.0)
    for position, site in enumerate(places):
        there.join(there.ledger.announce(position, 0.0), site, is_reported=False)
    there.decide()
    there.settle()


def test_leaves_know_their_next_event():
    """It is the earliest end, or what else happens before it."""
    there = leaves(4, 4)
    assert there.next_event(3.0) == 3.0
    joined(there, 1)
    assert there.next_event(99.0) == 10.0
    assert there.next_event(3.0) == 3.0


def test_ends_are_only_announced_until_they_happen():
    """Jobs that end now still hold their processors when they are named, and no longer after their END."""
    there = leaves(4, 4)
    joined(there, 1, 0)
    there.begin(10.0)
    ending = there.take_ends()
    assert [job.position for job in ending] == [1, 0]
    assert [leaf.free for leaf in there.leaves] == [3, 3]
    for job in ending:
        leaf = there.leaves[there.site_of[job.position]]
        assert leaf.runs(job)
        there.end(job)
        assert not leaf.runs(job)
    assert [leaf.free for leaf in there.leaves] == [4, 4]


def test_a_job_knows_its_leaf():
    """`site_of` is -1 until a job joins one."""
    there = leaves(4, 4)
    joined(there, 1, 0)
    assert there.site_of == [1, 0, -1, -1]
