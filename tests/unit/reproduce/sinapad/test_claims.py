"""Claims of the SINAPAD study: judged by numbers, each way."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from echelon.reproduce.sinapad.claims import below, judged, saved
from echelon.reproduce.sinapad.evidence import Case, DecisionCost
from echelon.reproduce.sinapad.setups import DEVIATION, EXECUTION


def verdicts(evidence):
    """Return the verdict of each claim by name."""
    return {claim.name: claim.verdict for claim in judged(evidence)}


def test_all_claims_hold_on_what_is_told(as_told):
    """C1 to C11, in order, hold on numbers with the orders that the text tells."""
    claims = judged(as_told)
    assert [claim.name for claim in claims] == [f"C{number}" for number in range(1, 12)]
    assert {claim.name: claim.finding for claim in claims if claim.verdict != "holds"} == {}


def changed(evidence, policies, mode, factor, *, column=EXECUTION, scenarios=None):
    """Return evidence in which a measure of some policies is other in one way of submission."""
    study = {}
    for case, values in evidence.study.items():
        table = values.copy()
        there = scenarios is None or case.scenario in scenarios
        if case.policy in policies and mode in (case.mode, None) and there:
            table[:, column] *= factor
        study[case] = table
    return dataclasses.replace(evidence, study=study)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("C1", lambda told: changed(told, ["WallTime"], None, 10)),
        ("C2", lambda told: changed(told, ["Lottery"], None, 0.01, column=DEVIATION, scenarios=["RAD"])),
        ("C3", lambda told: changed(told, ["Lottery"], "simultaneous", 0.7, scenarios=["RAU"])),
        (
            "C4",
            lambda told: changed(told, ["LotteryWithLoad"], "simultaneous", 0.9, scenarios=["RAU", "RAB"]),
        ),
        ("C5", lambda told: changed(told, ["CPULoad"], "every 20 s", 1.3, scenarios=["RAE"])),
        ("C6", lambda told: changed(told, ["CPULoad"], "simultaneous", 0.1, scenarios=["RH"])),
        ("C7", lambda told: changed(told, ["Lottery"], "every 20 s", 0.8, scenarios=["RH"])),
        ("C8", lambda told: changed(told, ["LotteryWithLoad"], None, 1.2)),
        ("C9", lambda told: changed(told, ["Random"], None, 5, scenarios=["RH"])),
        ("C10", lambda told: dataclasses.replace(told, cost=dict.fromkeys(told.cost, cheap()))),
        ("C11", lambda told: dataclasses.replace(told, paced=dict.fromkeys(told.paced, np.ones((5, 5))))),
    ],
)
def test_each_claim_can_fail(as_told, name, change):
    """Evidence against one claim is told so."""
    assert verdicts(change(as_told))[name] == "does not hold"


def cheap():
    """Return a decision that costs as much as all others."""
    return DecisionCost(np.ones(5), np.ones(5))


def test_savings_are_of_means():
    """A difference is in percent of the mean over seeds, and its interval that of pairs."""
    ours, theirs = np.array([1.0, 3.0]), np.array([2.0, 6.0])
    assert saved(ours, theirs).mean == pytest.approx(50)
    same = np.array([5.0, 5.0, 5.0])
    assert not below(("a", "b"), (same, same)).holds
    assert below(("a", "b"), (same - 1, same)).says == "a is 20.0 % (20.0 to 20.0 %) below b"
    assert "above b" in below(("a", "b"), (same + 1, same)).says


def test_a_tie_is_no_defeat(as_told):
    """WallTime stays best where another one is as good."""
    best = as_told.study[Case("RH", "every 20 s", "WallTime")]
    study = {**as_told.study, Case("RH", "every 20 s", "CPULoad"): best}
    assert verdicts(dataclasses.replace(as_told, study=study))["C1"] == "holds"
