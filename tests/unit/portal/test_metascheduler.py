"""MetaScheduler by hand: what each policy ranks, which sites are left out, and what it refuses to be told."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import scipy

import echelon as ec
from echelon.errors import InputError, NoSiteError, PolicyError, UnknownNameError
from echelon.policies import broker

RUN = ("linpack", "1.0")


def portal(policy="wall-time", **options):
    """Return three sites whose CPU times are known: 60, 120 and 240 s, long ago."""
    made = ec.MetaScheduler(policy, **options)
    for site, queue in (("a", "long"), ("b", "long"), ("c", "short")):
        made.register(site, cores=1, queue=queue)
    for site, seconds in (("a", 60), ("b", 120), ("c", 240)):
        made.ended(made.started(site, *RUN, at=0), seconds, at=0)
    return made


def order(ranked):
    return [one.site for one in ranked]


@pytest.mark.parametrize(
    ("policy", "values"),
    [
        ("wall-time", {"a": 240.0, "b": 120.0, "c": 240.0}),
        ("cpu-load", {"a": 2.0, "b": 0.0, "c": 0.0}),
        ("lottery", {"a": 4.0, "b": 2.0, "c": 1.0}),
        ("lottery-load", {"a": 1.0, "b": 2.0, "c": 1.0}),
        ("met", {"a": 60.0, "b": 120.0, "c": 240.0}),
        ("olb", {"a": 1000.0 + 60 + 60, "b": 1000.0, "c": 1000.0}),
        ("mct", {"a": 1000.0 + 180, "b": 1120.0, "c": 1240.0}),
        ("ml", {"a": 2.0, "b": 0.0, "c": 0.0}),
    ],
)
def test_values_by_hand(policy, values):
    """At site a two jobs begin now; where loads count it publishes 1 or 2 of them."""
    sites = portal(policy)
    for _ in range(2):
        sites.started("a", *RUN, at=1000)
    if policy == "cpu-load":
        sites.publish("a", 2.0, at=1000)
    if policy in ("wall-time", "lottery-load"):
        # Of these two nothing is published yet, so that they are added to the 1 of other processes.
        sites.publish("a", 1.0, at=1000)
    assert {one.site: one.value for one in sites.select(*RUN, at=1000)} == values


def test_the_best_is_first_and_ties_go_by_registration():
    """Least first; equal sites in the order in which they were registered."""
    sites = portal("cpu-load")
    sites.publish("a", 0.5, at=1)
    assert order(sites.select(*RUN, at=1)) == ["b", "c", "a"]


def test_equal_idle_sites_alternate():
    """Two equal idle sites with equal histories take turns: each job counts at once."""
    sites = ec.MetaScheduler("wall-time")
    for name in "ab":
        sites.register(name, cores=1)
        sites.ended(sites.started(name, *RUN, at=0), 60, at=0)
    chosen = []
    for at in range(1000, 1040, 10):
        chosen.append(sites.select(*RUN, at=at)[0].site)
        sites.started(chosen[-1], *RUN, at=at)
    assert chosen == ["a", "b", "a", "b"]


def test_estimated_load_by_hand():
    """A job that began 15 s ago, of which 0.25 is published: 1 process (equations 6 and 7)."""
    sites = portal()
    sites.started("a", *RUN, at=1000)
    sites.publish("a", 0.25, at=1015)
    assert sites.estimated_load("a", at=1015) == 1.0
    assert sites.estimated_load("a", at=1060) == 0.25
    assert sites.estimated_load("b", at=1060) == 0.0


def test_a_job_that_ended_is_taken_off():
    """30 s after its end a job of an hour still shows by a half."""
    sites = portal()
    run = sites.started("a", *RUN, at=1000)
    sites.publish("a", 1.0, at=4600)
    sites.ended(run, 60, at=4600)
    assert sites.estimated_load("a", at=4600) == 0.0
    assert sites.estimated_load("a", at=4630) == 0.5


def test_moving_average():
    """60, then 80: 65 (equation 2); a failed job says nothing, and versions are different applications."""
    sites = portal()
    for seconds in (80, None):
        sites.ended(sites.started("a", *RUN, at=0), seconds, at=0)
    assert sites.cpu_time(*RUN, "a") == 65.0
    assert sites.cpu_time("linpack", "2.0", "a") is None


def test_daemons_of_one_site_are_added_up():
    """Loads of 1 and 3 on 2 and 6 cores are 4 on 8: a half for each core."""
    sites = ec.MetaScheduler("cpu-load")
    sites.register("big", cores={"node1": 2, "node2": 6})
    sites.publish("big", 1.0, daemon="node1", at=0)
    sites.publish("big", 3.0, daemon="node2", at=0)
    sites.publish("big", 9.0, daemon="node2", at=-5)  # older than what is known: passed over
    assert sites.select(*RUN, at=0)[0].value == 0.5
    assert sites.sites == {"big": {"site": "big", "cores": 8}}
    sites.register("big", cores={"node1": 2})
    assert sites.select(*RUN, at=0)[0].value == 0.5


@pytest.mark.parametrize(
    ("criteria", "left"),
    [
        (None, "abc"),
        ({}, "abc"),
        ({"queue": "long"}, "ab"),
        ({"queue": {"short", "tiny"}}, "c"),
        ({"queue": lambda queue: queue.startswith("s")}, "c"),
        ({"queue": "long", "site": ["b", "c"]}, "b"),
        ({"cores": lambda cores: cores >= 1}, "abc"),
        (lambda site: site["site"] != "a" and site["cores"] == 1, "bc"),
    ],
)
def test_criteria(criteria, left):
    """A value, a choice of values, a function of the value, or one of all attributes."""
    assert sorted(order(portal().select(*RUN, criteria, at=0))) == list(left)


def test_attributes_that_no_set_can_hold():
    """What cannot be looked for says so; a list of values can hold it."""
    sites = ec.MetaScheduler()
    sites.register("a", cores=1, tags=["fast"])
    with pytest.raises(InputError, match="criteria: fail with TypeError: unhashable"):
        sites.select("x", criteria={"tags": {"fast"}}, at=0)
    assert order(sites.select("x", criteria={"tags": [["fast"]]}, at=0)) == ["a"]


def test_sites_that_come_and_go():
    """One withdrawn is left out until it is registered again, with what was known of it."""
    sites = portal()
    sites.withdraw("a")
    assert order(sites.select(*RUN, at=0)) == ["b", "c"]
    assert list(sites.sites) == ["b", "c"]
    sites.register("a", cores=4)
    assert order(sites.select(*RUN, at=0)) == ["a", "b", "c"]
    assert order(sites.select(*RUN, processes=2, at=0)) == ["a"]


def test_nothing_left():
    """The error counts why each site is out; nothing registered is said, too."""
    sites = portal()
    sites.withdraw("a")
    sites.register("big", cores=8, queue="long")
    expected = "of 4 registered 1 are withdrawn, 2 have fewer than 8 cores and 1 do not meet the criteria"
    with pytest.raises(NoSiteError, match=expected):
        sites.select(*RUN, {"queue": "short"}, processes=8, at=0)
    with pytest.raises(NoSiteError, match="of 0 registered"):
        ec.MetaScheduler().select(*RUN)


@pytest.mark.slow
def test_lotteries_rank_by_successive_draws():
    """Over 4,000 selections the first, and the second given the first, come as tickets have it."""
    sites = portal("lottery", seed=5)
    found = [tuple(order(sites.select(*RUN, at=0))) for _ in range(4000)]
    tickets = {"a": 4, "b": 2, "c": 1}
    orders = [(x, y, z) for x in "abc" for y in "abc" for z in "abc" if len({x, y, z}) == 3]
    share = [tickets[x] / 7 * tickets[y] / (7 - tickets[x]) for x, y, _ in orders]
    seen = [found.count(one) for one in orders]
    assert scipy.stats.chisquare(seen, np.array(share) * len(found)).pvalue > 0.01
    assert scipy.stats.chisquare(seen).pvalue < 1e-6


@pytest.mark.slow
def test_random_draws_are_even():
    """Every order of three sites is as frequent, and every site is in each."""
    sites = portal("random", seed=2)
    found = [tuple(order(sites.select(*RUN, at=0))) for _ in range(3000)]
    assert {frozenset(one) for one in found} == {frozenset("abc")}
    assert scipy.stats.chisquare(np.unique(found, axis=0, return_counts=True)[1]).pvalue > 0.01


def test_the_unknown_site_is_tried():
    """A site where the application never ended comes first under all policies that go by history."""
    for policy in ("lottery", "lottery-load", "wall-time", "met"):
        sites = portal(policy)
        sites.register("new", cores=1)
        first = sites.select(*RUN, at=0)[0]
        assert first.site == "new"
        assert policy == "met" or first.reason == "never ended there"


def test_seeds():
    """Equal seeds rank alike, others differ."""
    first, again, other = (
        [order(one.select(*RUN, at=0)) for _ in range(20)]
        for one in (portal("lottery", seed=1), portal("lottery", seed=1), portal("lottery", seed=2))
    )
    assert first == again != other


def test_ready_times_by_shared_cores():
    """Two jobs of 60 s on one core have had 20 s each after 40 s: ready 80 s later."""
    sites = portal("olb")
    for _ in range(2):
        sites.started("a", *RUN, at=1000)
    assert sites.select(*RUN, at=1040)[-1] == ("a", 1120.0, "ready at 1120")
    # What takes longer than expected has nothing left, by what is known.
    assert {one.value for one in sites.select(*RUN, at=5000)} == {5000.0}


def test_the_system_clock():
    """Without times all happens now; a clock that goes back does not matter."""
    sites = ec.MetaScheduler()
    sites.register("a", cores=1)
    run = sites.started("a", *RUN)
    sites.publish("a", 0.5)
    sites.ended(run, 60)
    assert order(sites.select(*RUN)) == ["a"]
    sites.select(*RUN, at=4e9)
    assert sites.estimated_load("a") == 0.5


@broker("busiest", information=1, source="none", immediate=True)
def busiest(job, site, view):
    """Fewer jobs."""
    return -view.jobs(site)


class Stubborn:
    """Chooses the last site, or one that is not there."""

    name, information, grid_state, immediate = "stubborn", 0, "actual", True

    def __init__(self, wrong=False):
        self.wrong = wrong

    def choose(self, job, view):
        """Return a site."""
        return 99 if self.wrong else view.allowed[-1]


def test_policies_of_ones_own():
    """A function ranks by its values, a class by being asked again and again."""
    sites = portal(busiest)
    sites.started("b", *RUN, at=0)
    assert order(sites.select(*RUN, at=0)) == ["b", "a", "c"]
    assert sites.policy == "busiest"
    assert order(portal(Stubborn()).select(*RUN, at=0)) == ["c", "b", "a"]
    with pytest.raises(PolicyError, match="was assigned to 99; expected one of the sites left"):
        portal(Stubborn(wrong=True)).select(*RUN, at=0)


@pytest.mark.parametrize(
    ("policy", "error", "said"),
    [
        ("wall-tme", UnknownNameError, "did you mean 'wall-time'"),
        ("wqr", InputError, "policy: must choose the site of one job; wqr lets jobs wait"),
        ("stealing", InputError, "must choose the site of one job"),
        ("mwt", InputError, "must do without planned times, which a portal does not know; mwt needs level 4"),
        (7, InputError, "must be a spec or a broker"),
    ],
)
def test_policies_that_no_portal_can_ask(policy, error, said):
    """What needs a queue or planned times is refused with a sentence."""
    with pytest.raises(error, match=said):
        ec.MetaScheduler(policy)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda p: p.register("", cores=1), InputError, "site: must be a string"),
        (
            lambda p: p.register("x", cores=0),
            InputError,
            "cores of site 'x': must be a whole number >= 1, got 0",
        ),
        (lambda p: p.register("x", cores=1.5), InputError, "whole number"),
        (lambda p: p.register("x", cores={}), InputError, "needs at least one daemon"),
        (lambda p: p.register("x", cores={"n": True}), InputError, "cores of 'n' of site 'x'"),
        (lambda p: p.register("x", cores="8"), InputError, "whole number >= 1, got '8'"),
        (lambda p: p.withdraw("d"), UnknownNameError, "no site is named 'd'"),
        (
            lambda p: p.publish("a", float("nan")),
            InputError,
            "load of a: must be a finite number >= 0, got nan",
        ),
        (lambda p: p.publish("a", -1), InputError, "must be a finite number >= 0, got -1"),
        (lambda p: p.publish("a", 1, daemon="n9"), UnknownNameError, "no daemon of a is named 'n9'"),
        (lambda p: p.publish("a", 1, at="now"), InputError, "at: must be a finite number, got 'now'"),
        (lambda p: p.started("d", *RUN), UnknownNameError, "no site is named 'd'"),
        (lambda p: p.started(["a"], *RUN), UnknownNameError, "no site is named"),
        (lambda p: p.started("a", "", at=0), InputError, "application: must be a string"),
        (lambda p: p.started("a", "x", 2, at=0), InputError, "version: must be a string, got 2"),
        (lambda p: p.started("a", *RUN, processes=0), InputError, "processes: must be a whole number >= 1"),
        (lambda p: p.started("a", *RUN, at=-1), InputError, "at: must not be before 0 s"),
        (lambda p: p.ended("run-9", 1), InputError, "run_id: no job 'run-9' is running"),
        (lambda p: p.ended(None, 1), InputError, "no job None is running"),
        (lambda p: p.select("", at=0), InputError, "application"),
        (lambda p: p.select(*RUN, {"quue": "long"}, at=0), UnknownNameError, "did you mean 'queue'"),
        (lambda p: p.select(*RUN, 7, at=0), InputError, "criteria: must be a mapping"),
        (
            lambda p: p.select(*RUN, {"queue": lambda q: q + 1}, at=0),
            InputError,
            "criteria: fail with TypeError",
        ),
        (lambda p: p.select(*RUN, at=float("inf")), InputError, "at: must be a finite number, got inf"),
        (lambda p: p.estimated_load("d"), UnknownNameError, "no site is named 'd'"),
        (lambda p: p.publish("a", 10**400), InputError, "load of a: must be a finite number"),
        (lambda p: p.publish("a", 1, at=10**400), InputError, "at: must be a finite number"),
        (lambda p: p.publish("a", 1, daemon=[]), UnknownNameError, r"no daemon of a is named '\[\]'"),
        (lambda p: p.register("x", cores=2**31), InputError, "cores of site 'x': must be at most 2147483647"),
        (lambda p: p.cpu_time([], "1", "a"), InputError, "application: must be a string"),
        (lambda p: p.select(*RUN, lambda site: sys.exit(1), at=0), InputError, "fail with SystemExit: 1"),
    ],
)
def test_nonsense_is_refused(call, error, said):
    """Each wrong argument has one sentence, and leaves everything as it was."""
    sites = portal()
    before = sites.to_json()
    with pytest.raises(error, match=said):
        call(sites)
    assert sites.to_json() == before


def test_sites_may_tell_late():
    """What one site told does not matter to another's jobs, but no selection is before either."""
    sites = portal()
    sites.ended(sites.started("b", *RUN, at=500), 60, at=560)
    run = sites.started("a", *RUN, at=100)
    with pytest.raises(InputError, match="at: must not be before 100 s"):
        sites.ended(run, 1, at=99)
    with pytest.raises(InputError, match="at: must not be before 560 s"):
        sites.select(*RUN, at=200)
    sites.ended(run, 60, at=160)
    assert len(sites.select(*RUN, at=560)) == 3


def test_cores_that_change_under_jobs():
    """Two jobs of 60 s have had 10 s each on one core after 20 s; on two cores they need 50 s more."""
    sites = portal("olb")
    for _ in range(2):
        sites.started("a", *RUN, at=1000)
    sites.select(*RUN, at=1020)
    sites.register("a", cores=2)
    assert sites.select(*RUN, at=1020)[-1].value == 1070.0


def test_wrong_ends_and_ids():
    """The same id twice, a CPU time below 0, and an end told twice."""
    sites = portal()
    sites.started("a", *RUN, at=0, run_id="x")
    with pytest.raises(InputError, match="'x' is already running"):
        sites.started("b", *RUN, at=0, run_id="x")
    with pytest.raises(InputError, match="cpu_time: must be a finite number >= 0"):
        sites.ended("x", -1, at=0)
    sites.ended("x", 1, at=0)
    with pytest.raises(InputError, match="no job 'x' is running"):
        sites.ended("x", 1, at=0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"window": 0}, "window: must be a finite number > 0, got 0"),
        ({"window": -1}, "window: must be a finite number > 0, got -1"),
        ({"window": 10**400}, "window: must be a finite number"),
    ],
)
def test_options_out_of_range(options, said):
    """Seeds are whole numbers, windows are longer than nothing."""
    with pytest.raises(InputError, match=said):
        ec.MetaScheduler(**options)
