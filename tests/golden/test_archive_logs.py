"""The archive's logs: jobs, utilization and odd lines as others counted them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from echelon.workloads import DATASETS, find, read_workload

if TYPE_CHECKING:
    from echelon.model import Workload


class Known(NamedTuple):
    """What is known of a log: utilization and share of jobs with a requested time in per cent."""

    jobs: int
    processors: int
    nodes: int
    days: float
    utilization: float
    requested: float
    users: int


KNOWN = {
    "sdsc-sp2": Known(59715, 128, 128, 729.6, 83.4, 99.9, 437),
    "kth-sp2": Known(28476, 100, 100, 332.9, 70.1, 100.0, 214),
    "ctc-sp2": Known(77222, 338, 338, 339.3, 84.1, 100.0, 679),
    "hpc2n": Known(202871, 240, 240, 1264.6, 60.1, 100.0, 257),
    "lanl-cm5": Known(122060, 1024, 1024, 721.0, 74.3, 90.8, 213),
    "sdsc-blue": Known(243306, 1152, 144, 975.6, 76.9, 100.0, 468),
    "sdsc-ds": Known(96069, 1664, 184, 366.4, 67.1, 100.0, 460),
    "nasa-ipsc": Known(18239, 128, 128, 92.0, 46.6, 0.0, 69),
    "ricc": Known(447794, 8192, 1024, 153.0, 87.2, 100.0, 176),
    "cea-curie": Known(312826, 93312, 5544, 257.1, 61.9, 100.0, 582),
}

ODD = {
    ("sdsc-sp2", "no-run-time"): 5671,
    ("sdsc-sp2", "size-as-requested"): 5669,
    ("sdsc-blue", "no-run-time"): 10744,
    ("sdsc-blue", "size-as-requested"): 19516,
    ("sdsc-blue", "run-above-request"): 23434,
    ("sdsc-ds", "no-run-time"): 11024,
    ("sdsc-ds", "no-wait-time"): 149,
    ("hpc2n", "no-wait-time"): 1,
    ("hpc2n", "run-above-request"): 14817,
    ("hpc2n", "header-maxjobs"): 527371 - 202871,
    ("lanl-cm5", "no-wait-time"): 3,
    ("lanl-cm5", "size-as-allocated"): 11326,
    ("lanl-cm5", "run-above-request"): 40180,
    ("ctc-sp2", "size-as-allocated"): 77222,
    ("ctc-sp2", "run-above-request"): 7174,
    ("nasa-ipsc", "no-wait-time"): 18239,
    ("nasa-ipsc", "no-requested-time"): 18239,
    ("nasa-ipsc", "size-as-allocated"): 18239,
    ("cea-curie", "size-as-allocated"): 84585,
    ("cea-curie", "size-as-requested"): 10893,
    ("cea-curie", "no-size"): 19,
}


@cache
def log(name: str) -> Workload:
    """Return a log that is on this machine, or skip."""
    if find(name) is None:
        pytest.skip(f"{DATASETS[name].file} is in no folder of ECHELON_DATA")
    return read_workload(name)


@pytest.mark.parametrize("name", DATASETS)
def test_known_figures(name: str) -> None:
    """Jobs, machine, days, users and requests are exact; utilization agrees to 0.1 per cent."""
    workload, known = log(name), KNOWN[name]
    assert len(workload) == known.jobs == DATASETS[name].jobs
    assert workload.header.max_procs == known.processors == DATASETS[name].processors
    assert workload.header.max_nodes == known.nodes
    run, size = workload.run_time.clip(min=0), workload.processors.clip(min=0)
    ends = workload.submit_time + workload.float_column("wait_time").clip(min=0) + run
    span = ends[workload.run_time >= 0].max() - workload.submit_time.min()
    assert round(span / 86400, 1) == known.days
    assert 100 * (run * size).sum() / (known.processors * span) == pytest.approx(known.utilization, abs=0.1)
    assert round(100 * np.mean(workload.requested_time > 0), 1) == known.requested
    assert len(np.unique(workload.user[workload.user > 0])) == known.users


@pytest.mark.parametrize(("name", "kind"), ODD)
def test_known_odd_lines(name: str, kind: str) -> None:
    """Each anomaly has the count that others found."""
    counts = {anomaly.kind: anomaly.count for anomaly in log(name).anomalies}
    assert counts[kind] == ODD[name, kind]


def test_a_log_that_does_not_start_at_zero() -> None:
    """CEA-Curie's first submission keeps its distance from the log's second 0."""
    assert log("cea-curie").submit_time[0] == 31656837


@pytest.mark.parametrize("name", DATASETS)
def test_logs_are_sound(name: str) -> None:
    """None of the archive's cleaned logs has layouts that depart from the format, or unsorted lines."""
    kinds = {anomaly.kind for anomaly in log(name).anomalies}
    assert not kinds & {"extra-columns", "tabs", "late-comments", "crlf", "unsorted", "negative-submit"}
