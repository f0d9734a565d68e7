"""What a study's claims let a reader conclude."""

from __future__ import annotations

import pytest

from echelon.reproduce.machinery.claim import judge
from echelon.reproduce.machinery.conclusion import Point, conclude
from echelon.reproduce.machinery.statement import fact, leave_undecided

CLAIMS = [
    judge("C1", "a", "p 1", [fact("x", holds=True)]),
    judge("C2", "b", "p 1", [fact("x", holds=True), fact("y", holds=False)]),
    judge("C3", "c", "p 1", [leave_undecided("z")]),
]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [(("C1",), "Yes."), (("C1", "C2"), "No."), (("C1", "C3"), "Open."), (("C2", "C3"), "No.")],
)
def test_a_point_is_said_by_its_claims(names, sentence):
    """All hold, one fails, or none fails but one is open: each has its sentence."""
    assert conclude(CLAIMS, [Point(names, "Yes.", "No.", "Open.")]) == sentence


def test_points_follow_each_other():
    """Sentences stand in the order of the points; a point without a sentence says nothing."""
    points = [Point(("C2",), "Yes.", "No."), Point(("C3",), "Yes.", "No."), Point(("C1",), "Good.", "Bad.")]
    assert conclude(CLAIMS, points) == "No. Good."


@pytest.mark.parametrize(
    ("names", "sentence"), [(("C2",), "Some."), (("C1", "C4"), "Some."), (("C4",), "No.")]
)
def test_what_holds_in_part_has_a_sentence_of_its_own(names, sentence):
    """Where something of the claims holds and something fails, a point does not say that nothing does."""
    failing = judge("C4", "d", "p 1", [fact("x", holds=False)])
    assert conclude([*CLAIMS, failing], [Point(names, "Yes.", "No.", in_part="Some.")]) == sentence
