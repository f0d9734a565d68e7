"""What NodeRules and a scenario on nodes refuse before a run."""

from __future__ import annotations

import math

import pytest

import echelon as ec
from echelon.engine.nodes.rules import NodeRules
from echelon.errors import InputError, UnknownNameError
from echelon.execution import execution_named, network_named
from echelon.model import Demand, Sleep, TaskGroup
from echelon.policies import placement_named
from echelon.policies.sharing import FairSharing

ONE = Demand((TaskGroup(1, 5.0),))


def rules(execution="speed", **others):
    return NodeRules(placement_named("first-fit"), execution_named(execution), **others)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"power_cap": 0.0}, "power-cap: must be above 0 W, got 0.0"),
        ({"power_cap": math.nan}, "power-cap: must be above 0 W, got nan"),
        ({"sleep_after": -1.0}, "sleep-after: must be at least 0 s, got -1.0"),
        ({"sleep_after": math.nan}, "sleep-after: must be at least 0 s, got nan"),
        ({"execution": "fixed", "network": network_named("constant")}, "constant slows jobs down, but with"),
    ],
)
def test_figures_out_of_range(choices, message):
    """Each is named with what it is and what it may be."""
    with pytest.raises(InputError, match=message):
        rules(**choices)


def test_an_unknown_governor():
    """The three there are, and the one that may have been meant."""
    with pytest.raises(UnknownNameError, match=r"higest.*highest"):
        rules(governor="higest")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"power_cap": 1.5}, "power-cap: must be at least the 2 W that small draws idle, got 1.5 W"),
        (
            {"sleep_after": 5.0},
            "sleep-after: 5 s is for nodes that can be switched off, but no node",
        ),
        ({"sharing": FairSharing(), "spec": "conservative"}, "'conservative' cannot plan with"),
        ({"sharing": FairSharing(), "spec": "easy:reservations=2"}, "'easy' cannot plan with"),
        ({"execution": "memory-v1"}, "memory"),
    ],
)
def test_rules_that_do_not_go_with_the_machine_or_the_policy(scenario, machine, choices, message):
    """They are refused when the scenario is made."""
    with pytest.raises(InputError, match=message):
        scenario(machine(2, 2, power=1.0), (0, ONE), **choices)


def test_a_cap_beside_nodes_that_sleep(scenario, machine):
    """Idle nodes count as on: one below their idle power is refused, though they could sleep."""
    with pytest.raises(InputError, match="must be at least the 2 W"):
        scenario(machine(1, 1, power=1.0, sleep=Sleep(after=0.0)), (0, ONE), power_cap=1.0)


@pytest.mark.parametrize(
    "choice",
    [
        {"place": "best-fit"},
        {"execution": "speed"},
        {"network": "constant"},
        {"sharing": "fair"},
        {"power_cap": 1e9},
        {"governor": "lowest"},
        {"sleep_after": 1.0},
    ],
)
def test_choices_for_nodes_without_nodes(choice):
    """One sentence says that they are for nodes, and how to get some."""
    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    with pytest.raises(InputError, match="applies to nodes"):
        ec.simulate(jobs, processors=4, **choice)


@pytest.mark.parametrize("execution", ["fixed", "speed", "memory-share"])
def test_an_estimator_learns_under_every_execution(machine, execution):
    """Jobs of a log take their 9 s on cores of its speed: the average is half 9, a quarter each 9 and 30."""
    jobs = ec.Workload.from_columns(
        submit_time=[0, 1, 50],
        run_time=[9, 9, 9],
        requested_time=[30, 30, 30],
        processors=[1, 1, 1],
        user=[1] * 3,
    )
    hardware = machine(2, processor={"memory_bandwidth": 1.0})
    run = ec.simulate(jobs, platform=hardware, execution=execution, estimator="average", policy="easy")
    assert run.schedule.planned_time.tolist() == [30, 30, 15]
