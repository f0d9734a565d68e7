"""Inner sites under a protocol: it replaces the schedulers of the leaves below, of any kind with queues."""

from __future__ import annotations

import pytest
from tests.unit.engine.tree.trees import Hearer, instance, nodes, of, platform, run, run_grid, time_shared

from echelon.errors import InputError, PolicyError
from echelon.policies import StartAt, broker_of


def under(spec):
    """Return a controller: a protocol."""
    return of(broker_of(spec))


class Own:
    """A protocol of the user's own, made of a function of the view; the first site is everyone's home."""

    name = "own"
    latency = refresh = 0.0

    def __init__(self, decide):
        self.decide = decide

    def homes(self, sizes, size, submitted):
        return size * 0


def test_it_replaces_the_schedulers_below():
    """Site g/a is taken until 9; job 1 waits under no local policy, and b takes it; c keeps its own queue."""
    given = instance(platform(g__a=2, g__b=2, c=2), (0, 9, 2), (0, 9, 2), (0, 9, 2), (1, 5, 2))
    found = run(given, {"": of("first-site"), "g": under("common-pool")})
    assert (found.start_time.tolist(), found.site.tolist()) == ([0, 0, 9, 9], [0, 1, 0, 1])
    alone = run(instance(platform(g__a=2, c=2), (0, 9, 2), (0, 9, 2)), {"": of("ml"), "g": under("exchange")})
    assert alone.site.tolist() == [0, 1]


def test_a_protocol_over_nodes_gives_every_task_a_core():
    """Site a has room for job 0 and, beside it, job 2; b takes job 1, and job 3 when that has ended."""
    on = platform(g__a=nodes(2, 2), g__b=nodes(4))
    given = instance(on, (0, 9, 2), (0, 9, 3), (1, 9, 1), (2, 9, 4))
    found = run(given, {"": of("ml"), "g": under("common-pool")})
    held = found.holdings
    assert found.start_time.tolist() == [0, 0, 1, 9]
    assert found.site.tolist() == [0, 1, 0, 1]
    assert [held.held[held.job == job].sum() for job in range(4)] == [2, 3, 1, 4]


@pytest.mark.parametrize("kind", [4, nodes(4)])
def test_cores_are_held_for_a_job_in_transit(kind):
    """Site b takes job 1 at 0, holds its cores and starts it at 5; there is no room until it ends at 15."""
    hearer = Hearer()
    given = instance(platform(g__a=kind, g__b=kind, c=1), (0, 20, 4), (0, 10, 4), (1, 10, 2), (1, 1, 2))
    controllers = {"": of("first-site"), "g": under("common-pool:latency=5")}
    found = run(given, controllers, observers=[hearer])
    assert found.start_time.tolist() == [0, 5, 20, 20]
    assert (5, "start", 1, 1) in hearer.events
    assert (0, "join", 1, 0) in hearer.events
    assert found.home_site.tolist() == [0, 0, 0, 0]
    assert found.end_time.tolist() == [20, 15, 30, 21]


def test_a_publication_at_an_inner_site_is_an_event():
    """Site b learns at 60 of the job that came at 1."""
    given = instance(platform(g__a=4, g__b=4, c=1), (0, 100, 4), (1, 10, 4))
    found = run(given, {"": of("first-site"), "g": under("exchange:list:refresh=60")})
    assert (found.start_time.tolist(), found.site.tolist()) == ([0, 60], [0, 1])


def test_a_job_counts_as_known_from_when_it_reaches_the_protocol():
    """Decisions of 31 s above: job 1 comes at 62, and other sites know of it at 120."""
    given = instance(platform(g__a=4, g__b=4), (0, 200, 4), (1, 10, 4))
    found = run(given, {"": of("first-site", time=31.0), "g": under("common-pool:refresh=60")})
    assert found.start_time.tolist() == [31, 120]


@pytest.mark.parametrize("spec", ["common-pool", "stealing:50", "exchange", "exchange:fcfs:latency=3"])
def test_above_a_group_without_a_choice_nothing_changes(spec):
    """A protocol at the only inner site below a root gives the flat grid's starts, sites and homes."""
    jobs = [(k % 7, 3 + k % 5, 1 + k % 4) for k in range(40)]
    flat = run_grid(instance(platform(a=4, b=6), *jobs), spec)
    deep = run(instance(platform(g__a=4, g__b=6), *jobs), {"": of("ml"), "g": under(spec)})
    for column in ("start_time", "site", "home_site"):
        assert getattr(flat, column).tolist() == getattr(deep, column).tolist()
    assert flat.counts == deep.counts


def test_a_broker_above_counts_what_waits_below():
    """Jobs 0 and 1 go to g, one of them waits there; so the third goes to c, which has none."""
    given = instance(platform(g__a=2, g__b=1, c=2), (0, 9, 2), (0, 9, 2), (0, 9, 2), (0, 9, 2))
    found = run(given, {"": of("ml"), "g": under("common-pool")})
    assert found.site.tolist() == [0, 2, 0, 2]
    assert found.start_time.tolist() == [0, 0, 9, 9]


def test_a_protocol_of_the_user_asks_what_fits():
    """Job 0 can be held by the first site alone, job 1 by both; a site that is none is refused."""

    def by_view(view):
        for job in view.queue:
            if view.can_hold(job, 0) and not view.can_hold(job, 1) and view.fits(job, 0):
                yield StartAt(job, 0)
        for job in view.queue:
            if view.fits(job, 1):
                yield StartAt(job, 1)

    given = instance(platform(g__a=nodes(2, 2), g__b=nodes(1)), (0, 9, 2), (0, 5, 1))
    assert run(given, {"": of("ml"), "g": of(Own(by_view))}).site.tolist() == [0, 1]
    with pytest.raises(PolicyError, match="sites are 0 to 1"):
        run(given, {"": of("ml"), "g": of(Own(lambda view: [StartAt(view.queue[0], 2)]))})


@pytest.mark.parametrize(
    ("sites", "at", "more", "says"),
    [
        ({"g__h__a": 2}, "g", {}, "'g/h' is a site of sites, with a controller of its own"),
        ({"g__a": time_shared(2)}, "g", {}, "no job waits at time-shared machines such as 'g/a'"),
        ({"g__a": 2, "b": 1}, "g", {"cycles": "event"}, "decides over all of its sites together"),
    ],
)
def test_what_a_protocol_cannot_decide_is_refused(sites, at, more, says):
    """Each reason is the protocol's own definition."""
    given = instance(platform(**sites), (0, 1, 1))
    controllers = dict.fromkeys(given.sites.inner_paths, of("ml")) | {at: under("common-pool")}
    with pytest.raises(InputError, match=says):
        run(given, controllers, **more)


@pytest.mark.parametrize(
    "said", [{"refresh": 5.0}, {"queue": "fcfs"}, {"admissible": 0.5}, {"time": 2.0}]
)  # fmt: skip
def test_what_is_for_brokers_is_refused(said):
    """A protocol has no queue above its sites, asks for no status and takes no time of its own."""
    with pytest.raises(InputError, match="is for brokers; common-pool"):
        run(
            instance(platform(g__a=2, b=2), (0, 1, 1)),
            {"": of("ml"), "g": of(broker_of("common-pool"), **said)},
        )
