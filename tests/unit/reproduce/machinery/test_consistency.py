"""Printed numbers that should follow from each other, as a table."""

from __future__ import annotations

from echelon.reproduce.machinery.consistency import Check, consistency_listing


def test_a_number_that_does_not_follow_is_marked():
    """Equal texts follow, others do not, and the note says what that means."""
    listing = consistency_listing(
        [Check("sum", "3", "3"), Check("mean", "1.5", "1.6", "misprinted")], "By hand."
    )
    assert listing.rows == (("sum", "3", "3", "yes", ""), ("mean", "1.5", "1.6", "NO", "misprinted"))
    assert (listing.note, listing.labels, len(listing.heads)) == ("By hand.", 5, 5)
