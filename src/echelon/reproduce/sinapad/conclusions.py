"""What a reader may conclude from the SINAPAD study, by the claims that decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.conclusion import Point, conclude

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce.machinery.claim import Claim

_LOST = "Nothing that it printed can be compared: its execution times are lost, and only orders are told."

_POINTS = (
    Point(
        ("C1",),
        "The estimated wall time is the best of the five policies in every mix of machines.",
        "The estimated wall time is not the best policy everywhere.",
        "That the estimated wall time is the best policy is not settled in every mix of machines.",
    ),
    Point(
        ("C2",),
        "It is the steadiest, too.",
        "It is not the steadiest everywhere.",
        "That it is the steadiest is not settled everywhere.",
    ),
    Point(
        ("C5", "C15"),
        "The load alone is second where jobs come one by one.",
        "That the load alone is second where jobs come one by one is not borne out.",
        "Whether the load alone is second where jobs come one by one is not settled: it depends on the order "
        "in which machines are listed, which is not said.",
        "That the load alone is second where jobs come one by one is true of some mixes of machines; of "
        "others it is false, or depends on the order in which machines are listed, which is not said.",
    ),
    Point(
        ("C12",),
        "Policies that look at loads decide better than chance, as the abstracts have it.",
        "That policies which look at loads decide better than chance, as the abstracts have it, is not true "
        "of all of them however jobs are submitted.",
        "Whether policies that look at loads decide better than chance is not settled.",
    ),
    Point(
        ("C13",),
        "To choose at random is the worst.",
        "To choose at random is not always the worst.",
        "Whether to choose at random is the worst is not settled.",
    ),
    Point(
        ("C11", "C18"),
        "To slow all policies down to one pace was right where jobs come at once, and not needed elsewhere.",
        "What it says of the pace of decisions is not all borne out.",
        "What it says of the pace of decisions is not settled.",
    ),
)


def conclusion(claims: Sequence[Claim]) -> str:
    """Return what a reader may conclude, by the verdicts on `claims`."""
    return f"{_LOST} {conclude(claims, _POINTS)}"
