"""Generated traces: drawn as they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


@pytest.mark.parametrize("load", [0.8, 1.3])
def test_a_generated_trace_offers_the_load_asked_for(script: Callable[[str], ModuleType], load: float):
    """Work over what the machine can do until the last arrival is the offered load, seconds cut aside."""
    traces = script("traces")
    workload = traces.generate(traces.Generated(5_000, load, seed=3), 256)
    work = (workload.run_time * workload.processors).sum()
    assert work / (256 * workload.submit_time[-1]) == pytest.approx(load, rel=1e-3)


def test_a_seed_names_one_trace(script: Callable[[str], ModuleType]):
    """The same seed gives the same jobs, another seed others."""
    traces = script("traces")
    one, same, other = (traces.generate(traces.Generated(500, 0.8, seed=s), 64) for s in (1, 1, 2))
    assert np.array_equal(one.run_time, same.run_time)
    assert np.array_equal(one.submit_time, same.submit_time)
    assert not np.array_equal(one.run_time, other.run_time)


def test_generated_jobs_fit_the_machine_and_their_requests(script: Callable[[str], ModuleType]):
    """Sizes are powers of two up to a quarter of the machine; nobody requests less than the run time."""
    traces = script("traces")
    workload = traces.generate(traces.Generated(2_000, 0.8, seed=4), 256)
    assert set(np.unique(workload.processors)) == {1, 2, 4, 8, 16, 32, 64}
    assert (workload.requested_time >= workload.run_time).all()
    assert (workload.run_time >= 1).all()
