"""Tasks for the jobs of a log, and demands through the other transforms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Demand, Demands, TaskGroup, Workload
from echelon.workloads import transform
from echelon.workloads.transform import with_tasks


def log() -> Workload:
    """Return three jobs of 1, 4 and 32 processors; memory requested, used, unknown."""
    return Workload.from_columns(
        submit_time=[0, 5, 2],
        run_time=[10, 20, 30],
        allocated_processors=[1, 4, 32],
        requested_memory=[100, -1, -1],
        used_memory=[7, 50, -1],
    )


def demands_of(workload: Workload) -> list[Demand]:
    """Return the demands of all jobs."""
    assert workload.demands is not None
    return [workload.demands[place] for place in range(len(workload))]


def test_a_task_a_processor_as_long_as_the_job():
    """By default MPI jobs whose tasks do a billion operations a second and use the log's memory."""
    first, second, third = demands_of(with_tasks(log()))
    assert first == Demand((TaskGroup(1, 10e9, 100 * 1024.0),))
    assert second == Demand((TaskGroup(4, 20e9, 50 * 1024.0),))
    assert third == Demand((TaskGroup(32, 30e9),))


def test_every_assumption_counts_and_is_recorded():
    """Speed, ipc, kind by size, memory where none is known, volumes and the share of computing."""
    spec = "by-size:cores=4,speed=3e9,ipc=2,memory=10,volume=8,comm=1e6,compute=0.9"
    tasked = with_tasks(log(), spec)
    first, second, third = demands_of(tasked)
    assert first == Demand((TaskGroup(1, 15e9, 102400, 80),), sequential=True)
    assert second == Demand((TaskGroup(4, 30e9, 51200, 160),), sequential=True)
    expected = TaskGroup(32, 45e9, 10240, 240)
    assert third == Demand((expected,), communication_volume=1e6, compute_share=0.9)
    [told] = transform.transformations(tasked)
    for part in ("by-size of 4 cores", "speed 3000000000", "ipc 2", "memory 10", "volume 8", "compute 0.9"):
        assert part in told
    assert all(one.sequential for one in demands_of(with_tasks(log(), "sequential:comm=5")))


@pytest.mark.parametrize(
    ("spec", "error", "sentence"),
    [
        ("mpl", UnknownNameError, "no kind of jobs is named 'mpl'; did you mean 'mpi'"),
        ("mpi:spede=1", UnknownNameError, "no parameter of mpi is named 'spede'; did you mean 'speed'"),
        ("mpi:compute=2", InputError, "parameter compute: must be between 0 and 1, got 2"),
        ("by-size", InputError, "tasks: needs the cores of a node: by-size:cores=16"),
    ],
)
def test_wrong_specs_are_refused(spec, error, sentence):
    """Unknown kinds and settings are told with the nearest, values with their bounds."""
    with pytest.raises(error, match=sentence):
        with_tasks(log(), spec)


@pytest.mark.parametrize(("column", "what"), [("run_time", "run time > 0"), ("allocated_processors", "size")])
def test_jobs_that_never_ran_have_no_tasks(column, what):
    """A job without a run time or a size is named."""
    broken = log().with_columns(**{column: [1, -1, 1]})
    with pytest.raises(InputError, match=rf"1 of 3 jobs have no {what}, .*first: job 2"):
        with_tasks(broken)


@pytest.mark.parametrize(
    "change",
    [
        lambda jobs: transform.window(jobs, start=1),
        lambda jobs: transform.head(jobs, 2, skip=1),
        lambda jobs: transform.filter(jobs, np.array([False, True, True])),
        transform.keep_runnable,
        transform.complete,
        lambda jobs: transform.scale_load(jobs, 2),
        lambda jobs: transform.shift(jobs, 100),
        transform.submit_at_once,
        transform.repair_estimates,
        lambda jobs: transform.draw_estimates(jobs, "factor"),
        transform.renumber,
        transform.sort_by_submit,
    ],
)
def test_demands_follow_their_jobs(change):
    """Whatever picks, orders or moves jobs keeps what each one's tasks ask for."""
    changed = change(with_tasks(log()))
    assert changed.demands is not None
    for job, demand in zip(changed, demands_of(changed), strict=True):
        assert demand.tasks == job.processors
        assert demand.operations == job.run_time * 1e9


def test_merging_joins_demands():
    """Jobs of two logs keep their demands; if one log has none, all are left out, and it is said."""
    mixed = replace(
        log(),
        demands=Demands.of(
            [Demand((TaskGroup(1, 10e9),)), Demand((TaskGroup(1, 1), TaskGroup(3, 20e9)))] * 2
        ).take(np.array([0, 1, 2])),
    ).with_columns(user=[1, 2, 3])
    merged = transform.merge(with_tasks(log()), mixed)
    one, two = demands_of(with_tasks(log())), demands_of(mixed)
    assert demands_of(merged) == [one[0], two[0], one[2], two[2], one[1], two[1]]
    lost = transform.merge(with_tasks(log()), log())
    assert lost.demands is None
    assert (
        "the demand of the jobs' tasks is left out, as not all of "
        "them have it" in transform.transformations(lost)[-1]
    )
    assert "left out" not in transform.transformations(transform.merge(log(), log()))[-1]


def test_scaled_sizes_lose_demands():
    """Tasks of another machine's sizes are not told by the old ones; the record says that they are gone."""
    scaled = transform.scale_size(with_tasks(log()), 16, from_=32)
    assert scaled.demands is None
    assert "left out" in transform.transformations(scaled)[-1]
