"""Claims of the SINAPAD study: judged by numbers, each way, and under every order of machines."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from echelon.reproduce.machinery.claims import conclude
from echelon.reproduce.machinery.statement import Statement
from echelon.reproduce.sinapad import claims
from echelon.reproduce.sinapad.claims import judge_by_order, judge_claims
from echelon.reproduce.sinapad.comparisons import below, below_everywhere, saving_of
from echelon.reproduce.sinapad.evidence import Case, DecisionCost, Reading
from echelon.reproduce.sinapad.machine_orders import ORDERS, whatever_order
from echelon.reproduce.sinapad.setups import (
    DEVIATION,
    EXECUTION,
    INTERLEAVED,
    MAKESPAN,
    MEASURES,
    POLICIES,
    REPLICATED,
)
from echelon.reproduce.sinapad.study import POINTS


def verdicts(evidence):
    """Return the verdict of each claim by name."""
    return {claim.name: claim.verdict for claim in judge_claims(evidence)}


def outcomes(evidence, name):
    """Return the outcome of each statement of a claim."""
    return [
        outcome for claim in judge_claims(evidence) if claim.name == name for _, outcome in claim.statements
    ]


CONTRADICTED = {
    "C12": "holds in part",
    "C13": "holds in part",
    "C14": "does not hold",
    "C20": "holds in part",
}
"""Sentences that say another thing than the results: CPULoad is worse than Random where jobs come at once."""


def test_all_claims_hold_on_what_is_told(as_told):
    """C1 to C22, in order: on numbers with the orders told hold all but what contradicts them."""
    judgments = judge_claims(as_told)
    assert [claim.name for claim in judgments] == [f"C{number}" for number in range(1, 23)]
    found = {claim.name: claim.verdict for claim in judgments if claim.verdict != "holds"}
    assert found == {**CONTRADICTED, "C22": "explanation only"}


def test_a_claim_of_all_scenarios_shows_each(as_told):
    """C5 and C15 have a statement a scenario, C1 and C6 one a scenario and way of submission."""
    assert [len(outcomes(as_told, name)) for name in ("C5", "C15", "C1", "C6")] == [8, 8, 16, 16]


@pytest.mark.slow
def test_what_is_contradicted_can_hold(as_told):
    """Where CPULoad is good at once and Random is worst, the abstract is right."""
    good = changed(as_told, ["CPULoad"], "simultaneous", 0.3)
    assert verdicts(good)["C12"] == verdicts(good)["C13"] == "holds"
    printed = changed(good, ["Random"], "every 20 s", 0.1)
    assert verdicts(printed)["C14"] == "holds"


@pytest.mark.slow
def test_few_noisy_repetitions_tell_nothing(as_told):
    """What chance could be is neither so nor not so, for all claims on execution times."""
    noise = np.array([0.2, 3.0, 0.5, 2.0, 1.0])
    study = {
        case: values * np.roll(noise, place)[:, None]
        for place, (case, values) in enumerate(as_told.study.items())
    }
    found = verdicts(dataclasses.replace(as_told, study=study))
    assert {found[name] for name in ("C1", "C2", "C3", "C5", "C7", "C8", "C13", "C15")} == {"not decided"}


@pytest.mark.slow
def test_noisy_timings_decide_nothing(as_told):
    """Decision times are measured, so that chance enters: where they scatter, no order of them is a fact."""
    noise = np.array([1.0, 40.0, 2.0, 60.0, 5.0])
    cost = {name: DecisionCost(np.roll(noise, place), noise) for place, name in enumerate(POLICIES)}
    found = verdicts(dataclasses.replace(as_told, cost=cost))
    assert {found[name] for name in ("C10", "C19", "C20")} == {"not decided"}


def ordered(evidence, factors, scenarios=("RAE",), mode=INTERLEAVED):
    """Return evidence in which CPULoad's times are by these factors under some orders of machines."""
    return dataclasses.replace(
        evidence,
        orders={
            Reading(order, Case(name, mode, "CPULoad")): factor * evidence.study[Case(name, mode, "CPULoad")]
            for order, factor in factors.items()
            for name in scenarios
        },
    )


@pytest.mark.slow
def test_what_one_order_of_machines_makes_false_is_not_decided(as_told):
    """C5 and C15 hold in RAE with three orders of machines, not with the slowest first: nobody can tell."""
    found = ordered(as_told, {"slowest first": 1.3})
    for name in ("C5", "C15"):
        assert outcomes(found, name) == ["holds"] * 7 + ["not decided"]
    text = next(claim for claim in judge_claims(found) if claim.name == "C15").statements[-1][0]
    assert "(does not hold with the slowest machine listed first: RAE: CPULoad is" in text


@pytest.mark.slow
def test_a_favorable_order_of_machines_saves_no_claim(as_told):
    """A statement that holds with the fastest machine first alone does not hold, nor is it refuted."""
    bad = changed(as_told, ["CPULoad"], INTERLEAVED, 1.3, scenarios=["RAE"])
    found = ordered(bad, {"fastest first": 1 / 1.3})
    assert outcomes(found, "C15") == ["holds"] * 7 + ["not decided"]
    assert [claim.statements[-1][1] for claim in judge_by_order(found)["C15"]] == [
        "does not hold",
        "holds",
        "does not hold",
        "does not hold",
    ]


@pytest.mark.slow
def test_what_no_order_of_machines_saves_does_not_hold(as_told):
    """A statement that is refuted under every order of machines does not hold."""
    bad = changed(as_told, ["CPULoad"], INTERLEAVED, 1.3, scenarios=["RAE"])
    found = ordered(bad, {"fastest first": 1.1, "slowest first": 1.2})
    assert outcomes(found, "C15") == ["holds"] * 7 + ["does not hold"]


def test_statements_are_joined_by_the_worst_of_their_p_values():
    """Of p-values 0.001 and 0.02 counts 0.02: refuted alone, not as one of three."""
    row = {
        order: [Statement(order, supported=False, against=p)]
        for order, p in zip(ORDERS, (0.001, 0.02, 0.01, 0.001), strict=True)
    }
    (one,) = whatever_order(row)
    assert one.against == 0.02
    assert (one.outcome(2), one.outcome(3)) == ("does not hold", "not decided")


@pytest.mark.slow
def test_the_conclusion_follows_the_verdicts(as_told):
    """What is said of the load alone is no longer said once the order of machines decides it."""
    assert "The load alone is second where jobs come one by one." in conclude(judge_claims(as_told), POINTS)
    doubtful = ordered(as_told, {"slowest first": 1.3})
    assert "depends on the order in which machines are listed" in conclude(judge_claims(doubtful), POINTS)


def test_scenarios_are_counted():
    """Those where it is above or not told apart are named."""
    values = {"RH": (5.0, 4.0, 3.0), "RAU": (1.0, 2.0, 9.0)}

    def of(scenario, _, policy):
        return np.full(3, 4.0) if policy == "b" else np.array(values.get(scenario, (1.0, 1.0, 1.0)))

    found = below_everywhere(of, "a", "b", "at once")
    assert found.text == "at once: a is below b in 6 of 8 scenarios, not distinguished in RH, RAU"
    assert not found.supported


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


@pytest.mark.slow
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
def test_each_claim_can_fail(as_told, name, change, monkeypatch):
    """Evidence against one claim refutes a statement of it; the other claims are not looked at."""
    monkeypatch.setattr(claims, "CLAIMS", [one for one in claims.CLAIMS if one.name == name])
    found = change(as_told)
    assert "does not hold" in outcomes(found, name)
    assert verdicts(found)[name] in {"does not hold", "holds in part"}


def paced(evidence, took):
    """Return evidence in which execution times go by the pace in another way."""
    tables = {key: np.full((5, len(MEASURES)), float(took(key))) for key in evidence.paced}
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
    assert saving_of(ours, theirs).mean == pytest.approx(50)
    same = np.array([5.0, 5.0, 5.0])
    assert not below(("a", "b"), (same, same)).supported
    assert below(("a", "b"), (same - 1, same)).text == "a is 20.0 % (20.0 to 20.0 %) below b"
    assert "above b" in below(("a", "b"), (same + 1, same)).text


@pytest.mark.slow
def test_a_tie_is_no_defeat(as_told):
    """WallTime stays best where another one is as good."""
    best = as_told.study[Case("RH", "every 20 s", "WallTime")]
    study = {**as_told.study, Case("RH", "every 20 s", "CPULoad"): best}
    assert verdicts(dataclasses.replace(as_told, study=study))["C1"] == "holds"
