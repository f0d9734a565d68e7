"""The reference engine of grids: what a broker may see and say, and what becomes of its word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import DeadlockError, InputError, PolicyError
from echelon.model import Instance, Platform, Workload
from echelon.policies import (
    STRATEGIES,
    Admissible,
    Information,
    broker,
    broker_named,
    estimator_named,
    policy,
)
from echelon.testing.strategies import instances


def instance(*jobs, sizes=(2, 4)):
    """Return jobs (submit, run, processors, request) on sites of these sizes."""
    submit, run, size, request = zip(*jobs, strict=True)
    workload = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=request
    )
    return Instance.of(workload, Platform.of_sizes(sizes))


def run(given, spec="mpl", local="easy", admissible=None, **more):
    chosen = broker_named(spec) if isinstance(spec, str) else spec
    return simulate(Scenario(given, policy(local), system_model=tree_of_sites(chosen, admissible), **more))


THREE = instance((0, 10, 2, 10), (0, 10, 2, 10), (1, 5, 2, 5))


def test_jobs_of_one_instant_are_assigned_one_after_the_other():
    """The second job of an instant is chosen a site with the first one there."""
    found = run(THREE)
    assert found.site.tolist() == [0, 1, 1]
    assert found.start_time.tolist() == [0, 0, 1]


def test_ends_of_an_instant_come_before_its_submissions():
    """A job that ends when another comes is gone for the broker."""
    found = run(instance((0, 5, 2, 5), (0, 9, 1, 9), (5, 1, 2, 1)))
    assert found.site.tolist() == [0, 1, 0]


def test_real_ends_are_unknown_to_the_allocation_schedule():
    """A job that ends long before its plan still fills its site for a broker that believes in its plan."""
    jobs = instance((0, 5, 2, 100), (10, 5, 2, 5))
    assert run(jobs, "mct").site.tolist() == [0, 1]
    assert run(jobs, "mct:grid-state=actual").site.tolist() == [0, 0]
    assert run(jobs, "mpl:grid-state=planned").site.tolist() == [0, 1]
    assert run(jobs, "mpl").site.tolist() == [0, 0]


def test_execution_knows_no_real_run_times_either():
    """While a job runs, even the sites' own schedule ends it at its plan."""
    jobs = instance((0, 5, 2, 100), (0, 20, 4, 20), (2, 5, 1, 5))
    assert run(jobs, "mct:grid-state=actual").site.tolist() == [0, 1, 1]


def test_starts_and_metrics_are_of_real_run_times():
    """The site's scheduler starts a waiting job when one really ends, whatever the broker believes."""
    found = run(instance((0, 5, 2, 100), (1, 5, 2, 100), sizes=(2,)), "mst")
    assert found.start_time.tolist() == [0, 5]


def test_only_admissible_sites_are_used():
    """With a small factor each job goes to the smallest site that can hold it."""
    found = run(THREE, admissible=Admissible(0.1))
    assert found.site.tolist() == [0, 0, 0]
    assert found.start_time.tolist() == [0, 10, 20]


def test_home_sites_are_the_partitions_of_that_name():
    """The schedule knows where each job was submitted, if its partition is named after a site."""
    platform = Platform.of_sizes([2, 4])
    named = Workload.from_columns(
        submit_time=[0, 0, 0], run_time=[1] * 3, processors=[1] * 3, partition=[2, 1, 3]
    )
    named.names["partition"] = ("site-1", "site-2", "elsewhere")
    found = simulate(
        Scenario(Instance.of(named, platform), policy("easy"), system_model=tree_of_sites(broker_named("ml")))
    )
    assert found.home_site.tolist() == [1, 0, -1]


def test_a_job_too_large_for_every_site_is_left_out():
    """It is dropped with the size of the largest site, though the grid has more processors in all."""
    jobs = instance((0, 1, 5, 1), (0, 1, 4, 1))
    assert [(drop.reason, drop.count) for drop in jobs.dropped] == [
        ("more processors than the largest site's 4", 1)
    ]


@pytest.mark.parametrize("kind", STRATEGIES)
def test_no_strategy_asks_for_more_than_its_level(kind):
    """Every strategy runs with what it declares, and one that declares less is refused by name."""
    run(THREE, kind())
    asked = {level: spec for level, spec in _ASKING.items() if level > kind.information}
    for level, ask in asked.items():
        greedy = broker("greedy", information=kind.information, source="none")(ask)
        with pytest.raises(PolicyError, match=f"level {level:d}, but declares that it needs level"):
            run(THREE, greedy)


def _asking(what):
    def rule(job, site, view):
        """Return nothing of what was asked."""
        getattr(view, what)(site)
        return 0

    return rule


_ASKING = {
    Information.JOB_COUNTS: _asking("jobs"),
    Information.JOB_SIZES: _asking("free"),
    Information.ESTIMATES: _asking("area_sum"),
    Information.SCHEDULES: _asking("schedule"),
}


class Chooser:
    """A broker that says what it is told to."""

    name, information, grid_state = "chooser", Information.SITES, "actual"

    def __init__(self, answer):
        self._answer = answer

    def choose(self, job, view):
        return self._answer(job, view)


@pytest.mark.parametrize("wrong", [0, 2, -1, None, 1.0, "site-2"])
def test_a_site_that_is_not_allowed_is_refused(wrong):
    """The job needs the larger site; anything else is an error that says what was expected."""
    with pytest.raises(PolicyError, match="expected one of the sites 1 to 1"):
        run(instance((0, 1, 3, 1)), Chooser(lambda job, view: wrong))


def test_a_broker_can_not_widen_what_it_is_allowed():
    """Which sites hold the job is asked of the engine, not of the view that the broker was given."""

    def choose(job, view):
        view.allowed = range(2)
        return 0

    with pytest.raises(PolicyError, match="expected one of the sites 1 to 1"):
        run(instance((0, 1, 3, 1)), Chooser(choose))


def test_a_broker_that_fails_is_its_own_error():
    """What goes wrong inside a broker names it and the job."""
    with pytest.raises(PolicyError, match=r"chooser.*ZeroDivisionError"):
        run(THREE, Chooser(lambda job, view: 1 // 0))


def test_schedules_without_look_ahead_are_refused():
    """Strategies of level 4 need a local policy whose schedule follows from queue and running jobs."""
    for local, why in (
        ("srtf", "does not declare"),
        ("easy:wfp3", "reads the view"),
        ("slack", "does not declare"),
    ):
        with pytest.raises(InputError, match=f"mct needs planned schedules, but .*{why}"):
            run(THREE, "mct", local)


@pytest.mark.parametrize("local", ["srtf", "round-robin", "slack", "easy:wfp3", "relaxed", "multifactor"])
def test_any_local_policy_runs_under_a_broker_that_needs_no_schedule(local):
    """Sites may preempt, reserve and reorder as one machine may."""
    found = run(instance(*[(k, 7, 1 + k % 2, 9) for k in range(12)]), "mlp", local)
    assert sorted(set(found.site.tolist())) == [0, 1]


def test_an_estimator_learns_from_all_sites():
    """What ended at one site is known when a job comes to another."""
    jobs = instance((0, 5, 2, 100), (0, 50, 4, 100), (10, 5, 2, 100))
    found = run(jobs, "ml", estimator=estimator_named("average:alpha=1"))
    assert found.planned_time.tolist() == [100, 100, 5]


class Idle:
    """A scheduler that never starts anybody."""

    name = "idle"

    def decide(self, view):
        return ()


def test_a_site_where_jobs_wait_for_ever_is_named():
    """Such a run ends with an error that names the site."""
    with pytest.raises(DeadlockError, match="at site 'site-1'"):
        run(THREE, "mpl", Idle())


def test_a_platform_and_a_broker_need_each_other():
    """One without the other is refused, and so is another rule of cycles."""
    with pytest.raises(InputError, match="a platform needs a broker"):
        Scenario(THREE, policy("easy"))
    one = Instance.of(THREE.workload, 4)
    with pytest.raises(InputError, match="a broker needs a platform"):
        Scenario(one, policy("easy"), system_model=tree_of_sites(broker_named("ml")))
    with pytest.raises(InputError, match="pyss is the order of one machine"):
        Scenario(THREE, policy("easy"), system_model=tree_of_sites(broker_named("ml")), cycles="pyss")


@pytest.mark.slow
@given(instances())
def test_a_grid_of_one_site_is_one_machine(single):
    """Under any strategy one site gives the schedule of a machine of its size."""
    platform = Platform.of_sizes([single.processors])
    twin = Instance.of(single.workload, platform, estimates=single.estimates)
    for local in ("easy", "conservative"):
        expected = simulate(Scenario(single, policy(local))).start_time
        for spec in ("random", "mpl", "mct", "mst:grid-state=actual"):
            assert np.array_equal(run(twin, spec, local).start_time, expected)
