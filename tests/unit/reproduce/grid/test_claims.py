"""The grid study's claims are judged by computation."""

from __future__ import annotations

import dataclasses

import pytest

from echelon.reproduce.grid.claims import judged
from echelon.reproduce.grid.two_levels import TwoLevels


def verdicts(evidence):
    return {claim.name: claim.verdict for claim in judged(evidence)}


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
    found = {claim.name: claim for claim in judged(without_grid_2)}
    assert found[name].verdict == "not testable"
    assert "its logs are missing" in found[name].finding
    assert found["C1a"].verdict == "holds"
