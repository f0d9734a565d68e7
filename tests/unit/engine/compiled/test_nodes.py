"""Nodes in kernels: what they leave to the reference engine, and runs worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.errors import UnsupportedError
from echelon.execution import Execution, network_named
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    Processor,
    Sleep,
    TaskGroup,
    Workload,
)
from echelon.policies import NodeSearch, placement_named, policy
from echelon.policies.sharing import FairSharing

PAIR = Processor((Core(1.0), Core(2.0)))


def machine(nodes=2, sleep=None):
    """Return nodes of one processor with a slow core and a fast one."""
    return Hardware((Cluster((Node((PAIR,), memory=4.0, sleep=sleep),) * nodes),))


def jobs_on(hardware, *demands, requested=(100.0,)):
    """Return jobs that come at once, in this order."""
    n = len(demands)
    workload = Workload.from_columns(
        submit_time=[0.0] * n,
        run_time=[4.0] * n,
        requested_time=(requested * n)[:n],
        processors=[demand.tasks for demand in demands],
    )
    return Instance.of(replace(workload, demands=Demands.of(demands)), hardware)


ONE = Demand((TaskGroup(1, 4.0),))
SPEED = NodeRules(NodeSearch(), Execution())


@pytest.mark.parametrize(
    ("rules", "spec", "reason"),
    [
        (replace(SPEED, sharing=FairSharing(2)), "easy", "tasks that share cores"),
        (replace(SPEED, power_cap=1e6), "easy", "a power cap"),
        (replace(SPEED, network=network_named("constant")), "easy", "'constant' changes rates"),
        (replace(SPEED, placement=placement_named("random")), "easy", "the resource order 'random' depends"),
        (replace(SPEED, placement=placement_named("scatter:by=node")), "easy", "the placement 'scatter"),
        (SPEED, "conservative", "'conservative' is in the reference engine only"),
        (SPEED, "easy(reservations=2)", "'easy' is in the reference engine only"),
        (SPEED, "wfp3", "the order 'wfp3', which changes"),
    ],
)
def test_what_is_left_to_the_reference_engine_is_told(rules, spec, reason):
    """Rules that kernels do not know are refused in words."""
    scenario = Scenario(jobs_on(machine(), ONE), policy(spec), system_model=NodeLevelMachine(rules))
    assert reason in compiled.supports(scenario)
    with pytest.raises(UnsupportedError, match="use engine='reference'"):
        compiled.simulate(scenario)


def test_nodes_that_sleep_are_left_to_the_reference_engine():
    """Whether a node can be switched off is asked of the hardware, too."""
    scenario = Scenario(
        jobs_on(machine(sleep=Sleep(after=5.0)), ONE), policy("easy"), system_model=NodeLevelMachine(SPEED)
    )
    assert "switched off" in compiled.supports(scenario)


def test_a_sequential_job_gives_each_core_back_as_its_task_ends():
    """Two tasks of 4 operations at 1 and 2 a second end after 4 s and 2 s; an MPI job would keep both."""
    spread = Demand((TaskGroup(2, 4.0),))
    for demand, release, next_start in (
        (spread._replace(sequential=True), [4.0, 2.0], 2.0),
        (spread, [4.0, 4.0], 4.0),
    ):
        instance = jobs_on(machine(nodes=1), demand, ONE)
        found = compiled.simulate(Scenario(instance, policy("fcfs"), system_model=NodeLevelMachine(SPEED)))
        assert found.holdings.end[:2].tolist() == [4.0, 2.0]
        assert found.holdings.release[:2].tolist() == release
        assert found.start_time.tolist() == [0.0, next_start]


def test_a_candidate_that_leaves_the_head_its_node_starts():
    """The head needs two cores of one node; a job beyond its shadow time may take the other node."""
    first = Demand((TaskGroup(1, 4.0, memory=4.0),))
    head = Demand((TaskGroup(2, 4.0),), sequential=True)
    instance = jobs_on(machine(), first, first, head, ONE, requested=(10.0, 100.0))
    found = compiled.simulate(Scenario(instance, policy("easy"), system_model=NodeLevelMachine(SPEED)))
    assert found.start_time.tolist() == [0.0, 0.0, 4.0, 0.0]
    # Core 1 would come first, but it is in the node where the head is to start.
    assert found.holdings.cores[found.holdings.job == 3].tolist() == [3]


def test_memory_keeps_jobs_apart():
    """Three tasks of 3 bytes on nodes of 4: one a node, the third when the first has ended."""
    task = Demand((TaskGroup(1, 4.0, memory=3.0),))
    found = compiled.simulate(
        Scenario(jobs_on(machine(), task, task, task), policy("fcfs"), system_model=NodeLevelMachine(SPEED))
    )
    assert found.start_time.tolist() == [0.0, 0.0, 4.0]
    assert found.holdings.processor.tolist() == [0, 1, 0]


def test_a_node_that_is_empty_again_has_all_its_memory():
    """0.9 - 0.2 - 0.2 + 0.2 + 0.2 is a hair less than 0.9, in which nine tasks of 0.1 would not fit."""
    nine = Hardware((Cluster((Node((Processor((Core(1.0),) * 9),), memory=0.9),)),))
    two, all_nine = Demand((TaskGroup(2, 4.0, memory=0.1),)), Demand((TaskGroup(9, 4.0, memory=0.1),))
    for engine in (compiled, reference):
        scenario = Scenario(
            jobs_on(nine, two, two, all_nine), policy("fcfs"), system_model=NodeLevelMachine(SPEED)
        )
        assert engine.simulate(scenario).start_time.tolist() == [0.0, 0.0, 4.0]


def test_jobs_that_run_on_are_planned_anew():
    """Planned ends that pass while tasks on slow cores go on keep the head waiting, and the run ends."""
    instance = jobs_on(machine(nodes=1), Demand((TaskGroup(2, 8.0),)), ONE, ONE, requested=(1.0,))
    found = compiled.simulate(Scenario(instance, policy("easy"), system_model=NodeLevelMachine(SPEED)))
    assert found.end.tolist() == [8.0, 12.0, 10.0]
    assert np.array_equal(found.instance.run_time, found.end - found.start_time)
