"""Claims of the SINAPAD study: judged by numbers, each way."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from echelon.reproduce.parts import Part, against, settled
from echelon.reproduce.sinapad.claims import judged
from echelon.reproduce.sinapad.evidence import Case, DecisionCost
from echelon.reproduce.sinapad.orders import below, below_everywhere, saved
from echelon.reproduce.sinapad.setups import DEVIATION, EXECUTION, MAKESPAN, REPLICATED


def verdicts(evidence):
    """Return the verdict of each claim by name."""
    return {claim.name: claim.verdict for claim in judged(evidence)}


CONTRADICTED = {"C12", "C13", "C14", "C20"}
"""Sentences that say another thing than the results: CPULoad is worse than Random where jobs come at once."""


def test_all_claims_hold_on_what_is_told(as_told):
    """C1 to C22, in order: on numbers with the orders told hold all but what contradicts them."""
    claims = judged(as_told)
    assert [claim.name for claim in claims] == [f"C{number}" for number in range(1, 23)]
    found = {claim.name: claim.verdict for claim in claims if claim.verdict != "holds"}
    assert found == {**dict.fromkeys(CONTRADICTED, "does not hold"), "C22": "explanation only"}


def test_what_is_contradicted_can_hold(as_told):
    """Where CPULoad is good at once and Random is worst, the abstract is right."""
    good = changed(as_told, ["CPULoad"], "simultaneous", 0.3)
    assert verdicts(good)["C12"] == verdicts(good)["C13"] == "holds"
    printed = changed(good, ["Random"], "every 20 s", 0.1)
    assert verdicts(printed)["C14"] == "holds"


def test_few_noisy_repetitions_tell_nothing(as_told):
    """What chance could be is neither so nor not so, for all claims on execution times."""
    noise = np.array([0.2, 3.0, 0.5, 2.0, 1.0])
    study = {
        case: values * np.roll(noise, place)[:, None]
        for place, (case, values) in enumerate(as_told.study.items())
    }
    found = verdicts(dataclasses.replace(as_told, study=study))
    assert {found[name] for name in ("C1", "C2", "C3", "C5", "C7", "C8", "C13", "C15")} == {"not testable"}


def test_parts_settle_a_claim():
    """All so: it holds; one refuted although so many are tested: it does not; else nobody can tell."""
    so, doubtful, wrong = Part("a", holds=True), Part("b", holds=False, against=0.03), Part("c", holds=False)
    assert settled([so, so]) == ("holds", "So: a; a")
    assert settled([so, doubtful]) == ("not testable", "So: a. Too few repetitions to tell: b")
    assert settled([doubtful])[0] == "does not hold"
    assert settled([so, doubtful, wrong]) == (
        "does not hold",
        "So: a. Not so: c. Too few repetitions to tell: b",
    )


def test_what_speaks_against():
    """The p-value of t to both sides if the mean is below 0, else nothing; without noise all."""
    assert against(np.array([1.0, -0.5])) == 1
    assert against(np.array([-1.0, -1.0])) == 0
    # t = -1 / (1 / sqrt 3) with 2 degrees of freedom: 2 (1/2 - t / (2 sqrt(2 + t²))).
    assert against(np.array([0.0, -1.0, -2.0])) == pytest.approx(1 - np.sqrt(3 / 5))


def test_scenarios_are_counted():
    """Those where it is above or not told apart are named."""
    values = {"RH": (5.0, 4.0, 3.0), "RAU": (1.0, 2.0, 9.0)}

    def of(scenario, _, policy):
        return np.full(3, 4.0) if policy == "b" else np.array(values.get(scenario, (1.0, 1.0, 1.0)))

    part = below_everywhere(of, "a", "b", "at once")
    assert part.says == "at once: a is below b in 6 of 8 scenarios, not told apart in RH, RAU"
    assert not part.holds


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
        ("C8", lambda told: changed(told, ["LotteryWithLoad"], None, 1.5)),
        ("C9", lambda told: changed(told, ["Random"], None, 5, scenarios=["RH"])),
        ("C10", lambda told: dataclasses.replace(told, cost=dict.fromkeys(told.cost, cheap()))),
        ("C11", lambda told: paced(told, lambda key: 1 + key.decision)),
        ("C15", lambda told: changed(told, ["CPULoad"], "every 20 s", 1.3, scenarios=["RAE"])),
        ("C16", lambda told: changed(told, ["WallTime"], None, 10, column=DEVIATION)),
        ("C17", lambda told: changed(told, ["WallTime"], None, 10, column=MAKESPAN)),
        ("C18", lambda told: paced(told, lambda key: 2 - key.decision)),
        ("C19", lambda told: dataclasses.replace(told, cost=dict.fromkeys(told.cost, cheap()))),
        ("C21", lambda told: without_waste(told)),
    ],
)
def test_each_claim_can_fail(as_told, name, change):
    """Evidence against one claim is told so."""
    assert verdicts(change(as_told))[name] == "does not hold"


def paced(evidence, took):
    """Return evidence in which execution times go by the pace in another way."""
    tables = {key: np.full((5, 5), float(took(key))) for key in evidence.paced}
    return dataclasses.replace(evidence, paced=tables)


def without_waste(evidence):
    """Return evidence in which copies give work back, which is all that could refute C21."""
    tables = {key: values.copy() for key, values in evidence.extended.items()}
    for table in tables.values():
        table[:, REPLICATED] *= -1
    return dataclasses.replace(evidence, extended=tables)


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
