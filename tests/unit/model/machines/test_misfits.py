"""Misfits: jobs that fit nowhere are found and told together."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Instance, Node, Processor, TaskGroup
from echelon.model.machines.misfits import misfits_of

NODE = Node((Processor((Core(1e9),) * 4),), memory=8e9)
TWO = Hardware((Cluster((NODE, replace(NODE, memory=2e9))),), name="two")


def asking(*demands: Demand) -> ec.Workload:
    """Return jobs with these demands, all submitted at once."""
    jobs = ec.Workload.from_columns(
        submit_time=[0.0] * len(demands), run_time=[1.0] * len(demands), processors=[d.tasks for d in demands]
    )
    return replace(jobs, demands=Demands.of(demands))


def test_what_fits_on_the_empty_machine():
    """One node for a sequential job, all of them for others; memory counts for each task."""
    demands = Demands.of(
        [
            Demand((TaskGroup(4, 1.0, 2e9),), sequential=True),
            Demand((TaskGroup(5, 1.0),), sequential=True),
            Demand((TaskGroup(5, 1.0, 2e9),)),
            Demand((TaskGroup(6, 1.0, 2e9),)),
            Demand((TaskGroup(8, 1.0),), nodes=2),
            Demand((TaskGroup(8, 1.0),), nodes=3),
            Demand((TaskGroup(5, 1.0),), tasks_per_node=2),
        ]
    )
    assert misfits_of(demands, TWO).tolist() == [1, 3, 5, 6]


def test_a_workload_with_demands_is_refused_with_all_its_misfits():
    """In one sentence: every job, what it asks for, and what there is."""
    jobs = asking(
        Demand((TaskGroup(5, 1e9),), sequential=True),
        Demand((TaskGroup(1, 1e9),)),
        Demand((TaskGroup(9, 1e9),)),
        Demand((TaskGroup(1, 1e9, 9e9),)),
    )
    with pytest.raises(InputError) as refused:
        Instance.of(jobs, TWO)
    said = str(refused.value)
    assert "3 jobs can never start" in said
    assert "job 1 needs 5 cores of one node" in said
    assert "job 3 needs 9 cores" in said
    assert "job 4 needs 1 core, each with" in said
    assert "two has 2 nodes of up to 4 cores" in said


def test_a_log_loses_what_does_not_fit_and_says_so():
    """As it does jobs that are too large; strict, it is refused."""
    log = ec.Workload.from_columns(
        submit_time=[0, 0, 0], run_time=[1, 1, 1], processors=[8, 9, 1], requested_memory=[1.0, 1.0, 1e8]
    )
    taken = Instance.of(log, TWO)
    assert taken.kept.tolist() == [0]
    assert [drop.count for drop in taken.dropped] == [1, 1]
    assert "fits on no node" in taken.dropped[1].reason
    with pytest.raises(InputError, match="1 job can never start: job 3"):
        Instance.of(log.take(log.job_id == 3), TWO, strict=True)


def test_a_log_is_taken_as_parallel_jobs():
    """Each processor a task, with the operations that a mean core does in the run time."""
    log = ec.Workload.from_columns(
        submit_time=[0], run_time=[10], processors=[3], requested_memory=[1000], requested_time=[20]
    )
    taken = Instance.of(log, TWO)
    assert taken.demands is not None
    demand = taken.demands[0]
    assert not demand.sequential
    assert demand.groups == (TaskGroup(3, 1e10, 1000 * 1024.0, 0.0),)
    assert taken.planned_time.tolist() == [20]


def test_demands_say_how_long_a_job_takes_alone():
    """The longest task on a core of mean speed; a missing request counts as that."""
    jobs = asking(Demand((TaskGroup(1, 3e9), TaskGroup(2, 5e9))))
    taken = Instance.of(jobs, TWO)
    assert taken.run_time.tolist() == [5.0]
    assert taken.planned_time.tolist() == [5.0]
    assert taken.jobs()[0].demand == jobs.demands[0]
