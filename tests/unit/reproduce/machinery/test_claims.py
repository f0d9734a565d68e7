"""What several statements make of a claim."""

from __future__ import annotations

import pytest

from echelon.reproduce.machinery.claims import Point, conclude, explanation, judge, leave_untested
from echelon.reproduce.machinery.statement import fact, leave_undecided

YES, NO, OPEN = fact("a is 1", holds=True), fact("b is 2", holds=False), leave_undecided("c is 3")


@pytest.mark.parametrize(
    ("statements", "verdict"),
    [
        ([YES], "holds"),
        ([YES, YES], "holds"),
        ([NO], "does not hold"),
        ([NO, OPEN], "does not hold"),
        ([OPEN], "not decided"),
        ([YES, OPEN], "not decided"),
        ([YES, NO], "holds in part"),
        ([YES, NO, OPEN], "holds in part"),
    ],
)
def test_a_claim_is_judged_by_its_statements(statements, verdict):
    """All, some or none of the statements hold; an open one never counts as either."""
    assert judge("C1", "text", "§ 1", statements).verdict == verdict


def test_a_claim_shows_each_statement():
    """Every statement is listed with its outcome, in the text, for pages and as JSON."""
    claim = judge("C1", "text", "§ 1", [OPEN, NO, YES])
    assert claim.finding == "Holds: a is 1. Does not hold: b is 2. Not decided: c is 3."
    assert claim.to_dict()["statements"] == [
        {"text": "c is 3", "outcome": "not decided"},
        {"text": "b is 2", "outcome": "does not hold"},
        {"text": "a is 1", "outcome": "holds"},
    ]


def test_one_statement_is_a_sentence():
    """The finding of a claim of one statement is that statement as a sentence."""
    assert judge("C1", "text", "§ 1", [YES]).finding == "A is 1."


def test_what_was_not_run_is_not_testable():
    """A claim without statements is not testable, and says why."""
    assert judge("C1", "text", "§ 1", []).verdict == "not testable"
    assert leave_untested("C1", "text", "§ 1", "no log").finding == "No log."
    assert explanation("C1", "text", "§ 1", "nothing parts causes").verdict == "explanation only"


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
