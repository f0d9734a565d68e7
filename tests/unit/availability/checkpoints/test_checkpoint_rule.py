"""How a run is asked for checkpoints, and which ones its jobs write."""

from __future__ import annotations

import math

import pytest

from echelon.availability import Changes, Checkpoint, CheckpointRule, daly_interval, optimal_interval
from echelon.availability.exposure import Exposure, Hits
from echelon.errors import InputError, UnknownNameError


def test_the_interval_is_of_the_job():
    """A formula is given the time between failures of a node over the nodes of the job."""
    rule = CheckpointRule("optimal", cost=60, restart=30, node_mtbf=1e6)
    assert rule.of(1) == Checkpoint(optimal_interval(60, 1e6), 60, 30)
    assert rule.of(8) == Checkpoint(optimal_interval(60, 1e6 / 8), 60, 30)


def test_a_time_between_failures_of_jobs_is_of_all_jobs():
    """If it is said, it is that of every job, however many nodes it has and however often these fail."""
    rule = CheckpointRule("daly", cost=60, mtbf=21_600, node_mtbf=5.0)
    assert rule.of(1) == rule.of(64) == Checkpoint(daly_interval(60, 21_600), 60)


def test_seconds_are_of_all_jobs():
    """An interval in seconds needs no time between failures."""
    rule = CheckpointRule(3600, cost=5, restart=10)
    assert not rule.needs_exposure
    assert rule.of(1) == rule.of(100) == Checkpoint(3600, 5, 10)


def test_none_writes_none_but_restarts():
    """Without checkpoints an attempt after a failure still begins with the restart."""
    checkpoint = CheckpointRule("none", cost=5, restart=10).of(3)
    assert checkpoint == Checkpoint(math.inf, 5, 10)
    assert checkpoint.length(1000, again=True) == 1010


def test_nodes_that_never_fail():
    """Where no node fails, a formula gives no checkpoint."""
    assert CheckpointRule("young", cost=5, node_mtbf=math.inf).of(4).interval == math.inf


def test_the_time_between_failures_is_asked_for():
    """A formula without it says so before a run, and refuses to work out an interval."""
    rule = CheckpointRule("young", cost=5)
    assert rule.needs_exposure
    with pytest.raises(InputError, match=r"checkpoint-mtbf: is needed for the interval 'young'"):
        rule.of(1)
    known = rule.with_exposure(Exposure((Hits(1 / 1000, 1, 1000),)))
    assert not known.needs_exposure
    assert known.of(10).interval == pytest.approx(math.sqrt(2 * 5 * 100_000))


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"interval": "daly"}, "checkpoint-cost"),
        ({"interval": "daly", "cost": -1}, "checkpoint-cost"),
        ({"interval": 0}, "checkpoint"),
        ({"interval": math.nan}, "checkpoint"),
        ({"interval": 5, "restart": -1}, "restart-cost"),
        ({"interval": 5, "mtbf": 0}, "checkpoint-mtbf"),
        ({"interval": 5, "node_mtbf": -5}, "node_mtbf"),
    ],
)
def test_what_is_no_time_is_refused(spec, field):
    """A number out of its range is an error that names its setting."""
    with pytest.raises(InputError, match=f"^{field}: "):
        CheckpointRule(**spec)


def test_an_unknown_word_is_refused():
    """A word that is no rule is an error with the nearest one."""
    with pytest.raises(UnknownNameError, match="did you mean 'daly'"):
        CheckpointRule("dally", cost=5)


def test_changes_hold_the_rule():
    """What changes of a machine has the rule, of which each job takes its own."""
    changes = Changes(checkpoint=CheckpointRule(30, cost=5, restart=10))
    assert changes.checkpoint.of(2).length(70, again=True) == 90
