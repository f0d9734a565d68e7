"""The grid study's claims are judged by computation."""

from __future__ import annotations

import dataclasses

import pytest

from echelon.reproduce.grid.claims.all_claims import judge_claims
from echelon.reproduce.grid.data import METRICS, NINE
from echelon.reproduce.grid.load_listings import verdicts_listing
from echelon.reproduce.grid.two_levels import TwoLevels


def verdicts(evidence):
    return {claim.name: claim.verdict for claim in judge_claims(evidence)}


@pytest.mark.slow
def test_of_the_printed_numbers(as_printed):
    """Values that give the printed tables bear out the claims about them, and refute T3."""
    found = verdicts(as_printed)
    two_levels = {name for name in found if name.startswith(("C1", "C2a", "C2b", "C3", "C4", "C5", "C6"))}
    assert not [name for name in two_levels if len(name) == 3 and found[name] != "holds" and name != "C2c"]
    assert found["T3"] == "does not hold"
    assert found["T1"] == found["T5a"] == found["T5b"] == found["T6"] == found["C9a"] == "holds"
    assert (
        found["T8"] == found["T9"] == found["T10"] == found["T11"] == found["T12"] == found["T13"] == "holds"
    )
    assert found["C2c"] == "not testable"
    assert found["T14"] == "holds"


def test_other_numbers_other_verdicts(as_printed):
    """Where all strategies are alike, nobody leads, nobody is last by a factor, nothing is improved."""
    alike = {
        grid: TwoLevels(*(1 + 0 * part for part in (found.without, found.with_)))
        for grid, found in as_printed.two.items()
    }
    found = verdicts(dataclasses.replace(as_printed, two=alike))
    wrong = {"C1a", "C1b", "C1c", "C1d", "C1e", "C2a", "C3a", "C3b", "C3c", "C4c", "C5b", "C6c"}
    assert {found[name] for name in wrong} == {"does not hold"}
    assert found["C4a"] == found["C4b"] == "holds"


@pytest.mark.parametrize(
    "name", ["C1b", "C1d", "C1e", "C2b", "C3b", "C3c", "C4b", "C6e", "C8b", "C9b", "C11b", "T12"]
)
def test_what_needs_a_missing_log_is_not_testable(without_grid_2, name):
    """A claim about Grid 2, or all grids, says why it is not testable; one about Grid 1 is judged."""
    found = {claim.name: claim for claim in judge_claims(without_grid_2)}
    assert found[name].verdict == "not testable"
    assert "its logs are missing" in found[name].finding
    assert found["C1a"].verdict == "holds"


def exact_with(evidence, faster):
    """Return Grid 1 with the waits of these strategies halved."""
    values = evidence.two["Grid 1"].without.copy()
    for name in faster:
        values[METRICS.index("t_w"), :, NINE.index(name)] /= 2
    return TwoLevels(values, values)


@pytest.mark.slow
def test_exact_estimates_are_judged_strategy_by_strategy(as_printed):
    """Where MST alone waits less with exact times, the claim that estimates are why holds in part."""
    found = judge_claims(dataclasses.replace(as_printed, exact=exact_with(as_printed, ["MST"])))
    claim = next(one for one in found if one.name == "C2c")
    assert claim.verdict == "holds in part"
    outcomes = {text.split()[3]: outcome for text, outcome in claim.statements}
    assert outcomes == {"MST": "holds", **dict.fromkeys(("MCT", "MWWT_S", "MWT", "MLB"), "does not hold")}


@pytest.mark.slow
def test_verdicts_at_the_other_load_stand_beside_those_as_read(as_printed):
    """A claim whose verdict another load changes says so; its own verdict stays; a listing has both."""
    values = as_printed.two["Grid 1"]
    alike = TwoLevels(1 + 0 * values.without, 1 + 0 * values.with_)
    loaded = dataclasses.replace(as_printed, two={**as_printed.two, "Grid 1": alike})
    evidence = dataclasses.replace(as_printed, loaded=loaded)
    claims = {one.name: one for one in judge_claims(evidence)}
    assert claims["C1a"].verdict == "holds"
    assert claims["C1a"].finding.endswith("With run times x 0.5: does not hold.")
    assert "run times x" not in claims["C4a"].finding
    rows = {row[0]: row for row in verdicts_listing(evidence).rows}
    assert rows["C1a"][2:4] == ("holds", "does not hold")
    assert rows["C4a"][2:4] == ("holds", "the same")
    assert not [name for name in rows if name in ("C1b", "C5a")]


@pytest.mark.slow
def test_what_can_not_fail_is_no_statement(as_printed):
    """Sites steal from smaller ones alone, and theorem 4 gives numbers without a formula: not counted."""
    claims = {one.name: one for one in judge_claims(as_printed)}
    assert [len(claims[name].statements) for name in ("T5a", "T5b", "C7a")] == [1, 1, 1]
    # Nor is the best by rho compared with itself: seven strategies are left of Grid 1, six rivals of one.
    assert len(claims["C4a"].statements) == 6
    assert not [text for text, _ in claims["T5a"].statements if "largest" in text]


def test_too_few_weeks_decide_nothing(as_printed):
    """With a single week no comparison of strategies is decided, but for facts of the logs."""
    one = {
        grid: TwoLevels(found.without[:, :1], found.with_[:, :1]) for grid, found in as_printed.two.items()
    }
    found = verdicts(dataclasses.replace(as_printed, two=one))
    assert {found[name] for name in ("C1a", "C1c", "C2a", "C3a", "C5b", "C6a", "T2")} == {"not decided"}
    assert found["T9"] == found["C7b"] == "holds"
