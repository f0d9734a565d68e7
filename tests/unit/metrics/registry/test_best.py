"""Which value is marked as the best where runs stand side by side."""

from __future__ import annotations

import math

import pytest

from echelon.metrics.registry.best import are_best, contenders, tells, value_of

PLAIN = {"mean_wait": 9.0, "utilization": 0.5}
LOSER = {"mean_wait": 7.0, "utilization": 0.6, "goodput": 0.4, "waste_share": 0.2, "incomplete_jobs": 4}
KEPT = {"mean_wait": 12.0, "utilization": 0.7, "goodput": 0.5, "waste_share": 0.1, "incomplete_jobs": 0}


def test_a_run_that_lost_jobs_is_never_the_best():
    """Its wait is the shortest as four jobs do not count; the star is that of the shorter other wait."""
    runs = [PLAIN, LOSER, KEPT]
    assert contenders(runs) == [True, False, True]
    assert are_best("mean_wait", "low", [9, 7, 12], runs) == [True, False, False]
    assert are_best("mean_wait", "low", [9, 9, 12], runs) == [True, False, False]
    assert not any(are_best("mean_wait", "low", [12, 7, 12], runs))
    assert not any(are_best("mean_wait", "low", [7, 9], [LOSER, PLAIN]))


def test_without_losses_the_best_is_marked_as_ever():
    """Among runs that lost nothing the lowest or highest is the best, if they differ, in whatever order."""
    runs = [PLAIN, PLAIN, PLAIN]
    assert are_best("mean_wait", "low", [3, math.nan, 2], runs) == [False, False, True]
    assert are_best("utilization", "high", [0.3, 0.2, 0.3], runs) == [True, False, True]
    assert not any(are_best("mean_wait", "low", [2, math.nan, 2], runs))
    assert not any(are_best("jobs", None, [1, 2, 3], runs))
    assert not any(are_best("availability", "high", [0.8, 0.9, 1.0], runs))


def test_use_that_failures_destroyed_is_not_better():
    """Where work was lost the machine is used more for less: only goodput says who is the best."""
    runs = [PLAIN, KEPT]
    assert not any(are_best("utilization", "high", [0.5, 0.7], runs))
    assert are_best("goodput", "high", [0.45, 0.5], runs) == [False, True]


def test_what_a_run_without_changes_would_have():
    """All was there, nothing was lost, and all that was used is goodput."""
    assert [value_of(name, PLAIN) for name in ("goodput", "availability", "node_failures")] == [0.5, 1, 0]
    assert value_of("availability", KEPT) == 1
    assert value_of("goodput", LOSER) == 0.4
    assert math.isnan(value_of("mttr", PLAIN))


@pytest.mark.parametrize(
    ("name", "said"), [("goodput", True), ("availability", False), ("incomplete_jobs", True), ("mttr", False)]
)
def test_what_tells_runs_from_one_without_changes(name, said):
    """A column is worth its room if some run's value is not that of a machine that never changes."""
    assert tells(name, [PLAIN, LOSER]) is said
    assert not tells(name, [PLAIN])
