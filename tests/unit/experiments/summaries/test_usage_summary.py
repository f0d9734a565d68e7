"""What a log says of its machine."""

from __future__ import annotations

import numpy as np

import echelon as ec
from echelon.experiments.summaries.usage_summary import groups_in_log, peak_of, waits_in_log

LOG = ec.Workload.from_columns(
    submit_time=[0, 0, 10, 20, 30],
    wait_time=[0, 5, 90, -1, 70],
    run_time=[100, 50, 50, -1, 10],
    processors=[4, 3, 8, 4, 2],
    partition=[1, 1, 2, 1, -1],
    status=[1, 0, 1, 5, 1],
)
"""Jobs run from 0 to 100, 5 to 55, 100 to 150, never, 100 to 110."""


def test_the_most_in_use_at_once():
    """A job that starts when another ends takes what it leaves; jobs without a start do not count."""
    assert peak_of(LOG) == (peak := peak_of(LOG.take(np.array([2, 4]))))
    assert (peak.processors, peak.time) == (10, 100)
    assert peak_of(LOG.take(np.array([0, 1]))).processors == 7
    assert peak_of(LOG.take(np.array([3]))) is None


def test_fractions_of_seconds_do_not_overlap():
    """0.1 + 0.2 is not quite 0.3, yet a job that starts then follows one that ends then."""
    jobs = ec.Workload.from_columns(
        submit_time=[0.1, 0.3], wait_time=[0, 0], run_time=[0.2, 1], processors=[5, 5]
    )
    assert peak_of(jobs).processors == 5


def test_the_waits_of_the_log():
    """Of the jobs whose wait is recorded."""
    waits = waits_in_log(LOG)
    assert (waits.jobs, waits.mean, waits.median, waits.longest) == (4, 41.25, 37.5, 90)
    assert waits_in_log(LOG.take(np.array([3]))) is None


def test_groups_by_what_the_log_has_two_of():
    """Those with most work first; what is unknown is a group, too; statuses have names."""
    groups = groups_in_log(LOG)
    assert list(groups) == ["partition", "state"]
    told = [(one.name, one.jobs, one.peak.processors, one.waits.longest) for one in groups["partition"]]
    assert told == [("1", 3, 7, 5), ("2", 1, 8, 90), (None, 1, 2, 70)]
    assert [one.name for one in groups["state"]] == ["completed", "failed", "canceled"]
    assert (groups["state"][2].peak, groups["state"][2].waits) == (None, None)
    assert abs(sum(one.area_share for one in groups["partition"]) - 1) < 1e-12
