"""Dependencies of a workload in a few figures, and what info says of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.experiments.summaries.description import describe
from echelon.experiments.summaries.job_summary import (
    DependencySummary,
    dependency_summary,
    longest_chain,
)
from echelon.model import Dependencies, Workload


def jobs(preceding, think=None):
    """Return jobs with these preceding jobs."""
    count = len(preceding)
    return Workload.from_columns(
        submit_time=np.zeros(count), run_time=np.ones(count), processors=np.ones(count, dtype=int),
        preceding_job=preceding, think_time=np.full(count, -1) if think is None else think,
    )  # fmt: skip


def test_figures_by_hand():
    """Two wait, one of them follows, one names a job that is not there; three are in a row."""
    found = dependency_summary(jobs([-1, 1, 2, 9], [-1, -1, 5, -1]))
    assert found == DependencySummary(2, 1, 2, 3, 1)
    assert dependency_summary(jobs([9])) == DependencySummary(0, 0, 0, 1, 1)
    assert dependency_summary(jobs([-1, -1])) is None


def test_descriptions_tell_it():
    """As plain values for JSON; null without dependencies, or where they make no sense."""
    assert describe(jobs([-1, 1])).to_dict()["dependencies"] == {
        "dependent_jobs": 1, "following_jobs": 0, "edges": 1, "longest_chain": 2, "absent_predecessors": 0,
    }  # fmt: skip
    assert describe(jobs([-1])).to_dict()["dependencies"] is None
    circle = describe(jobs([2, 1]))
    assert circle.dependencies is None
    assert "in a cycle" in (circle.refusal or "")


@examples(60)
@given(st.integers(1, 8), st.data())
def test_the_longest_chain_is_that_of_all_paths(n_jobs, data):
    """The same as trying every path from every job."""
    job = st.integers(0, n_jobs - 1)
    drawn = data.draw(st.lists(st.tuples(job, job), max_size=14))
    pairs = sorted({(min(a, b), max(a, b)) for a, b in drawn if a != b})
    before, after = np.array(pairs, dtype=np.int64).reshape(-1, 2).T

    def longest(job):
        return 1 + max((longest(b) for a, b in pairs if a == job), default=0)

    found = longest_chain(Dependencies.of_edges(n_jobs, before, after))
    assert found == max(longest(job) for job in range(n_jobs))


@pytest.mark.slow
@pytest.mark.parametrize("count", [200_000])
def test_a_long_chain_is_quick(count):
    """One chain of all jobs takes time in proportion to its length."""
    assert longest_chain(Dependencies.of_edges(count, np.arange(count - 1), np.arange(1, count))) == count
