"""Simulated jobs on a node that fails take as long as a closed form expects.

One job after the other runs on one node whose failures are exponential and have no memory, so that the times
from first start to end are independent: their mean must be within its own 99 % interval of the expected time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

import echelon as ec
from echelon.availability import CheckpointRule, expected_time
from echelon.model.machines.outages import OutageKind, Outages

NONE = CheckpointRule("none")


class Case(NamedTuple):
    """Work, checkpoints, time between failures, downtime and the expected time, in seconds."""

    work: float
    rule: CheckpointRule
    mtbf: float
    downtime: float
    expected: float


CASES = (
    Case(3_600, NONE, 86_400, 0, 3_676.053),
    Case(86_400, NONE, 86_400, 0, 148_459.55),
    Case(86_400, NONE, 86_400, 3_600, 154_645.365),
    Case(172_800, NONE, 86_400, 600, 555_847.881),
    Case(36_000, CheckpointRule(3_600, cost=60, restart=120), 7_200, 600, 52_435.47),
    Case(86_400, CheckpointRule(6_573.95, cost=300, restart=300), 86_400, 600, 94_937.62),
    Case(86_400, NONE, 86_400, 600, 149_490.52),
)


def failures(case: Case, jobs: int) -> Outages:
    """Return failures of one node until long after the last of so many jobs should have ended."""
    horizon = 1.2 * jobs * case.expected + 100 * case.mtbf
    rng = np.random.default_rng(20_000)
    gaps = rng.exponential(case.mtbf, size=int(1.1 * horizon / (case.mtbf + case.downtime)))
    starts = np.cumsum(gaps) + case.downtime * np.arange(len(gaps))
    assert starts[-1] > horizon
    return Outages.of(
        (start, start + case.downtime, (0,), OutageKind.FAIL, -math.inf, 0) for start in starts.tolist()
    )


def walls(case: Case, jobs: int, engine: str, **failing: object) -> np.ndarray:
    """Return the times from first start to end of so many jobs that run one after the other."""
    workload = ec.Workload.from_columns(
        submit_time=[0] * jobs,
        run_time=[case.work] * jobs,
        requested_time=[case.work] * jobs,
        processors=[1] * jobs,
    )
    one = {"processors": 1, "policy": "fcfs", "engine": engine}
    schedule = ec.simulate(workload, checkpoint=case.rule, **one, **failing).schedule
    first = np.full(jobs, np.inf)
    np.minimum.at(first, schedule.attempts.job, schedule.attempts.start)
    # One after the other, but for what the clock's last digits lose.
    assert np.diff(np.sort(schedule.end_time)).min() > case.work - 1e-3
    return schedule.end_time - first


def is_expected(case: Case, found: np.ndarray) -> bool:
    """Return whether the mean of times is within its 99 % interval of the expected time."""
    return abs(found.mean() - case.expected) <= 2.576 * found.std(ddof=1) / math.sqrt(len(found))


@pytest.mark.parametrize("case", CASES)
def test_the_table_is_that_of_the_closed_form(case):
    """The expected times here are those that `expected_time` gives."""
    found = expected_time(case.work, case.rule.of(1), case.mtbf, case.downtime)
    assert found == pytest.approx(case.expected, abs=0.005)


@pytest.mark.parametrize("case", CASES)
def test_twenty_thousand_jobs(case):
    """The mean time of 20,000 consecutive jobs is within its 99 % interval of the expected time."""
    assert is_expected(case, walls(case, 20_000, "compiled", outages=failures(case, 20_000)))


@pytest.mark.parametrize("case", CASES)
def test_both_engines(case):
    """The first 200 jobs take as long in the reference engine, job by job."""
    failing = failures(case, 200)
    found, same = (walls(case, 200, engine, outages=failing) for engine in ("compiled", "reference"))
    assert (found == same).all()


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_failures_by_a_law(engine):
    """Jobs on a node that fails by an exponential law and is repaired by a constant one are the same."""
    case = CASES[-1]
    law = {
        "failures": f"exponential:mean={case.mtbf}",
        "repair_times": f"constant:{case.downtime}",
        "seed": 1,
    }
    assert is_expected(case, walls(case, 1_000, engine, **law))


def test_another_mean_time_is_found():
    """Jobs are not within the interval of a time a fiftieth longer than expected."""
    case = CASES[1]
    found = walls(case, 20_000, "compiled", outages=failures(case, 20_000))
    assert not is_expected(case._replace(expected=1.02 * case.expected), found)
