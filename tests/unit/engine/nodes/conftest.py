"""Small machines and jobs with tasks, and runs of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import execution_of, network_of
from echelon.model import Cluster, Core, Demands, Hardware, Instance, Node, Processor, Workload
from echelon.policies import placement_named, policy


def _machine(*cores, clock=1.0, processor=None, **node):
    """Return one node for each number of cores, or of arguments of nodes."""
    made = []
    for each in cores:
        own = node | (each if isinstance(each, dict) else {"cores": each})
        count = own.pop("cores")
        part = Processor((Core(clock, dynamic_power=1.0),) * count, **(processor or {}))
        made.append(Node((part,), **own))
    return Hardware((Cluster(tuple(made)),), name="small")


def _scenario(hardware, *jobs, spec="fcfs", estimates="raise", cycles="instant", **rules):
    """Return a scenario of jobs, each (submit time, demand) or with its requested time besides."""
    submit, demands, requested = zip(*((*job, -1.0)[:3] for job in jobs), strict=True)
    table = Workload.from_columns(
        submit_time=submit,
        run_time=np.ones(len(jobs)),
        requested_time=requested,
        processors=[demand.tasks for demand in demands],
    )
    instance = Instance.of(replace(table, demands=Demands.of(demands)), hardware, estimates=estimates)
    observers = rules.pop("observers", ())
    place = rules.pop("place", "first-fit")
    chosen = NodeRules(
        placement_named(place) if isinstance(place, str) else place,
        execution_of(rules.pop("execution", "speed")),
        network_of(rules.pop("network", "none")),
        **rules,
    )
    scheduler = policy(spec)
    return Scenario(
        instance, scheduler, system_model=NodeLevelMachine(chosen), observers=observers, cycles=cycles
    )


@pytest.fixture
def machine():
    return _machine


@pytest.fixture
def scenario():
    return _scenario


@pytest.fixture
def run():
    """Return a function that runs jobs and returns the schedule."""
    return lambda *arguments, **others: reference.simulate(_scenario(*arguments, **others))
