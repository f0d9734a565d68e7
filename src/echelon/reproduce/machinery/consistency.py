"""Consistency: whether what a study printed follows from what else it printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.reproduce.machinery.listing import Listing

if TYPE_CHECKING:
    from collections.abc import Iterable


class Check(NamedTuple):
    """A number or sentence that is printed, and what follows for it from others that are.

    Attributes
    ----------
    what : str
        Which, and from what it follows.
    printed, follows : str
        The number, and what it should be, at equally many digits.
    note : str
        What a difference says; empty where there is none.
    """

    what: str
    printed: str
    follows: str
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is what follows."""
        return self.printed == self.follows


def consistency_listing(checks: Iterable[Check], note: str = "") -> Listing:
    """Return the checks as a table."""
    return Listing(
        "consistency",
        "Are the printed numbers consistent?",
        ("Number, and its source", "Printed", "Follows", "", "Conclusion"),
        tuple(
            (check.what, check.printed, check.follows, "yes" if check.holds else "NO", check.note)
            for check in checks
        ),
        note,
        labels=5,
    )
