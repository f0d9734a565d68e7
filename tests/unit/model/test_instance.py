"""Instance: which jobs a simulation takes, and with which times it plans."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Instance, Workload

# A request shorter than, equal to, longer than the run time, and a missing one.
FOUR_REQUESTS = Workload.from_columns(
    submit_time=[0, 1, 2, 3],
    run_time=[10, 10, 10, 10],
    requested_time=[4, 10, 25, -1],
    processors=[1, 1, 1, 1],
)


@pytest.mark.parametrize(
    ("estimates", "run", "planned", "killed"),
    [
        ("raise", [10, 10, 10, 10], [10, 10, 25, 10], [False] * 4),
        ("kill", [4, 10, 10, 10], [4, 10, 25, 10], [True, False, False, False]),
        ("exact", [10, 10, 10, 10], [10, 10, 10, 10], [False] * 4),
    ],
)
def test_estimates(estimates, run, planned, killed):
    """Each rule gives the run and planned times of the definition; only kill cuts a job."""
    instance = Instance.of(FOUR_REQUESTS, 1, estimates=estimates)
    assert instance.run_time.tolist() == run
    assert instance.planned_time.tolist() == planned
    assert instance.killed.tolist() == killed


def test_a_request_of_zero_is_missing():
    """A requested time of 0 counts as unknown, under every rule."""
    table = Workload.from_columns(submit_time=[0], run_time=[7], requested_time=[0], processors=[1])
    for estimates in ("raise", "kill", "exact"):
        instance = Instance.of(table, 1, estimates=estimates)
        assert (instance.run_time[0], instance.planned_time[0]) == (7, 7)


ODD = Workload.from_columns(
    job_id=[10, 11, 12, 13, 14, 15],
    submit_time=[5, 0, 1, -3, 2, 4],
    run_time=[1, 0, 1, 1, 1, -1],
    processors=[4, 1, -1, 1, 5, 9],
)


def test_jobs_are_dropped_by_reason():
    """Each job that cannot run counts once, under the first reason that holds, with the first one's name."""
    instance = Instance.of(ODD, 4)
    assert instance.kept.tolist() == [0]
    assert [(drop.reason, drop.count, drop.first) for drop in instance.dropped] == [
        ("run time <= 0", 2, "11"),
        ("no size (neither allocated nor requested processors)", 1, "12"),
        ("more processors than the machine's 4", 1, "14"),
        ("negative submit time", 1, "13"),
    ]


def test_strict_raises_instead_of_dropping():
    """Strict names every reason with its count and first job."""
    with pytest.raises(InputError, match=r"2 with run time <= 0 .first: job 11.*1 with negative submit time"):
        Instance.of(ODD, 4, strict=True)
    assert len(Instance.of(FOUR_REQUESTS, 1, strict=True)) == 4


def test_no_job_left_is_an_error():
    """A workload of which nothing can run is refused, with the reasons."""
    with pytest.raises(InputError, match="no job is left to simulate: 1 with more processors"):
        Instance.of(FOUR_REQUESTS.take(np.array([0])).with_columns(requested_processors=[3]), 2)
    with pytest.raises(InputError, match="the workload has no job"):
        Instance.of(FOUR_REQUESTS.take(np.array([], dtype=np.int64)), 2)


def test_bursts_of_a_checkpointed_job():
    """Lines of status 2 to 4 are left out when the job has a summary line, and taken when it has none."""
    table = Workload.from_columns(
        job_id=[1, 1, 1, 2, 2],
        submit_time=[0, 0, 5, 0, 9],
        run_time=[8, 3, 5, 2, 2],
        processors=[1] * 5,
        status=[1, 2, 3, 2, 4],
    )
    instance = Instance.of(table, 1)
    assert instance.kept.tolist() == [0, 3, 4]
    assert instance.dropped[0].count == 2


@pytest.mark.parametrize("processors", [0, -1])
def test_a_machine_has_processors(processors):
    """A machine without processors is refused."""
    with pytest.raises(InputError, match=f"processors: must be at least 1.*, got {processors}"):
        Instance.of(FOUR_REQUESTS, processors)


def test_an_unknown_rule_of_estimates():
    """A misspelled rule is refused with the nearest one."""
    with pytest.raises(UnknownNameError, match="did you mean 'exact'"):
        Instance.of(FOUR_REQUESTS, 1, estimates="exakt")


def test_jobs_show_what_a_policy_may_know():
    """Jobs carry the planned time, codes and number, numbered by position, and never the run time."""
    table = FOUR_REQUESTS.with_columns(user=[7, 8, 9, -1], job_id=[40, 30, 20, 10])
    jobs = Instance.of(table, 1).jobs()
    assert [job.position for job in jobs] == [0, 1, 2, 3]
    assert [job.job_id for job in jobs] == [40, 30, 20, 10]
    assert [job.planned_time for job in jobs] == [10, 10, 25, 10]
    assert [job.requested_time for job in jobs] == [4, 10, 25, -1]
    assert [job.user for job in jobs] == [7, 8, 9, -1]
    assert jobs[2].area == 25
    assert not hasattr(jobs[0], "run_time")
    assert Instance.of(table, 1).jobs(2) == jobs[:2]


def test_columns_can_not_be_changed():
    """The times of an instance cannot be changed."""
    instance = Instance.of(FOUR_REQUESTS, 1, estimates="kill")
    for column in (instance.submit_time, instance.run_time, instance.planned_time, instance.size):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 99


def test_what_is_the_same_in_all_runs_is_made_once():
    """`once` calls its maker the first time alone, under each name; another instance begins again."""
    workload = Workload.from_columns(submit_time=[0, 1], run_time=[5, 5], processors=[1, 1])
    first, other = Instance.of(workload, 4), Instance.of(workload, 4)
    made = []

    def make():
        made.append(len(made))
        return made[-1]

    assert [first.once("a", make), first.once("a", make), first.once("b", make)] == [0, 0, 1]
    assert other.once("a", make) == 2
    assert first.release_at(np.array([0.0, 2.0])).once("a", make) == 3
