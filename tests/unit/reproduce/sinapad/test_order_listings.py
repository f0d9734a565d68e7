"""Tables of what the order of machines changes in the SINAPAD study."""

from __future__ import annotations

import dataclasses

import pytest

from echelon.reproduce.sinapad.evidence import Case, Reading
from echelon.reproduce.sinapad.order_listings import order_listings
from echelon.reproduce.sinapad.setups import INTERLEAVED


@pytest.fixture
def listings(as_told):
    """Return the tables by name, if CPULoad takes 1.3 times as long in RAE with the slowest machine first."""
    case = Case("RAE", INTERLEAVED, "CPULoad")
    slower = {Reading("slowest first", case): 1.3 * as_told.study[case]}
    found = order_listings(dataclasses.replace(as_told, orders=slower))
    return {listing.name: listing for listing in found}


@pytest.mark.slow
def test_claims_that_the_order_changes_are_listed(listings):
    """C5 and C15 hold with three orders, and in 7 of 8 statements with the fourth; no other changes."""
    holds, in_part = "holds (8 of 8)", "holds in part (7 of 8)"
    assert listings["machine-orders-claims"].rows == tuple(
        (name, holds, holds, in_part, holds) for name in ("C5", "C15")
    )
    assert "All other 19 claims" in listings["machine-orders-claims"].note


@pytest.mark.slow
def test_each_mix_has_its_outcomes(listings):
    """In RAE, the last of eight mixes, both claims are refuted with the slowest machine first."""
    rows = listings["machine-orders-second"].rows
    assert len(rows) == 24
    assert [row[2:] for row in rows[-3:-1]] == [("holds", "holds", "does not hold", "holds")] * 2
    assert rows[-1][2].startswith("20.0 % (20.0 to 20.0 %)")


@pytest.mark.slow
def test_the_largest_change_is_told_with_its_numbers(listings):
    """CPULoad one by one goes from 64 s to 83.2 s in RAE, by 30 %, and the note says so."""
    note = listings["machine-orders-times"].note
    assert "changes most in RAE, from 64.0 to 83.2 s (+30.0 %) with the slowest machine listed first." in note
