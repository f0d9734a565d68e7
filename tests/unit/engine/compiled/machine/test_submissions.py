"""Submissions in kernels: refusals, shared state, and cases that are easily wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon import order
from echelon.engine import compiled, reference
from echelon.engine.compiled.shapes import libraries_of
from echelon.engine.contract import Scenario
from echelon.errors import UnsupportedError
from echelon.model import Instance, Workload
from echelon.policies import Policy, policy
from echelon.testing import crowd
from echelon.testing.dependent_jobs import dag, with_edges


def chain(**columns):
    """Return an instance of one processor whose second job waits for the first."""
    table = {"submit_time": [0, 1, 2], "run_time": [10, 10, 10], "processors": [1, 1, 1], **columns}
    return with_edges(Instance.of(Workload.from_columns(**table), 1), np.array([0]), np.array([1]))


def own_order(rule):
    """Return an order of this rule."""
    rule.__doc__ = "The smallest number first."
    return order("own", source="none")(rule)


def test_no_other_kernels_are_needed():
    """Jobs that wait for others run in the kernels of those that do not, so no further library is needed."""
    instance = crowd(1, 20, processors=4).instance("raise")
    waiting = dag(instance, "chains", 1)
    both = [Scenario(one, policy("easy")) for one in (instance, waiting)]
    assert [libraries_of(one) for one in both] == [("machine",), ("machine",)]
    free, chained = (compiled.simulate(one) for one in both)
    assert np.array_equal(chained.start_time, reference.simulate(both[1]).start_time)
    assert not np.array_equal(chained.start_time, free.start_time)


@pytest.mark.parametrize("spec", ["f1", "easy:f4", "first-fit:f2"])
def test_orders_that_ask_for_the_submit_time_are_refused(spec):
    """Their keys are not known before the run; without dependencies they are, and without need to ask."""
    scenario = Scenario(chain(), policy(spec))
    assert "uses submit times" in compiled.supports(scenario)
    with pytest.raises(UnsupportedError, match="jobs wait for others"):
        compiled.simulate(scenario)
    alone = replace(scenario, instance=replace(scenario.instance, dependencies=None))
    assert compiled.supports(alone) is None


@pytest.mark.parametrize(
    "rule",
    [
        lambda job, view: job.submit_time,
        lambda job, view: (job.processors, -job.submit_time),
        lambda job, view: 0 if job.submit_time == 3 else 1,
        lambda job, view: len(f"{job.submit_time}"),
        lambda job, view: 1.0 if job.submit_time else 2.0,
        lambda job, view: max(1.0, job.submit_time),
    ],
)
def test_whatever_a_rule_does_with_a_submit_time_is_noticed(rule):
    """Computed with, compared, printed, asked for its truth or handed on: it is refused, not misread."""
    own = own_order(rule)
    assert "uses submit times" in compiled.supports(Scenario(chain(), Policy.of(own)))


def test_a_rule_that_asks_late_is_refused_late():
    """Only the first jobs are tried beforehand: what a later one's key needs is seen when all are made."""
    jobs = crowd(1, 60, processors=4)
    instance = dag(jobs.instance("raise"), "chains", 1)
    own = own_order(lambda job, view: job.submit_time if job.position > 50 else 1.0)
    scenario = Scenario(instance, Policy.of(own))
    assert compiled.supports(scenario) is None
    with pytest.raises(UnsupportedError, match="'own' uses submit times"):
        compiled.simulate(scenario)


def test_equal_keys_go_by_release():
    """Of jobs of one size, the one released first goes first, whatever the log says."""
    table = Workload.from_columns(
        submit_time=[0, 0, 1], run_time=[5, 10, 10], processors=[1, 1, 1], requested_time=[5, 10, 10]
    )
    # Job 1, of time 0 in the log, is released at 5 + 1 while the machine is busy with job 2.
    instance = with_edges(Instance.of(table, 1), np.array([0]), np.array([1]), np.array([1.0]))
    scenario = Scenario(instance, policy("smallest-first"))
    for engine in (reference, compiled):
        schedule = engine.simulate(scenario)
        assert schedule.start_time.tolist() == [0, 15, 5]
        assert schedule.instance.submit_time.tolist() == [0, 6, 1]
    assert instance.submit_time.tolist() == [0, 0, 1]


def test_jobs_of_one_instant_go_by_position_even_from_two_rounds():
    """By the rules of pyss an early END releases its job after the SUBMITs: job 1 still goes before job 3."""
    table = Workload.from_columns(
        submit_time=[0, 0, 0, 0, 0],
        run_time=[10, 10, 10, 10, 5],
        requested_time=[20, 10, 10, 10, 5],
        processors=[1, 2, 1, 2, 2],
    )
    # Job 0 ends early at 10, job 2 as planned; job 3, released first, and job 1 wait behind job 4.
    instance = with_edges(Instance.of(table, 2, estimates="raise"), np.array([0, 2]), np.array([1, 3]))
    scenario = Scenario(instance, policy("fcfs"), cycles="pyss")
    expected = reference.simulate(scenario)
    assert expected.start_time.tolist() == compiled.simulate(scenario).start_time.tolist()
    assert expected.start_time[1] < expected.start_time[3]
    assert expected.instance.submit_time[1] == expected.instance.submit_time[3] == 10
