"""Jobs of the SINAPAD study: as printed by default, and of several kinds, I/O-bound and in workflows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.workloads import generate, read_workload


def test_the_jobs_of_the_study():
    """40 equal programs of 60 s, 10 % more or less, one every 20 s or all at once, CPU-bound."""
    made = generate("sinapad")
    assert len(made) == 40
    assert made.submit_time.tolist() == [20.0 * k for k in range(40)]
    assert generate("sinapad:interval=0").submit_time.max() == 0
    assert set(made.processors.tolist()) == {1}
    assert (made.names["executable"][0], set(made.int_column("executable").tolist())) == ("linpack", {1})
    assert (made.float_column("average_cpu_time") == made.run_time).all()
    assert made.dependencies is None
    many = generate("sinapad", 20_000, seed=1).run_time
    assert (many.min(), many.max()) == pytest.approx((54, 66), abs=0.01)
    assert many.mean() == pytest.approx(60, rel=0.002)
    assert many.std() == pytest.approx(12 / 12**0.5, rel=0.02)


def test_kinds_of_applications_keep_the_mean_work():
    """Applications are in geometric steps of one mean, and each is as likely."""
    made = generate("sinapad:applications=4:spread=27:variation=0", 40_000, seed=2)
    code, counts = np.unique(made.int_column("executable"), return_counts=True)
    works = [made.run_time[made.int_column("executable") == one][0] for one in code]
    assert np.divide(works[1:], works[:-1]) == pytest.approx([3, 3, 3], rel=1e-3)
    assert made.run_time.mean() == pytest.approx(60, rel=0.02)
    assert counts.min() > 9_700
    assert made.names["executable"][code[3] - 1] == "application-4"


def test_io_bound_jobs_compute_a_part_of_their_time():
    """Their CPU time is less than their run time, and they are a program of their own."""
    made = generate("sinapad:io=0.75:io_jobs=0.5", 4_000, seed=3)
    share = made.float_column("average_cpu_time") / made.run_time
    assert sorted(set(np.round(share, 9).tolist())) == [0.25, 1.0]
    assert (share < 1).mean() == pytest.approx(0.5, abs=0.03)
    assert ((made.int_column("executable") == 2) == (share < 1)).all()
    assert made.names["executable"][1] == "linpack-io"


def test_chains_and_fork_joins():
    """A workflow is submitted at once; its jobs wait in turn, or between the first and the last."""
    chain = generate("sinapad:jobs=7:flow=chain:flow_jobs=3")
    assert chain.submit_time.tolist() == [0, 0, 0, 60, 60, 60, 120]
    assert [chain.dependencies.of(k).tolist() for k in range(7)] == [[], [0], [1], [], [3], [4], []]
    fork = generate("sinapad:jobs=11:flow=fork-join:flow_jobs=4:interval=0")
    assert [fork.dependencies.of(k).tolist() for k in range(11)] == [
        *([], [0], [0], [1, 2], [], [4], [4], [5, 6]),
        *([], [8], [8]),
    ]
    two = generate("sinapad:jobs=4:flow=fork-join:flow_jobs=2")
    assert [two.dependencies.of(k).tolist() for k in range(4)] == [[], [0], [], [2]]
    assert generate("sinapad:flow=chain:flow_jobs=1").dependencies is None


@given(
    st.integers(1, 60), st.sampled_from(["chain", "fork-join"]), st.integers(1, 12), st.integers(0, 2**32 - 1)
)
def test_every_workflow_waits_only_within_itself(jobs, flow, size, seed):
    """Whatever the sizes, nobody waits for another workflow, and the same seed gives the same jobs."""
    spec = f"sinapad:jobs={jobs}:flow={flow}:flow_jobs={size}:seed={seed}"
    made = read_workload(spec)
    if made.dependencies is not None:
        before, after = made.dependencies.predecessor, made.dependencies.successor
        assert (before < after).all()
        assert (before // size == after // size).all()
    assert made == read_workload(spec)


@pytest.mark.parametrize(
    "spec",
    ["applications=1.5", "flow_jobs=2.5", "flow=tree", "io=1", "work=0", "variation=1", "spread=0.5", "io=x"],
)
def test_what_is_refused(spec):
    """Parameters out of their bounds are refused."""
    with pytest.raises(InputError):
        generate(f"sinapad:{spec}")
