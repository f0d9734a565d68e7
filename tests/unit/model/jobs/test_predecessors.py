"""What jobs of an instance wait for: SWF fields 17 and 18, explicit edges, what is left out, and circles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Dependencies, Instance, Workload


def jobs(preceding, think=None, **columns):
    """Return jobs of one processor for 10 s each, one submitted every second."""
    n_jobs = len(preceding)
    given = {
        "job_id": np.arange(1, n_jobs + 1),
        "submit_time": np.arange(n_jobs),
        "run_time": np.full(n_jobs, 10.0),
        "processors": np.ones(n_jobs, dtype=int),
        "think_time": np.full(n_jobs, -1.0) if think is None else think,
    }
    return Workload.from_columns(**{**given, **columns}, preceding_job=preceding)


def edges(instance):
    """Return edges (predecessor, successor, delay) by position."""
    found = instance.dependencies
    if found is None:
        return []
    columns = (found.predecessor, found.successor, found.delay)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_fields_of_the_log():
    """With a think time a job follows the one before; without, its own submit time counts as well."""
    taken = Instance.of(jobs([-1, 1, 2, -1], [-1, 30, -1, 50]), 4)
    assert edges(taken) == [(0, 1, 30), (1, 2, 0)]
    assert taken.dependencies.follows.tolist() == [False, True, False, False]
    assert taken.absent_predecessors == 0
    assert taken.first_submission == 0


def test_no_job_waits():
    """Without predecessors there is nothing, and nothing is carried along."""
    assert Instance.of(jobs([-1, -1]), 4).dependencies is None
    assert Instance.of(replace(jobs([-1, -1]), dependencies=_edges(2)), 4).dependencies is None


def test_ignored():
    """On demand jobs come as the log says, in a circle or not."""
    taken = Instance.of(jobs([2, 1]), 4, dependencies="ignore")
    assert taken.dependencies is None
    assert taken.absent_predecessors == 0
    with pytest.raises(UnknownNameError, match="rule for dependencies"):
        Instance.of(jobs([-1]), 4, dependencies="yes")


def _edges(n_jobs, *pairs):
    before, after = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Dependencies.of_edges(n_jobs, before, after, delay=np.full(len(pairs), 5.0))


def test_explicit_edges_come_on_top():
    """Both kinds count; of an edge given twice the longer delay, and a job that follows goes on following."""
    both = replace(jobs([-1, 1, 1], [-1, -1, 9]), dependencies=_edges(3, (0, 1), (0, 2), (1, 2)))
    taken = Instance.of(both, 4)
    assert edges(taken) == [(0, 1, 5), (0, 2, 9), (1, 2, 5)]
    assert taken.dependencies.follows.tolist() == [False, False, True]


def test_predecessors_that_are_not_there_are_counted():
    """Of another log, of 0 s, or too large: they count as ended, and how many is said."""
    log = jobs([-1, 99, 1, 2, 3], run_time=[0, 10, 10, 10, 10], processors=[1, 1, 9, 1, 1])
    log = replace(log, dependencies=_edges(5, (0, 1), (1, 3), (2, 4)))
    taken = Instance.of(log, 4)
    assert [taken.label(k) for k in range(len(taken))] == ["2", "4", "5"]
    assert edges(taken) == [(0, 1, 5)]
    # 99 and 0 of job 2; 3 of job 5 twice.
    assert taken.absent_predecessors == 4


def test_left_out_later():
    """An instance that loses a job loses its edges, and counts those that some job waited for."""
    taken = Instance.of(jobs([-1, 1, 2, 2]), 4)
    left = taken.without(np.array([1]), "too much")
    assert left.dependencies is None
    assert left.absent_predecessors == 2
    kept = taken.without(np.array([3]), "too much")
    assert edges(kept) == [(0, 1, 0), (1, 2, 0)]
    assert kept.absent_predecessors == 0


def test_a_number_that_several_jobs_have():
    """The first of those that are kept is the one waited for."""
    taken = Instance.of(jobs([-1, -1, 7], job_id=[7, 7, 8], run_time=[0, 10, 10]), 4)
    assert edges(taken) == [(0, 1, 0)]


def test_circles_name_jobs_and_file():
    """By the log's own numbers, in one sentence."""
    log = replace(jobs([12, 10, 11], job_id=[10, 11, 12]), file="loop.swf")
    with pytest.raises(InputError) as caught:
        Instance.of(log, 4)
    assert str(caught.value) == (
        "loop.swf, dependencies: jobs wait for each other in a cycle, by job id: 10 waits for 12 waits for "
        "11 waits for 10; a job may only depend on jobs that do not depend on it"
    )
    with pytest.raises(InputError, match="3 waits for 3"):
        Instance.of(jobs([-1, -1, 3]), 4)


def test_a_run_time_too_short_for_times_with_delays():
    """Times may be as late as all delays together make them, and must still be distinguishable there."""
    log = jobs([-1, 1, 2], [-1, 1e15, -1], run_time=[10, 10, 0.01])
    assert len(Instance.of(log, 4)) == 2
    assert len(Instance.of(log, 4, dependencies="ignore")) == 3


def test_first_submission_is_of_a_job_that_waits_for_none():
    """A job that waits for others may be in the log long before anybody."""
    taken = Instance.of(jobs([2, -1], submit_time=[0, 500]), 4)
    assert taken.first_submission == 500


def test_released_is_the_same_but_for_times():
    """A run's own instance has its releases, and cannot be written."""
    taken = Instance.of(jobs([-1, 1]), 4)
    run = taken.release_at(np.array([0.0, 10.0]))
    assert run.submit_time.tolist() == [0, 10]
    assert taken.submit_time.tolist() == [0, 1]
    assert run.dependencies is taken.dependencies
    with pytest.raises(ValueError, match="read-only"):
        run.submit_time[0] = 1


@pytest.mark.slow
def test_a_million_edges_are_quick():
    """Every job after the one before and one far back: read, checked and sorted in seconds."""
    n_jobs = 500_000
    rng = np.random.default_rng(1)
    after = np.arange(1, n_jobs)
    far = Dependencies.of_edges(n_jobs, (after * rng.random(n_jobs - 1)).astype(np.int64), after)
    log = jobs(np.arange(n_jobs))
    log = replace(log.with_columns(preceding_job=np.where(np.arange(n_jobs) == 0, -1, np.arange(n_jobs))))
    taken = Instance.of(replace(log, dependencies=far), 4)
    assert len(taken.dependencies.predecessor) > 900_000
