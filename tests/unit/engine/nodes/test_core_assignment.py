"""CoreAssigner: jobs of more tasks than cores, where tasks may share them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup

PAIR = Hardware((Cluster((Node((Processor((Core(1e9),) * 2),), memory=6.0),) * 2),))


def jobs(*rows: tuple[int, float, float, bool]) -> ec.Workload:
    """Return jobs of so many tasks, each of so many seconds and bytes, sequential or not, all at once."""
    demands = [Demand((TaskGroup(n, s * 1e9, m),), sequential=q) for n, s, m, q in rows]
    table = ec.Workload.from_columns(
        submit_time=[0.0] * len(rows),
        run_time=[row[1] for row in rows],
        requested_time=[row[1] for row in rows],
        processors=[row[0] for row in rows],
    )
    return replace(table, demands=Demands.of(demands))


@pytest.mark.parametrize("policy", ["fcfs", "first-fit", "easy"])
def test_a_job_of_more_tasks_than_cores_runs_if_they_may_share(policy):
    """Eight tasks of 10 s on four cores take 20 s, after the job before them and before the one behind."""
    three = jobs((1, 5, 0, False), (8, 10, 0, False), (4, 1, 0, False))
    run = ec.simulate(three, platform=PAIR, policy=policy, sharing="fair:most=2")
    start, end = run.jobs["start_time"].to_list(), run.jobs["end_time"].to_list()
    # Two tasks to a core need all four, which the first job must leave; first-fit and EASY let the third by
    # on the three that are left.
    assert start[0] == 0
    assert end[1] - start[1] == 20
    assert run.processors == 4
    assert run.metrics["utilization"] <= 1
    with pytest.raises(InputError, match="job 2 needs 8 cores"):
        ec.simulate(three, platform=PAIR, policy=policy)


def test_memory_and_the_node_bound_what_may_share():
    """A sequential job has the cores of one node times `most`, and all its tasks need their memory there."""
    ec.simulate(jobs((4, 1, 1.5, True)), platform=PAIR, sharing="fair:most=2")
    with pytest.raises(InputError, match="needs 5 cores of one node"):
        ec.simulate(jobs((5, 1, 0, True)), platform=PAIR, sharing="fair:most=2")
    with pytest.raises(InputError, match="each with 2"):
        ec.simulate(jobs((4, 1, 2, True)), platform=PAIR, sharing="fair:most=2")


def test_tasks_of_several_kinds_share_no_core():
    """Such a job needs a core for each."""
    job = jobs((5, 1, 0, False))
    kinds = Demands.of([Demand((TaskGroup(3, 1e9), TaskGroup(2, 2e9)))])
    with pytest.raises(InputError, match="needs 5 cores"):
        ec.simulate(replace(job, demands=kinds), platform=PAIR, sharing="fair")


def test_a_log_keeps_what_fits_when_shared():
    """A job of a log with more processors than the machine has cores is dropped only without sharing."""
    log = ec.Workload.from_columns(submit_time=[0, 0], run_time=[8, 8], processors=[4, 7])
    assert len(ec.simulate(log, platform=PAIR).instance) == 1
    run = ec.simulate(log, platform=PAIR, sharing="round-robin:most=2:quantum=1")
    assert len(run.instance) == 2
    assert run.jobs["end_time"].to_list()[1] - run.jobs["start_time"].to_list()[1] == pytest.approx(16, abs=1)
