"""A metascheduler kept as JSON goes on as if nothing had happened."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.errors import InputError, UnknownNameError
from echelon.policies import broker

POLICIES = ("random", "cpu-load", "lottery", "lottery-load", "wall-time", "met", "olb", "mct", "round-robin")
STEP = st.tuples(
    st.sampled_from(["start", "end", "publish", "select", "withdraw", "register"]),
    st.integers(0, 3),
    st.sampled_from([0.0, 0.1, 7.5, 31.0, 70.0]),
)


def play(sites, steps, running, now):
    """Tell of what happens step by step; return all selections."""
    found = []
    for what, place, wait in steps:
        now += wait
        name = "abcd"[place]
        if what == "start":
            running.append(sites.started(name, f"app{place % 2}", "1", at=now))
        elif what == "end" and running:
            sites.ended(running.pop(place % len(running)), 10 + wait, at=now)
        elif what == "publish":
            sites.publish(name, wait / 7, at=now)
        elif what == "withdraw" and name != "a":
            sites.withdraw(name)
        elif what == "register":
            sites.register(name, cores=place + 1)
        elif what == "select":
            found.append(sites.select("app1", "1", at=now))
    return found, now


@examples(40)
@given(
    policy=st.sampled_from(POLICIES), before=st.lists(STEP, max_size=30), after=st.lists(STEP, max_size=30)
)
def test_a_restart_changes_nothing(policy, before, after):
    """Whatever happened, selections after a restart are those without one, bit for bit."""
    sites = ec.MetaScheduler(policy, seed=9)
    for place, name in enumerate("abcd"):
        sites.register(name, cores=place + 1, place=place)
    running = []
    _, now = play(sites, before, running, 0.0)
    again = ec.MetaScheduler.from_json(sites.to_json())
    assert again.to_json() == sites.to_json()
    assert again.sites == sites.sites
    after = [*after, ("select", 0, 0.1)]
    assert play(again, after, list(running), now) == play(sites, after, running, now)


@broker("mine", information=0, source="none", immediate=True)
def mine(job, site, view):
    """Prefer the later one."""
    return -site


def test_another_policy_after_a_restart():
    """A policy may be changed, and is required if it was a user's own object."""
    sites = ec.MetaScheduler(mine)
    sites.register("a", cores=1)
    text = sites.to_json()
    with pytest.raises(UnknownNameError, match="no broker is named 'mine'"):
        ec.MetaScheduler.from_json(text)
    assert ec.MetaScheduler.from_json(text, policy=mine).policy == "mine"
    assert ec.MetaScheduler.from_json(text, policy="lottery").policy == "lottery"


def test_attributes_that_json_can_not_hold():
    """The site is named."""
    sites = ec.MetaScheduler()
    sites.register("a", cores=1, check=len)
    with pytest.raises(InputError, match="attributes of site 'a': cannot be kept as JSON"):
        sites.to_json()


def spoiled(**changes):
    sites = ec.MetaScheduler()
    sites.register("a", cores=1)
    sites.started("a", "x", at=1)
    return json.dumps({**json.loads(sites.to_json()), **changes})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "7",
        spoiled(format="echelon metascheduler 0"),
        spoiled(policy=""),
        spoiled(seed=-1),
        spoiled(window="long"),
        spoiled(latest="yesterday"),
        spoiled(selections=1.5),
        spoiled(sites=[{}]),
        spoiled(sites=[{"name": "a"}]),
        spoiled(sites=7),
        spoiled(cpu_times=[["x", "1", "a"]]),
        spoiled(cpu_times=[["x", "1", "a", -1]]),
        spoiled(latest=10**400),
        "[" * 100_000,
    ],
)
def test_what_is_no_state(text):
    """One sentence, whatever the text."""
    with pytest.raises(InputError, match="state: is not the state of a metascheduler"):
        ec.MetaScheduler.from_json(text)
