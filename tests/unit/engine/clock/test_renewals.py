"""Tests of renewals: estimates of repairs that pass again and again cost nothing and change nothing."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.unit.engine.changing import SHAPES, attempts_of, run

from echelon.engine.clock.simulation import Renewals

FAR = 1e9


def every_renewal(self, release):
    """Return what `Renewals.next_time` would if every renewal had an instant of its own."""
    return min(release, self._course.next_time)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spec", ["none", "easy", "conservative"])
def test_a_node_that_stays_down_takes_few_cycles(shape, spec):
    """Two jobs wait for 31 years for a node that is expected every 5 minutes: some dozens of cycles do."""
    jobs = [(0, 50, 1, 60), (10, 100, 4, 400), (20, 70, 3, 500)]
    schedule = run(shape, spec, 4, jobs, (5, FAR, [3]), (150, FAR + 40, [2]), repair=300.0)
    assert schedule.start_time[1] == FAR + 40
    assert schedule.counts["passes"] < 100


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["counted", "nodes", "grid"])
@pytest.mark.parametrize("spec", ["none", "easy", "conservative", "easy:wfp3"])
def test_no_schedule_depends_on_renewals_that_are_left_out(shape, spec, monkeypatch):
    """Random runs with long outages and gaps are the same with an instant for every single renewal."""
    draw = random.Random(7)
    for _ in range(6):
        jobs = []
        for _ in range(draw.randint(3, 9)):
            length = draw.randint(5, 80)
            asked = length + draw.choice((0, 30, 100))
            jobs.append(
                (draw.choice((0, 60, 700, 2500)) + draw.randint(0, 40), length, draw.randint(1, 4), asked)
            )
        jobs.sort()
        down = [
            (begin := draw.randint(0, 400), begin + draw.choice((30, 333, 1500, 4000)), [node])
            for node in draw.sample(range(4), 3)
        ]
        repair = float(draw.choice((20, 37, 90)))
        found = run(shape, spec, 4, jobs, *down, repair=repair)
        with monkeypatch.context() as patch:
            patch.setattr(Renewals, "next_time", every_renewal)
            expected = run(shape, spec, 4, jobs, *down, repair=repair)
        assert attempts_of(found) == attempts_of(expected)
        assert np.array_equal(found.start_time, expected.start_time)
