"""What a reader says is odd in a log."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.model import Anomaly, Header, Workload
from echelon.workloads import find_anomalies

PLAIN = {
    "submit_time": [0, 5, 5],
    "wait_time": [0, 0, 2],
    "run_time": [9, 8, 7],
    "allocated_processors": [1, 2, 4],
    "requested_processors": [1, 2, 4],
    "requested_time": [9, 9, 9],
    "status": [1, 0, 5],
}


def anomalies(header: Header | None = None, **changed: list[float]) -> dict[str, Anomaly]:
    """Return the anomalies of three plain jobs with some columns changed, by kind."""
    workload = Workload.from_columns(**(PLAIN | changed))
    found = find_anomalies(workload.columns, header or Header(), np.array([11, 12, 13], dtype=np.int32))
    return {anomaly.kind: anomaly for anomaly in found}


def test_plain_jobs_have_none() -> None:
    """A workload that follows the format in all is not odd."""
    assert anomalies() == {}


@pytest.mark.parametrize(
    ("kind", "changed", "count", "line"),
    [
        ("unsorted", {"submit_time": [0, 9, 5]}, 1, 13),
        ("negative-submit", {"submit_time": [-1, 0, 5]}, 1, 11),
        ("late-start", {"submit_time": [3, 4, 5]}, 1, None),
        ("no-wait-time", {"wait_time": [-1, -1, -1]}, 3, 11),
        ("no-run-time", {"run_time": [9, -1, -1]}, 2, 12),
        ("zero-run-time", {"run_time": [9, 0, 9]}, 1, 12),
        ("no-requested-time", {"requested_time": [9, 9, -1]}, 1, 13),
        ("run-above-request", {"requested_time": [8, 9, -1]}, 1, 11),
        ("fractional-run-time", {"run_time": [9, 8.5, 7]}, 1, 12),
        ("fractional-used-memory", {"used_memory": [1, 2, 3.5]}, 1, 13),
        (
            "no-size",
            {"allocated_processors": [1, 2, -1], "requested_processors": [1, 2, 0]},
            1,
            13,
        ),
        ("size-as-requested", {"allocated_processors": [1, -1, 4]}, 1, 12),
        ("size-as-allocated", {"requested_processors": [1, -1, 4]}, 1, 12),
        ("repeated-job-number", {"job_id": [7, 3, 7]}, 1, 13),
        ("burst", {"status": [1, 2, 3]}, 2, 12),
        ("unusual-status", {"status": [1, 271, -7]}, 2, 12),
    ],
)
def test_each_kind(kind: str, changed: dict[str, list[float]], count: int, line: int | None) -> None:
    """Each kind is found with its count and its first line, and alone changes nothing else of its concern."""
    found = anomalies(**changed)[kind]
    assert (found.count, found.first_line) == (count, line)


def test_unusual_statuses_are_listed() -> None:
    """The sentence names the values met."""
    assert "-7, 271" in anomalies(status=[1, 271, -7])["unusual-status"].sentence


def test_descending_job_numbers_are_no_repeats() -> None:
    """Numbers out of order but distinct are not odd."""
    assert anomalies(job_id=[3, 2, 1]) == {}


def test_what_the_header_claims() -> None:
    """Claimed numbers of jobs that differ from the count, and jobs larger than MaxProcs, are reported."""
    header = Header((("MaxJobs", "3"), ("MaxRecords", "10"), ("MaxProcs", "2 (1, 1)")))
    found = anomalies(header)
    assert set(found) == {"header-maxrecords", "oversized"}
    assert found["header-maxrecords"].sentence == "the header's MaxRecords is 10, the file has 3 jobs"
    assert found["oversized"].first_line == 13


def test_sentences_say_all_or_how_many() -> None:
    """A share of the jobs is told from all of them."""
    assert anomalies(wait_time=[-1, -1, -1])["no-wait-time"].sentence.startswith("all jobs without")
    assert anomalies(wait_time=[-1, 0, 0])["no-wait-time"].sentence.startswith("1 of 3 jobs without")


def test_no_jobs_no_anomalies() -> None:
    """An empty workload is not odd."""
    empty = Workload.from_columns(submit_time=[])
    assert find_anomalies(empty.columns, Header()) == ()
