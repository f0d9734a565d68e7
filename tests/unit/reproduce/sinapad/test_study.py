"""The reproduction of the SINAPAD study as a whole, on a small scale."""

from __future__ import annotations

import json

import numpy as np
import pytest

from echelon.reproduce import STUDIES
from echelon.reproduce.sinapad import experiments
from echelon.reproduce.sinapad.data import decision_times, print_against_itself, read_independent
from echelon.reproduce.sinapad.decisions import decision_costs
from echelon.reproduce.sinapad.evidence import Case, Evidence
from echelon.reproduce.sinapad.experiments import SinapadSettings
from echelon.reproduce.sinapad.listings import errors_apart
from echelon.reproduce.sinapad.setups import EXECUTION, POLICIES, measures_of, schedule_of, study_setup
from echelon.reproduce.sinapad.study import PUBLISHED

pytestmark = pytest.mark.slow

SEEDS = 2


@pytest.fixture(scope="module")
def found() -> Evidence:
    """Run two repetitions in this process, with few cases of what is set beside them.

    Of these, and of what is submitted at once, no time is looked at: they have ten jobs each.
    """

    def small(setup):
        return setup._replace(jobs=f"{setup.jobs}:jobs=10")

    def run(setups, look=lambda setup: False):
        sized = {case: setup if look(setup) else small(setup) for case, setup in setups.items()}
        different = dict.fromkeys(sized.values())
        tables = {
            setup: np.array([measures_of(schedule_of(setup, s)) for s in range(SEEDS)]) for setup in different
        }
        return {case: tables[setup] for case, setup in sized.items()}

    def one_by_one(setup):
        return setup.interval > 0

    return Evidence(
        study=run(experiments.study_cases(), one_by_one),
        paced=run(experiments.paced_cases()),
        orders=run(experiments.order_cases(), one_by_one),
        readings=run(experiments.reading_cases(quick=True)),
        extended=run(experiments.extended_cases(quick=True)),
        cost=decision_costs(2),
    )


def test_the_whole(found):
    """Figures, claims, tables and pictures are there, and go into JSON."""
    whole = PUBLISHED.reproduction(found, SinapadSettings(SEEDS, quick=True), 1.0)
    assert len(whole.claims) == 22
    told = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    names = [listing["name"] for listing in told["listings"]]
    assert len(set(names)) == len(names) == 17
    by_name = dict(zip(names, told["listings"], strict=True))
    assert len(by_name["execution-simultaneous"]["rows"]) == 32
    assert by_name["scenarios"]["rows"][-1] == ["RAE", "RBE", "high", 8, 0, 0, 2, 10, 8.25]
    assert len(by_name["independent"]["rows"]) == 80
    assert len(by_name["jobs-chains-jobs"]["rows"]) == 13
    assert len(whole.pictures) == 5
    assert whole.pictures[0].intervals.keys() == whole.pictures[0].bars.keys()
    assert len(by_name["machine-orders-times"]["rows"]) == 32
    assert len(by_name["machine-orders-second"]["rows"]) == 24
    assert STUDIES["sinapad"].settings == ("seeds", "quick")


def test_nothing_printed_is_compared(found):
    """Ratios of printed decision times are no reproduction: no figure is counted, and the verdict says so."""
    whole = PUBLISHED.reproduction(found, SinapadSettings(SEEDS, quick=True), 1.0)
    assert not whole.counted
    assert whole.verdict.startswith("No printed value is compared. Of 22 claims: ")
    assert whole.conclusion.startswith("Nothing that it printed can be compared")


def test_the_print_against_itself():
    """Table 2 gives 2.42 and 2.46 for the 2.4 of the text, and another slowest policy than the abstract."""
    rows = print_against_itself().rows
    assert [row[-1] for row in rows] == ["over Random only", "yes", "yes", "yes", "no", "yes"]
    assert rows[0][2] == "774 / 320 = 2.42 over Random, 774 / 315 = 2.46 over CPULoad"


def test_the_order_of_machines_moves_the_load_policy(found):
    """In RAE, one every 20 s, a list that begins with the fast machines is all that CPULoad needs."""
    case = Case("RAE", "every 20 s", "CPULoad")
    means = {
        name: found.with_order(name).study[case][:, EXECUTION].mean()
        for name in ("any order", "fastest first")
    }
    assert means["fastest first"] == pytest.approx(60, rel=0.05)
    assert means["any order"] > 1.2 * means["fastest first"]


def test_the_best_policy_is_the_best(found):
    """Even two repetitions have WallTime ahead by far where machines differ and jobs come one by one."""
    for scenario in ("RAU", "RAB", "RAE", "RBU"):
        means = {
            policy: found.study[Case(scenario, "every 20 s", policy)][:, EXECUTION].mean()
            for policy in POLICIES
        }
        assert min(means, key=means.__getitem__) == "WallTime"


def test_what_an_independent_program_gives():
    """Twelve repetitions of policies that vary little are within noise of another author's means."""
    theirs = read_independent()
    for scenario, mode, policy in (
        *((scenario, "simultaneous", "WallTime") for scenario in ("RH", "RBU", "RAU", "RAE")),
        *((scenario, "every 20 s", "WallTime") for scenario in ("RH", "RBD", "RAB")),
        ("RH", "simultaneous", "CPULoad"),
        ("RAB", "simultaneous", "LotteryWithLoad"),
    ):
        setup = study_setup(scenario, mode, policy)
        ours = np.array([measures_of(schedule_of(setup, seed))[EXECUTION] for seed in range(12)])
        assert abs(errors_apart(ours, float(theirs[mode, scenario, policy][0]))) < 5


def test_errors_apart():
    """Half a second is rounding, and what never varies is the same or infinitely far."""
    assert errors_apart(np.array([60.2, 60.2]), 60.0) == 0
    assert errors_apart(np.array([62.0, 62.0]), 60.0) == np.inf
    assert errors_apart(np.array([59.0, 61.0]), 70.0) < -5


def test_printed_numbers():
    """Table 2 is as printed, and decisions take as long in the runs."""
    assert decision_times()["LotteryWithLoad"] == 831
    assert {name: round(1000 * seconds) for name, (_, seconds) in POLICIES.items()} == decision_times()
    assert len(read_independent()) == 80


def test_decisions_cost_time():
    """A rule that asks nothing is cheaper than one that estimates every load."""
    cost = decision_costs(3)
    assert all(len(one.rule) == len(one.selection) == 3 for one in cost.values())
    assert cost["Random"].rule[0] < cost["WallTime"].rule[0]
    assert all(found.selection[0] > 0 for found in cost.values())
