"""Engines ask a scheduler what it does, not which class it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.engine.compiled import supports
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError, PolicyError
from echelon.policies import (
    Capabilities,
    Conservative,
    Easy,
    FirstFit,
    NoBackfill,
    Plan,
    Policy,
    Preempt,
    Start,
    Wake,
    broker_named,
    capabilities,
    estimator_capabilities,
    policy,
)
from echelon.policies.capabilities import switch_of
from echelon.policies.order import order_named
from echelon.policies.order.multifactor import Multifactor
from echelon.testing import crowd
from echelon.testing.grids import grid_crowd
from echelon.testing.multiclusters import random_cluster_case


class StartsAnythingThatFits:
    """First-fit under another name."""

    name = "starts-anything-that-fits"
    starts_all_that_fit = True
    looks_ahead = False
    plans = False
    predictable = True

    def decide(self, view):
        for job in view.queue:
            if view.fits(job):
                yield Start(job)
            elif not view.free:
                return


class HeadOnly:
    """No backfilling under another name."""

    name = "head-only"
    overtakes = False
    looks_ahead = False
    plans = False
    predictable = True

    def decide(self, view):
        for job in view.queue:
            if not view.fits(job):
                return
            yield Start(job)


class Delegates:
    """Another scheduler under another name, of no built-in class."""

    name = "delegates"
    predictable = True

    def __init__(self, other):
        self._other = other

    def decide(self, view):
        return self._other.decide(view)


class TwoOrNow:
    """A limit of a cluster's queue: two jobs, and jobs that would start at once."""

    spec = "two-or-now"

    def accepts(self, state):
        return state.waiting < 2 or state.starts_now()


def under(scenario, scheduler):
    """Return the scenario with another local scheduler."""
    return replace(scenario, policy=Policy.of(scenario.policy.order, scheduler))


def look_ahead_schedule(scheduler, broker="mct"):
    """Return the scenario of a crowd on a grid whose broker simulates ahead under `scheduler`."""
    return Scenario(
        grid_crowd(3).instance(),
        Policy.of(backfill=scheduler),
        system_model=tree_of_sites(broker_named(broker)),
    )


def assert_equal(mine, other):
    """Assert that two schedules are one, to the last bit."""
    np.testing.assert_array_equal(mine.start_time, other.start_time)
    np.testing.assert_array_equal(mine.end_time, other.end_time)
    np.testing.assert_array_equal(mine.site, other.site)
    assert mine.counts == other.counts


@pytest.mark.slow
@pytest.mark.parametrize(("own", "built_in"), [(StartsAnythingThatFits, FirstFit), (HeadOnly, NoBackfill)])
@pytest.mark.parametrize("spec", [("fpfs", "request"), ("nb.rs", "sdpn"), ("pull", "hanzich")])
def test_an_equal_scheduler_gives_the_same_run_of_a_multicluster(own, built_in, spec):
    """A rule of a user's that is a built-in one gets the same upper queue, pictures and passes."""
    upper, estimator = spec
    for seed in range(5):
        case = random_cluster_case(seed, forever=False)
        scenario = case.scenario(upper=upper, limit=TwoOrNow(), broker="tat", estimator=estimator)
        mine, other = simulate(under(scenario, own())), simulate(under(scenario, built_in()))
        assert_equal(mine, other)
        for forecast, expected in zip(mine.forecasts, other.forecasts, strict=True):
            np.testing.assert_array_equal(forecast.wait, expected.wait)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("declared", "name"),
    [
        (StartsAnythingThatFits, "starts_all_that_fit"),
        (StartsAnythingThatFits, "looks_ahead"),
        (HeadOnly, "overtakes"),
    ],
)
def test_what_a_scheduler_declares_decides_in_a_multicluster(declared, name):
    """With one declaration turned around the same rule is served otherwise, so it is what is read."""
    other = type("Other", (declared,), {name: not getattr(declared, name)})
    changed = 0
    for seed in range(6):
        case = random_cluster_case(seed, forever=False)
        scenario = case.scenario(upper="fpfs", limit=TwoOrNow(), broker="tat", estimator="sdpn")
        mine, turned = (simulate(under(scenario, rule())) for rule in (declared, other))
        changed += mine.counts != turned.counts or (mine.start_time != turned.start_time).any()
    assert changed > 0


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", [NoBackfill(), FirstFit(), Easy(), Easy(2), Conservative(), Plan()])
@pytest.mark.parametrize("broker", ["mct", "mwt"])
def test_look_ahead_of_an_equal_scheduler_is_equal(scheduler, broker):
    """Brokers that simulate ahead see the same schedules under a user's rule that is a built-in one."""
    scenario = look_ahead_schedule(scheduler, broker)
    assert_equal(simulate(under(scenario, Delegates(scheduler))), simulate(scenario))


def test_a_scheduler_without_declaration_has_no_look_ahead():
    """Without a declaration a broker of level 4 is refused, in a sentence that says what to declare."""

    class Silent(Delegates):
        predictable = False

    scenario = Scenario(
        grid_crowd(3).instance(),
        Policy.of(backfill=Silent(Easy())),
        system_model=tree_of_sites(broker_named("mct")),
    )
    with pytest.raises(
        InputError, match="'delegates' does not declare that it is predictable, as none, first-"
    ):
        simulate(scenario)


class Wakes(Delegates):
    """Declares that it is predictable, but asks for a time."""

    def decide(self, view):
        yield Wake(view.now + 1)


class Asks(Delegates):
    """Declares that it is predictable, but asks how long a job has waited."""

    def decide(self, view):
        return [Start(job) for job in view.queue if view.waited(job) >= 0]


class Idles(Delegates):
    """Declares that it is predictable, but starts no job."""

    def decide(self, view):
        return []


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [(Wakes, "predictable, but gives Wake"), (Asks, "fails with"), (Idles, "waiting on an empty machine")],
)
def test_a_false_declaration_is_the_error_of_the_scheduler(kind, sentence):
    """A failed look-ahead simulation is the scheduler's error, not the engine's."""
    scenario = Scenario(
        grid_crowd(3).instance(),
        Policy.of(backfill=kind(Easy())),
        system_model=tree_of_sites(broker_named("mct")),
    )
    with pytest.raises(PolicyError, match=f"delegates.*{sentence}"):
        simulate(scenario)


class SuspendsNewest:
    """A preemptive scheduler of a user's own."""

    name = "suspends-newest"
    preempts = True

    def decide(self, view):
        queue = view.queue
        if queue and not view.fits(queue[0]) and view.running:
            yield Preempt(view.running[-1].job)


def test_a_user_s_preemptive_scheduler_is_refused_where_built_in_ones_are():
    """Where tasks share cores the refusal goes by what a scheduler declares."""
    with pytest.raises(InputError, match="fair lets tasks share cores, but suspends-newest suspends jobs"):
        ec.simulate(grid_crowd(3).workload, platform="irmasim-a", policy=SuspendsNewest(), sharing="fair")


def test_the_switch_of_a_scheduler_is_its_attribute_if_it_suspends_jobs():
    """Jobs that others start beside its own pay it; a scheduler that never suspends any charges nothing."""
    assert switch_of(policy("srtf:switch=2").scheduler) == 2.0
    assert switch_of(policy("easy").scheduler) == 0.0
    assert switch_of(SuspendsNewest()) == 0.0
    charges = type("Charges", (SuspendsNewest,), {"switch": -1})
    with pytest.raises(InputError, match="suspends-newest, switch: must be a time >= 0 in seconds, got -1"):
        switch_of(charges())


def test_an_earlier_name_of_a_capability_is_read():
    """A scheduler that declares that it is foreseeable is predictable; the present name overrides that."""

    class Foreseeable:
        name = "foreseeable"
        foreseeable = True

        def decide(self, view):
            return []

    class Both(Foreseeable):
        predictable = False

    assert [capabilities(kind()).predictable for kind in (Foreseeable, Both)] == [True, False]


def test_capabilities_have_defaults_and_are_yes_or_no():
    """A scheduler that says nothing has the documented defaults; what is neither yes nor no is refused."""

    class Bare:
        name = "bare"

        def decide(self, view):
            return ()

    assert capabilities(Bare()) == Capabilities(
        preempts=False,
        overtakes=True,
        starts_all_that_fit=False,
        looks_ahead=True,
        plans=True,
        predictable=False,
    )
    assert capabilities(Easy()) == Capabilities(plans=False, predictable=True)
    assert capabilities(Easy(reservations=2)) == Capabilities(predictable=True)
    Bare.preempts = "sometimes"
    with pytest.raises(InputError, match=r"bare, preempts: .*must be True or False, got 'sometimes'"):
        capabilities(Bare())


class Oracle:
    """A user's own estimator that knows run times, as `Exact` does."""

    name = "oracle"
    learns_in_run = False
    knows_run_times = True

    def memory(self):
        """Return nothing: it is never asked."""
        raise AssertionError


class Plain:
    """A user's own estimator that plans with requests, as `Request` does."""

    name = "plain"
    predicts = False
    learns_in_run = False

    def memory(self):
        """Return nothing: it is never asked."""
        raise AssertionError


@pytest.mark.parametrize(("own", "built_in"), [(Oracle(), "exact"), (Plain(), "request")])
def test_an_estimator_is_run_by_what_it_declares(own, built_in):
    """A user's equivalent of a built-in estimator gives its schedule and its columns, by the same engine."""
    workload = ec.generate("lublin:jobs=200,processors=64,seed=3")
    mine, theirs = (
        ec.simulate(workload, processors=64, policy="easy", estimator=estimator, estimates="raise")
        for estimator in (own, built_in)
    )
    assert mine.jobs.equals(theirs.jobs)
    assert mine.engine == theirs.engine


def test_a_declaration_of_an_estimator_is_true_or_false():
    """Anything else is refused with the estimator's name."""
    wrong = Plain()
    wrong.predicts = "no"
    with pytest.raises(InputError, match=r"plain, predicts: is a capability, .* got 'no'"):
        estimator_capabilities(wrong)


def test_an_order_derived_from_a_built_in_one_is_not_taken_for_it():
    """A class that changes what its base does is run as it is, not by the kernels of its base."""

    class Reversed(Multifactor):
        def __call__(self, job, view):
            return -super().__call__(job, view)

    order = replace(order_named("multifactor"), name="reversed", rule=Reversed())
    scenario = Scenario(crowd(5, 40).instance(), Policy.of(order))
    assert "reads the view" in (supports(scenario) or "")
    assert supports(replace(scenario, policy=policy("multifactor"))) != supports(scenario)
