"""Worlds: equal ones are one, and each is for a machine of its kind alone."""

from __future__ import annotations

import pytest

from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.worlds import (
    BrokeredGrid,
    LeafRules,
    OneMachine,
    TreeOfSites,
    world_of_sites,
)
from echelon.errors import InputError
from echelon.model import Instance, Platform, Site, TimeSharedMachine, Workload
from echelon.policies import Admissible, broker_named, estimator_named, policy

JOBS = Workload.from_columns(submit_time=[0], run_time=[1], requested_time=[1], processors=[1])


def test_worlds_of_the_same_rules_are_equal():
    """Scenarios can be compared: their worlds are values."""
    assert OneMachine() == OneMachine()
    instance = Instance.of(JOBS, 4)
    assert Scenario(instance, policy("easy")) == Scenario(instance, policy("easy"))
    assert world_of_sites(broker_named("ml")) == BrokeredGrid(broker_named("ml"), Admissible())


@pytest.mark.parametrize(
    ("machine", "needs"),
    [
        (Platform.of_sizes([4]), "a platform needs a broker"),
        (Platform((Site("a", TimeSharedMachine(4)),)), "time-shared machines need rules of their own"),
    ],
)
def test_sites_are_not_one_machine(machine, needs):
    """A platform without what its kind needs is one sentence that says what is lacking."""
    with pytest.raises(InputError, match=needs):
        Scenario(Instance.of(JOBS, machine), policy("easy"))


@pytest.mark.parametrize("below", ["mpl", "mwt"])
def test_no_level_plans_with_times_that_are_learned(below):
    """A broker that uses planned information is refused beside an estimator that learns, at any level."""
    root, group = broker_named("ml"), broker_named(f"{below}:belief=allocation")
    on = Platform((Site("g/a", 4), Site("b", 4)))
    tree = TreeOfSites(
        {"": Controller(root, Admissible()), "g": Controller(group, Admissible())}, LeafRules()
    )
    with pytest.raises(InputError, match=f"{below} uses planned information.*got 'average'"):
        Scenario(Instance.of(JOBS, on), policy("fcfs"), estimator=estimator_named("average"), world=tree)
