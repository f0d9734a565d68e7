"""Jobs that were canceled while they waited, kept as jobs that wait until they are canceled."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.scenario import scenario_of
from echelon.model import Workload
from echelon.workloads.transform import keep_cancellations, transformations

LOG = Workload.from_columns(
    submit_time=[10, 20, 30, 40, 50, 60],
    wait_time=[5, 100, -1, 7, 9, 11],
    run_time=[60, 0, -1, -1, -1, 30],
    requested_time=[100, 200, 300, 400, -1, 100],
    processors=[1, 2, 3, 4, 5, 6],
    status=[1, 5, 5, 0, 5, 5],
    cancel_time=[-1, -1, 95, -1, -1, -1],
)
"""A job; canceled by its wait, by its own time; failed; without a request; canceled while it ran."""


def test_a_canceled_job_waits_until_it_is_canceled():
    """Its end is that of its wait, or its own; it would run for its request."""
    kept = keep_cancellations(LOG)
    assert kept.run_time.tolist() == [60, 200, 300, -1, -1, 30]
    assert kept.float_column("cancel_time").tolist() == [-1, 120, 95, -1, -1, -1]
    assert "2 jobs canceled while they waited" in transformations(kept)[-1]
    assert "1 without size, request" in transformations(kept)[-1]


def test_a_log_that_cannot_tell_is_refused():
    """Of jobs without requests nobody knows how long they would run; the message says what is missing."""
    blind = LOG.with_columns(requested_time=[-1.0] * 6)
    with pytest.raises(InputError, match="3 jobs were canceled while they waited, but of none"):
        keep_cancellations(blind)


def test_a_log_without_such_jobs_is_the_same():
    """Nothing is recorded where nothing is done."""
    plain = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1], status=[5])
    assert keep_cancellations(plain) is plain


def test_runs_keep_them_on_request_alone():
    """By default they are dropped as ever; asked for, they are jobs that the scenario changes by."""
    usual = scenario_of(LOG, processors=8)
    assert len(usual.instance) == 2
    assert not usual.machine_changes
    kept = scenario_of(LOG, processors=8, cancellations="keep")
    assert kept.instance.run_time.tolist() == [60, 200, 300, 30]
    assert kept.instance.limits is not None
    assert kept.instance.limits.cancel[1:3].tolist() == [120, 95]
    assert kept.machine_changes
    assert sum(drop.count for drop in kept.instance.dropped) == 2
    with pytest.raises(UnknownNameError, match="cancellations is named 'kepp'"):
        scenario_of(LOG, processors=8, cancellations="kepp")
