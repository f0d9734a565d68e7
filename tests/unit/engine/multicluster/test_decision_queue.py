"""Decisions that take time, by hand: jobs wait for them one at a time, before they join any queue."""

from __future__ import annotations

import pytest

from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.experiments.simulation import run_scenario
from echelon.model import SharedCluster, Workstation
from echelon.testing.multiclusters import cluster_case

TWO = SharedCluster((Workstation(),) * 2)


def run(*jobs, clusters=(TWO,), **rules):
    """Return the schedule of jobs of one task on these clusters."""
    return simulate(cluster_case([(*job, 1) for job in jobs], clusters).scenario(**rules))


def test_decisions_are_made_one_at_a_time():
    """Submitted at 0, 1 and 30 with 9 s each: done at 9, 18 and 39, and delivered then."""
    found = run((0, 5), (1, 5), (30, 5), decision_time=9)
    assert found.delivered.tolist() == [9, 18, 39]
    assert found.start_time.tolist() == [9, 18, 39]


def test_a_decision_knows_what_is_known_when_it_is_done():
    """Least jobs: at 9 the first goes to the first cluster; it has ended when the second goes, too."""
    found = run((0, 8), (0, 8), clusters=(TWO, TWO), broker="ml", decision_time=9)
    assert found.site.tolist() == [0, 0]
    assert run((0, 8), (0, 8), clusters=(TWO, TWO), broker="ml").site.tolist() == [0, 1]


def test_turnaround_counts_the_decision_from_submission_only():
    """From submission the wait for the decision counts, from delivery it does not."""
    case = cluster_case([(0, 10, 1), (0, 20, 1)], [TWO])
    scenario = case.scenario(decision_time=4)
    found = run_scenario(scenario).metrics
    assert found["mean_turnaround_from_delivery"] == 15
    assert found["mean_turnaround"] == 15 + (4 + 8) / 2
    assert found["mean_upper_wait"] == 6


def test_who_waits_for_a_decision_too_long_is_rejected():
    """After 5 s the second and third job have no decision yet; the next decision begins at once."""
    found = run((0, 100), (0, 100), (6, 100), longest_stay=5, decision_time=4)
    assert found.instance.kept.tolist() == [0, 2]
    assert found.delivered.tolist() == [4, 10]


def test_no_time_is_as_before():
    """Jobs of one instant are all decided at once."""
    assert run((3, 5), (3, 5), decision_time=0).delivered.tolist() == [3, 3]


@pytest.mark.parametrize("time", [-1, float("inf"), float("nan"), "9", True])
def test_what_is_no_decision_time(time):
    """A finite number of seconds >= 0 is."""
    with pytest.raises(InputError, match="decision-time"):
        run((0, 1), decision_time=time)
