"""What a reader may conclude from the SINAPAD study, by the claims that decide it."""

from echelon.reproduce.conclusion import Point

CONCLUSIONS = (
    Point(
        ("C1",),
        "The estimated wall time is the best of the five policies in every mix of machines, whatever their order.",
        "The estimated wall time is not the best policy everywhere.",
        "That the estimated wall time is the best policy is not settled in every mix of machines.",
    ),
    Point(
        ("C2", "C16"),
        "It is the steadiest, too, and better than the lottery that it was made from.",
        "It is not the steadiest everywhere, or not better than the lottery that it was made from.",
        "That it is the steadiest, and better than the lottery that it was made from, is not settled everywhere.",
    ),
    Point(
        ("C5", "C15"),
        "The load alone is second where jobs come one by one.",
        "That the load alone is second where jobs come one by one is true of some mixes of machines; of others it "
        "is false, or depends on the order in which machines are listed, which the paper does not say.",
        "Whether the load alone is second where jobs come one by one is not settled: it depends on the order in "
        "which machines are listed, which the paper does not say.",
    ),
    Point(
        ("C12", "C13"),
        "To choose at random is the worst.",
        "That whoever looks at loads is better than chance, as the abstracts have it, is false where jobs come at "
        "once and loads are old.",
        "Whether to choose at random is the worst is not settled.",
    ),
    Point(
        ("C11", "C18"),
        "To slow all policies down to one pace was right where jobs come at once, and not needed elsewhere.",
        "What it says of the pace of decisions is not borne out.",
        "What it says of the pace of decisions is not settled.",
    ),
)
"""Sentences by verdicts."""
