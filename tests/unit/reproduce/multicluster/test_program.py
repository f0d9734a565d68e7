"""E4: the problems of the program, and what is noted of its answers."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.policies.coallocation import co_allocation_named
from echelon.reproduce.multicluster.evidence import Spanning
from echelon.reproduce.multicluster.program import (
    LINK,
    OTHERS,
    VARIANTS,
    ask_rule,
    problem_of,
    program_scaling,
    program_study,
)


def test_problems_are_those_of_the_seed():
    """Owners take their share of so many nodes; the same seed chooses the same."""
    first, same, other = (
        problem_of(seed, 11, clusters=(10, 10), bandwidth=50, owners=25) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first.power, same.power)
    assert (first.power != other.power).any()
    assert (first.power < 1).sum() == 5
    assert first.bandwidth == LINK / 2


def test_an_answer_and_none():
    """SC and the time over the least are of the answer; without one they are nan, and the time is not."""
    problem = problem_of(0, 17, clusters=(10, 10), bandwidth=75, owners=0)
    least = co_allocation_named("threshold").span(problem).time
    free = ask_rule(co_allocation_named("optimal"), problem, least)
    assert free.crossing > 1
    assert round(free.longer, 9) == 1
    bound = ask_rule(co_allocation_named("non-saturated"), problem, least)
    assert np.isnan(bound.crossing)
    assert np.isnan(bound.longer)
    assert bound.seconds > 0


@pytest.mark.slow
def test_the_study_has_every_case():
    """Each variant, bandwidth and share of owners, by seed; the constraint keeps SC at 1."""
    told = []
    found = program_study(1, (25, 75), lambda *done: told.append(done))
    assert len(found) == len(told) == len((*VARIANTS, *OTHERS)) * 2 * 4
    assert found[Spanning("non-saturated", 75, 50)].shape == (1, 3)
    assert all(
        np.nanmax(values[:, 0]) <= 1 + 1e-9
        for case, values in found.items()
        if case.variant == "non-saturated"
    )


@pytest.mark.slow
def test_scaling_is_timed():
    """Seconds of each variant by number of clusters, by seed."""
    found = program_scaling(2, (2, 3))
    assert {clusters for _, clusters in found} == {2, 3}
    assert all((seconds > 0).all() and seconds.shape == (2,) for seconds in found.values())
