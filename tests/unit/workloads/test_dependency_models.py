"""Models of what jobs wait for: shapes, shares, seeds, and that the result can be simulated and written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.errors import InputError, UnknownNameError
from echelon.model import Instance, Workload
from echelon.workloads import generate, transform
from echelon.workloads.formats.swf import read, write


def jobs_of(users):
    """Return jobs of these users, submitted one a second, the last line first."""
    count = len(users)
    return Workload.from_columns(
        submit_time=np.arange(count)[::-1], run_time=np.ones(count), processors=np.ones(count), user=users
    )


def test_chains_follow_the_users_last_job():
    """With certainty everybody but a user's first follows the one submitted before, wherever it is listed."""
    made = transform.chains(jobs_of([1, 2, 1, 2, 1, -1, 0]), share=1, think=60, seed=3)
    assert made.int_column("preceding_job").tolist() == [3, 4, 5, -1, -1, -1, -1]
    think = made.float_column("think_time")
    assert (think[:3] >= 0).all()
    assert (think[:3] == np.trunc(think[:3])).all()
    assert Instance.of(made, 1).dependencies.follows.tolist() == [True] * 3 + [False] * 4


def test_chains_have_their_share_and_mean():
    """Of many jobs so many follow, after so long in the mean."""
    made = transform.draw_dependencies(jobs_of([1] * 20_000), "chains:share=0.3,think=100", seed=1)
    follows = made.int_column("preceding_job") > 0
    assert follows.mean() == pytest.approx(0.3, abs=0.01)
    assert made.float_column("think_time")[follows].mean() == pytest.approx(100.5, rel=0.05)
    assert "jobs follow the one before of their user" in transform.transformations(made)[-1]


def test_chains_survive_swf():
    """All they are is in fields 17 and 18."""
    made = transform.chains(generate("poisson", 50, seed=1), seed=2)
    assert read(write(made), "x.swf") == made


@examples(60)
@given(
    count=st.integers(0, 60), size=st.integers(1, 12), depth=st.integers(1, 12), parents=st.integers(1, 4),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_layers_wait_for_the_layer_before(count, size, depth, parents, seed):
    """Every job but those of a workflow's first layer waits for 1 to `parents` of the layer before."""
    made = transform.layers(jobs_of([1] * count), size, depth, parents, seed=seed)
    depth = min(depth, size)
    place = np.arange(count)[::-1]
    layer, flow = place % size * depth // size, place // size
    if made.dependencies is None:
        assert not (layer > 0).any()
        return
    before, after = made.dependencies.predecessor, made.dependencies.successor
    assert (flow[before] == flow[after]).all()
    assert (layer[before] == layer[after] - 1).all()
    waits = np.diff(made.dependencies.first)
    assert (waits[layer > 0] >= 1).all()
    assert (waits <= parents).all()
    assert (waits[layer == 0] == 0).all()
    assert not made.dependencies.follows.any()


def test_the_seed_decides():
    """The same seed draws the same; another draws something else."""
    jobs = generate("poisson", 100, seed=1)
    for spec in ("chains", "layers"):
        first, again, other = (transform.draw_dependencies(jobs, spec, seed=seed) for seed in (1, 1, 2))
        assert first == again
        assert first != other


def test_what_was_there_is_replaced():
    """One model after the other leaves the last alone; numbers that are not different are given again."""
    jobs = generate("poisson", 60, seed=1).with_columns(job_id=[7] * 60)
    both = transform.layers(transform.chains(jobs, share=1))
    assert (both.int_column("preceding_job") == -1).all()
    assert both.job_id.tolist() == list(range(1, 61))
    assert transform.chains(both).dependencies is None


@pytest.mark.parametrize("spec", ["chains", "layers:size=30,depth=3,parents=5"])
def test_they_can_be_simulated(spec):
    """A generated workload with dependencies runs, and its jobs are held."""
    made = transform.draw_dependencies(generate("lublin", 300, seed=2), spec, seed=2)
    result = ec.simulate(made, policy="easy")
    assert result.metrics["competitive_ratio"] >= 1
    assert result.jobs["dependencies"].null_count() < 300


def test_wrong_specs_are_refused():
    """A name, a parameter, a value."""
    jobs = jobs_of([1])
    with pytest.raises(UnknownNameError, match="did you mean 'chains'"):
        transform.draw_dependencies(jobs, "chain")
    with pytest.raises(UnknownNameError, match="shares"):
        transform.draw_dependencies(jobs, "chains:shares=1")
    with pytest.raises(InputError, match="share"):
        transform.draw_dependencies(jobs, "chains:share=2")
