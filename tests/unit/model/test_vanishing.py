"""Run times too short for float64 to tell start and end apart."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import Instance, Workload


def test_a_run_time_that_would_vanish_is_dropped_with_its_reason():
    """At 1e16 s, 0.3 s is less than the distance of two float64 numbers: start + run would be the start."""
    late = Workload.from_columns(submit_time=[1e16, 1e16], run_time=[2.0, 0.3], processors=[1, 1])
    instance = Instance.of(late, 4)
    assert instance.kept.tolist() == [0]
    assert [(drop.count, "times of this size" in drop.reason) for drop in instance.dropped] == [(1, True)]


def test_a_requested_time_that_would_vanish_counts_too():
    """Under kill the run is cut at the request, so the request must not vanish either."""
    late = Workload.from_columns(submit_time=[1e16], run_time=[2.0], requested_time=[0.3], processors=[1])
    kept = Workload.from_columns(submit_time=[1e9], run_time=[2.0], requested_time=[0.3], processors=[1])
    assert Instance.of(kept, 4, estimates="kill").run_time.tolist() == [0.3]
    assert len(Instance.of(kept, 4).dropped) == 0
    with pytest.raises(InputError, match="cannot represent"):
        Instance.of(late, 4, estimates="kill")
    assert len(Instance.of(late, 4)) == 1


def test_an_absurd_request_drops_no_job():
    """One user's request does not decide whose run times are distinguishable."""
    log = Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[10, 20, 30], requested_time=[10, 1e18, 60], processors=[1, 1, 1]
    )
    assert len(Instance.of(log, 4)) == 3
