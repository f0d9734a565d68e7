"""How a statement of a claim is settled."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.reproduce.machinery.statement import (
    above_zero,
    against,
    alike,
    all_above_zero,
    fact,
    leave_undecided,
    lower,
    mean_interval,
    within,
)

pytest.importorskip("scipy", reason="needs the extra stats")

# Mean 2, standard deviation 1, five values: t(0.975, 4) = 2.7764, half width 2.7764 / sqrt(5) = 1.2417.
AHEAD = np.array([0.735089, 1.367544, 2.0, 2.632456, 3.264911])
# The same around 1: from -0.24 to 2.24.
UNSURE = AHEAD - 1.0


def test_an_interval_is_students():
    """The interval of five values of mean 2 and deviation 1 is 2 plus or minus 1.2417."""
    found = mean_interval(AHEAD)
    assert found == pytest.approx((2.0, 2.0 - 1.2417, 2.0 + 1.2417), abs=1e-4)


def test_an_interval_above_zero_holds():
    """A statement holds if the whole interval is on the side claimed."""
    assert above_zero("a", AHEAD).outcome() == "holds"


def test_an_interval_below_zero_does_not_hold():
    """A statement does not hold if the whole interval is on the other side."""
    assert above_zero("a", -AHEAD).outcome() == "does not hold"


@pytest.mark.parametrize("values", [UNSURE, -UNSURE])
def test_an_interval_around_zero_decides_nothing(values):
    """Lack of power never counts as `holds`, nor as `does not hold`, wherever the mean is."""
    assert above_zero("a", values).outcome() == "not decided"


def test_many_statements_refute_less_easily():
    """-2 +- 1 has p = 0.0111 at 4 degrees of freedom: alone it refutes, as one of five it does not."""
    statement = above_zero("a", -AHEAD)
    assert statement.against == pytest.approx(0.0111, abs=1e-4)
    assert statement.outcome(among=4) == "does not hold"
    assert statement.outcome(among=5) == "not decided"


def test_the_same_in_every_run_is_not_ahead():
    """Two that are equal in every repetition settle it: none is ahead."""
    assert above_zero("a", np.zeros(5)).outcome() == "does not hold"


def test_one_run_decides_nothing():
    """Of one repetition there is no interval, so nothing is settled."""
    assert above_zero("a", np.array([3.0])).outcome() == "not decided"
    assert math.isnan(mean_interval(np.array([3.0])).low)


def test_all_must_be_ahead():
    """Of several comparisons all must hold; one that is open leaves it open, one refuted refutes it."""
    assert all_above_zero("a", [AHEAD, AHEAD + 1]).outcome() == "holds"
    assert all_above_zero("a", [AHEAD, UNSURE]).outcome() == "not decided"
    assert all_above_zero("a", [AHEAD, -AHEAD]).outcome() == "does not hold"
    # Twice 0.0111 is still below 0.05; of five comparisons 5 x 0.0111 is not.
    assert all_above_zero("a", [-AHEAD, UNSURE, UNSURE, UNSURE, UNSURE]).outcome() == "not decided"


def test_alike_needs_the_whole_interval():
    """An insignificant difference does not make two alike: 1 % +- 1.24 % is within 3 %, not within 2 %."""
    base = np.full(5, 100.0)
    near = base + UNSURE
    assert alike(("A", "B"), (near, base), 3.0).outcome() == "holds"
    assert alike(("A", "B"), (near, base), 2.0).outcome() == "not decided"
    assert alike(("A", "B"), (base + 10 + UNSURE, base), 3.0).outcome() == "does not hold"


def test_within_is_refuted_outside():
    """A mean is within bounds if the whole interval is, and is not if the interval is beyond one of them."""
    assert within("a", AHEAD, (0.5, 3.5)).outcome() == "holds"
    assert within("a", AHEAD, (1.5, 3.5)).outcome() == "not decided"
    assert within("a", AHEAD, (4.0, 5.0)).outcome() == "does not hold"
    assert within("a", AHEAD, (-5.0, 0.0)).outcome() == "does not hold"


def test_lower_says_by_how_much():
    """A comparison says by how many percent, with the interval, and which way."""
    theirs = np.full(5, 100.0)
    found = lower(("TAT", "round robin"), (theirs - 10 * AHEAD, theirs))
    assert found.text == "TAT is 20.0 % (7.6 to 32.4 %) lower than round robin"
    assert found.outcome() == "holds"
    assert lower(("A", "B"), (theirs + AHEAD, theirs)).text == "A is 2.0 % (0.8 to 3.2 %) higher than B"


def test_facts_are_settled_and_the_open_ones_are_not():
    """What no chance enters holds or does not; what nothing can settle stays open."""
    assert [fact("a", holds).outcome(9) for holds in (True, False)] == ["holds", "does not hold"]
    assert leave_undecided("a").outcome() == "not decided"


def test_what_speaks_against_is_two_sided():
    """Nothing speaks against a mean above 0."""
    assert against(UNSURE) == 1.0
    assert against(np.array([])) == 1.0
