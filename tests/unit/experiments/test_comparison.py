"""compare: several policies on one workload."""

from __future__ import annotations

import pytest

from echelon import compare
from echelon.errors import InputError


def test_one_result_a_policy_in_the_order_asked_for(four_jobs):
    """Results and frame follow the policies; progress is asked for by each one's words."""
    asked = []
    found = compare(four_jobs, policies=["easy", "sjf"], progress=asked.append)
    assert asked == ["easy", "shortest-first"]
    frame = found.to_frame()
    assert frame["policy"].to_list() == ["easy", "shortest-first"]
    assert frame["mean_wait"].to_list() == [result.metrics["mean_wait"] for result in found.results]


@pytest.mark.parametrize(
    ("policies", "problem"),
    [([], "at least one policy"), (["sjf", "shortest-first"], "'shortest-first' twice")],
)
def test_no_policy_or_one_twice(four_jobs, policies, problem):
    """Nothing to compare, or the same under two names, is refused."""
    with pytest.raises(InputError, match=problem):
        compare(four_jobs, policies=policies)
