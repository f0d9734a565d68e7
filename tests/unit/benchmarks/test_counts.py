"""Counted work: what each policy costs on the bundled log, gated where seconds cannot be.

The figures are the compiled engine's on KTH-SP2. Less work is welcome: lower the figure then. More fails.
Segments are boundaries of the profile that were read or changed.
"""

from __future__ import annotations

import pytest

from echelon.engine.compiled import simulate
from echelon.engine.contract import Scenario
from echelon.model import Instance, Schedule
from echelon.policies import policy_named
from echelon.workloads import read_workload

EVENTS = 2 * 28_467
MOST = {
    "fcfs": {"passes": 55_684, "examined": 0, "segments": 0},
    "first-fit": {"passes": 56_265, "examined": 94_707, "segments": 0},
    "easy": {"passes": 56_249, "examined": 139_994, "segments": 0},
    "easy:shortest-first": {"passes": 56_163, "examined": 85_109, "segments": 0},
    "easy:reservations=2": {"passes": 56_212, "examined": 394_503, "segments": 1_873_370},
    "conservative": {"passes": 56_243, "examined": 298_545, "segments": 2_271_783},
    "plan": {"passes": 56_211, "examined": 457_762, "segments": 8_378_262},
}


@pytest.fixture(scope="module")
def kth() -> Instance:
    """Return the bundled log on its machine."""
    return Instance.of(read_workload("kth-sp2"), 100)


def run(instance: Instance, policy: str) -> Schedule:
    return simulate(Scenario(instance, policy_named(policy)))


@pytest.mark.parametrize("policy", MOST)
def test_a_policy_does_no_more_work_than_it_did(kth: Instance, policy: str):
    """Passes, jobs examined and profile segments on KTH-SP2 stay at or below the known figures."""
    counts = run(kth, policy).counts
    assert {name: most for name, most in MOST[policy].items() if counts[name] > most} == {}, dict(counts)


@pytest.mark.parametrize("policy", MOST)
def test_every_job_is_submitted_and_ends_once(kth: Instance, policy: str):
    """A run of KTH-SP2 has exactly two events a job, whatever the policy."""
    assert run(kth, policy).counts["events"] == EVENTS
