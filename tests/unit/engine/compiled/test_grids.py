"""Grids under a broker in kernels: what they leave to the reference engine, and room for many jobs."""

from __future__ import annotations

import numpy as np
import pytest

from echelon import broker
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.errors import UnsupportedError
from echelon.model import Instance, Platform, Workload
from echelon.policies import broker_named, policy


@broker("least-jobs", information=1, source="none")
def least_jobs(_job, site, view):
    """Jobs waiting or running at the site."""
    return view.jobs(site)


def at_once(n, sizes):
    """Return `n` jobs of one processor that all come at second 0."""
    jobs = Workload.from_columns(submit_time=np.zeros(n), run_time=np.arange(1.0, n + 1), processors=[1] * n)
    return Instance.of(jobs, Platform.of_sizes(sizes))


@pytest.mark.parametrize(
    ("given", "local", "reason"),
    [
        (least_jobs, "easy", "'least-jobs' is a broker written in Python"),
        (broker_named("mct"), "wfp3", "needs planned schedules, but the order 'wfp3' reads the view"),
        (broker_named("mwt"), "selective", "needs planned schedules, but 'selective' does not declare"),
        (broker_named("mpl"), "slack", "'slack' is in the reference engine only"),
        (broker_named("mpl"), "round-robin", "'round-robin' preempts jobs"),
    ],
)
def test_what_is_left_to_the_reference_engine_is_told(given, local, reason):
    """A broker or a local policy that kernels do not know is refused in words."""
    scenario = Scenario(at_once(2, [1, 2]), policy(local), system_model=tree_of_sites(given))
    assert reason in compiled.supports(scenario)
    with pytest.raises(UnsupportedError, match="use engine='reference'"):
        compiled.simulate(scenario)


@pytest.mark.parametrize("spec", ["mpl", "mct", "mwt", "mlb:grid-state=planned"])
def test_a_thousand_jobs_at_one_instant(spec):
    """Sites that are given a thousand jobs at once are given room for them."""
    scenario = Scenario(
        at_once(1000, [1, 40, 40]), policy("fcfs"), system_model=tree_of_sites(broker_named(spec))
    )
    found = compiled.simulate(scenario)
    assert np.isfinite(found.start_time).all()
    assert (np.bincount(found.site, minlength=3) > 5).all()


@pytest.mark.parametrize("local", ["easy", "conservative", "plan"])
def test_hundreds_of_jobs_at_one_instant_agree(local):
    """Both engines start them alike, where the sites move to larger parts of the arrays."""
    scenario = Scenario(at_once(300, [2, 3]), policy(local), system_model=tree_of_sites(broker_named("mlb")))
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    assert (expected.site == found.site).all()
    assert (expected.start_time == found.start_time).all()
