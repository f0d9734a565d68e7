"""Listings as functions that yield their rows."""

from __future__ import annotations

from echelon.reproduce.machinery.listing import Check, consistency_listing, listing


@listing("waits", "Mean waits", ("Policy", "Wait, h"), "By hand.", labels=1)
def waits(values):
    """Return the waits."""
    for name, value in values.items():
        yield (name.upper(), value)


def test_a_function_of_rows_is_a_listing():
    """Its call gives the whole listing, and it keeps its name and what it says of itself."""
    found = waits({"a": 1.5, "b": 2.0})
    assert found.rows == (("A", 1.5), ("B", 2.0))
    assert (found.name, found.title, found.note) == ("waits", "Mean waits", "By hand.")
    assert (waits.__name__, waits.__doc__) == ("waits", "Return the waits.")


def test_a_number_that_does_not_follow_is_marked():
    """Equal texts follow, others do not, and the note says what that means."""
    found = consistency_listing(
        [Check("sum", "3", "3"), Check("mean", "1.5", "1.6", "misprinted")], "By hand."
    )
    assert found.rows == (("sum", "3", "3", "yes", ""), ("mean", "1.5", "1.6", "NO", "misprinted"))
    assert (found.note, found.labels, len(found.heads)) == ("By hand.", 5, 5)
