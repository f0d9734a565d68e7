"""What `view.shadow` says where processors or nodes are closed at times: to the rules of users, too."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.unit.engine.closed_nodes import SHAPES, Changes, outages, scenario_of, workload

from echelon.engine import reference
from echelon.model import Reservation
from echelon.policies import Policy, Start


class Noting:
    """Starts what fits; notes the shadow of each of some sizes at the first cycle."""

    name = "noting"

    def __init__(self, *sizes):
        self.sizes, self.seen = sizes, None

    def decide(self, view):
        """Start all jobs that fit, and look ahead then."""
        for job in view.queue:
            if view.fits(job):
                yield Start(job)
        if self.seen is None:
            self.seen = [view.shadow(size) for size in self.sizes]


def seen(shape, changes, *jobs, sizes=(1, 2, 3, 4)):
    """Return the shadows on four nodes when the jobs that fit have started at 0 s."""
    rule = Noting(*sizes)
    scenario = scenario_of(shape, 4, workload(*jobs), changes, "fcfs")
    reference.simulate(replace(scenario, policy=Policy.of(scenario.policy.order, rule)))
    return rule.seen


@pytest.mark.parametrize("shape", SHAPES)
def test_closed_nodes_are_not_free(shape):
    """Node 1 is busy to 10 s, nodes 2 and 3 are drained to 20 s: one is free, two at 10 s, four at 20 s."""
    drained = Changes(outages=outages(("drain", 0, 20, (2, 3))))
    assert seen(shape, drained, (0, 10, 1)) == [(0, 0), (10, 0), (20, 1), (20, 0)]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_closed_later_is_not_free_then(shape):
    """Node 1 is busy to 10 s, when all are maintained to 30 s: four are free then, not at 10 s."""
    closed = Changes(outages=outages(("maintenance", 10, 30, (1, 2, 3, 4))))
    assert seen(shape, closed, (0, 10, 1), sizes=(3, 4)) == [(0, 0), (30, 0)]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_never_opens_is_never_free(shape):
    """Node 4 is closed for good, and reserved nodes are not free to all before 50 s."""
    closed = Changes(
        outages=outages(("drain", 0, math.inf, (4,))),
        reservations=(Reservation("kept", 0.0, 50.0, (1, 2), 0, users=("9",)),),
    )
    assert seen(shape, closed, (0, 10, 1), sizes=(1, 3, 4)) == [(10, 0), (50, 0), (math.inf, 0)]
