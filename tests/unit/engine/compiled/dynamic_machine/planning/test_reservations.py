"""Reserved starts where the machine changes, in both engines: worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.availability import Changes
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import Instance, OutageKind, Outages, Workload
from echelon.policies import policy

ENGINES = pytest.mark.parametrize("engine", [reference, compiled])
FAIL, MAINTENANCE = OutageKind.FAIL, OutageKind.MAINTENANCE


def attempts(engine, processors, jobs, *outages, how="conservative", **changes):
    """Return (start, end) of the attempts of each job, given as (submit, run, size[, request])."""
    submit, run, size, asked = zip(*((*job, job[1])[:4] for job in jobs), strict=True)
    workload = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=asked, user=[1] * len(jobs)
    )
    rows = [(start, end, nodes, kind, known, 0) for start, end, nodes, kind, known in outages]
    scenario = Scenario(
        Instance.of(workload, processors), policy(how), changes=Changes(Outages.of(rows), **changes)
    )
    assert engine is reference or compiled.supports(scenario) is None
    found = engine.simulate(scenario).attempts
    spans = zip(found.start.tolist(), found.end.tolist(), strict=True)
    result = [[] for _ in jobs]
    for job, span in zip(found.job.tolist(), spans, strict=True):
        result[job].append(span)
    return result


@ENGINES
def test_a_slot_is_of_the_same_processors_throughout(engine):
    """From 10 on one processor is free, but not the same one: the third job waits for 20."""
    jobs = [(0, 10, 1), (0, 20, 1), (1, 15, 1)]
    shut = (20, 40, [0], MAINTENANCE, -np.inf)
    assert attempts(engine, 2, jobs, shut) == [[(0, 10)], [(0, 20)], [(20, 35)]]


@ENGINES
def test_a_failure_withdraws_all_reservations(engine):
    """The first job has lost a processor of unknown repair and gets no reservation; the second starts."""
    jobs = [(0, 100, 2), (1, 50, 1)]
    failure = (50, 60, [1], FAIL, -np.inf)
    assert attempts(engine, 2, jobs, failure) == [[(0, 50), (100, 200)], [(50, 100)]]


@ENGINES
def test_an_early_repair_moves_reservations_forward(engine):
    """The second processor was believed to return at 100: that start is reserved, and starts at 30."""
    failure = (0, 30, [1], FAIL, -np.inf)
    assert attempts(engine, 2, [(1, 10, 2)], failure, repair=100.0) == [[(30, 40)]]


@ENGINES
def test_reservations_are_made_again_when_maintenance_is_announced(engine):
    """10 is reserved for the second job; at 5 it is known that it could not end by 20."""
    jobs = [(0, 10, 1), (1, 20, 1)]
    shut = (20, 40, [0], MAINTENANCE, 5)
    assert attempts(engine, 1, jobs, shut) == [[(0, 10)], [(40, 60)]]


@ENGINES
def test_compression_in_queue_order(engine):
    """The first job ends at 10, not 50: each job moves once, the third while the fourth is still behind."""
    jobs = [(0, 10, 2, 50), (1, 20, 1), (2, 30, 2), (3, 20, 1)]
    late = (500, 510, [1], FAIL, -np.inf)
    assert attempts(engine, 2, jobs, late) == [[(0, 10)], [(10, 30)], [(70, 100)], [(10, 30)]]


@ENGINES
@pytest.mark.parametrize(
    ("how", "third", "fourth"),
    [
        ("easy", (63, 73), (3, 63)),
        ("easy:reservations=2", (30, 40), (40, 100)),
        ("plan", (30, 40), (40, 100)),
        ("conservative", (30, 40), (40, 100)),
    ],
)
def test_who_may_be_delayed(engine, how, third, fourth):
    """The last job may start beside the head, and delays the third job unless 30 is reserved for it."""
    jobs = [(0, 20, 2), (1, 10, 3), (2, 10, 4), (3, 60, 1)]
    late = (500, 510, [3], FAIL, -np.inf)
    assert attempts(engine, 4, jobs, late, how=how) == [[(0, 20)], [(20, 30)], [third], [fourth]]


@ENGINES
def test_selective_reserves_for_jobs_that_have_waited(engine):
    """Before 11 the second job has no reservation, its slowdown being below 2: the third delays it."""
    jobs = [(0, 20, 1), (1, 10, 2), (2, 40, 1)]
    late = (500, 510, [1], FAIL, -np.inf)
    found = attempts(engine, 2, jobs, late, how="selective:threshold=2")
    assert found == [[(0, 20)], [(42, 52)], [(2, 42)]]
