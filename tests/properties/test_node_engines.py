"""The two engines agree on nodes: start for start, end for end, core for core."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from itertools import product
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import Execution
from echelon.model import (
    ALL_ESTIMATES,
    ESTIMATES,
    Cluster,
    Core,
    Demand,
    Demands,
    FrequencyLevel,
    Hardware,
    Instance,
    Node,
    Processor,
    TaskGroup,
    Workload,
)
from echelon.model.machines.capacity import holds
from echelon.policies import FITS, ORDERS, Easy, FirstFit, NoBackfill, NodeSearch, Policy
from echelon.testing.dependent_jobs import DAGS, dag

sys.path.insert(0, str(Path(__file__).parent))
from static_orders import STATIC

OFTEN = settings()
"""As many examples as the profile draws: workloads by a seed, below, hold many times the jobs."""
SELDOM = examples(40)

CORES = st.builds(Core, st.sampled_from((1.0, 2.0, 1.7)), st.just(1.0), st.sampled_from((1.0, 3.0)))
TIMES = st.one_of(st.sampled_from((1.0, 2.0, 3.5, 10.0)), st.floats(0.1, 20.0))


@st.composite
def processors(draw):
    """Return a strategy for processors of cores of one kind, or of several."""
    if draw(st.booleans()):
        cores = (draw(CORES),) * draw(st.integers(1, 4))
    else:
        cores = tuple(draw(st.lists(CORES, min_size=1, max_size=4)))
    full, half = FrequencyLevel(1.0, 1.0), FrequencyLevel(0.5, 0.3)
    bandwidth = draw(st.sampled_from((1.0, 2.0)))
    return Processor(cores, memory_bandwidth=bandwidth, levels=draw(st.sampled_from(((full,), (full, half)))))


NODES = st.builds(
    Node,
    st.lists(processors(), min_size=1, max_size=3).map(tuple),
    memory=st.sampled_from((4.0, 8.3, 0.9, np.inf)),
)


@st.composite
def machines(draw):
    """Return a strategy for machines: unequal nodes, or copies of one."""
    if draw(st.booleans()):
        return Hardware((Cluster((draw(NODES),) * draw(st.integers(1, 8))),))
    return Hardware((Cluster(tuple(draw(st.lists(NODES, min_size=1, max_size=6)))),))


@st.composite
def demands(draw, hardware):
    """Return a strategy for demands that the machine could hold if it were empty."""
    sequential = draw(st.booleans())
    most = int(hardware.node_cores.max()) if sequential else hardware.cores
    tasks = draw(st.one_of(st.integers(1, min(most, 4)), st.integers(1, most)))
    memory = draw(st.sampled_from((0.0, 0.0, 0.1, 0.5, 1 / 3, 2.1)))
    split = 1 if sequential else draw(st.integers(1, min(tasks, 3)))
    groups = tuple(
        TaskGroup(
            tasks // split + (k < tasks % split), draw(TIMES), memory, draw(st.sampled_from((0.0, 5.0)))
        )
        for k in range(split)
    )
    nodes = 0 if sequential else draw(st.sampled_from((0, 0, 0, 1, 2, 3)))
    limit = 0 if sequential or nodes else draw(st.sampled_from((0, 0, 1, 3)))
    demand = Demand(groups, sequential, nodes, limit)
    return demand if holds(hardware, demand) else Demand((TaskGroup(1, draw(TIMES)),))


@st.composite
def node_rules(draw):
    """Return a strategy for rules that both engines know."""
    search = NodeSearch(draw(st.sampled_from(FITS)), draw(st.sampled_from(STATIC)))
    return NodeRules(
        search, Execution(fixed=draw(st.booleans())), governor=draw(st.sampled_from(("highest", "lowest")))
    )


POLICIES = st.builds(
    Policy.of,
    st.sampled_from(ORDERS[:6]),
    st.sampled_from((NoBackfill(), FirstFit(), Easy(), Easy(fit="best-fit"), Easy(candidates=ORDERS[4]))),
)


@st.composite
def node_scenarios(draw, *, min_jobs=1, max_jobs=25):
    """Return a strategy for scenarios on nodes, with bursts, ties and wrong estimates."""
    hardware = draw(machines())
    n = draw(st.integers(min_jobs, max_jobs))
    drawn = [draw(demands(hardware)) for _ in range(n)]
    horizon = draw(st.sampled_from((0, 5, 40)))
    longest = np.array([max(group.operations for group in demand.groups) for demand in drawn])
    off = np.array([draw(st.sampled_from((0.5, 1.0, 1.0, 3.0))) for _ in range(n)])
    workload = Workload.from_columns(
        submit_time=[draw(st.integers(0, horizon)) for _ in range(n)],
        run_time=longest,
        requested_time=longest * off,
        processors=[demand.tasks for demand in drawn],
    )
    rules = draw(node_rules())
    # Kernels leave run times that are given and longer than planned to the reference engine.
    estimates = draw(st.sampled_from(ESTIMATES if rules.execution.fixed else ALL_ESTIMATES))
    instance = Instance.of(replace(workload, demands=Demands.of(drawn)), hardware, estimates=estimates)
    cycles, seed = draw(st.sampled_from(CYCLES)), draw(st.integers(0, 3))
    return Scenario(instance, draw(POLICIES), system_model=NodeLevelMachine(rules), cycles=cycles, seed=seed)


def assert_engines_agree(scenario):
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    for name in ("start_time", "end"):
        moved = np.flatnonzero(getattr(expected, name) != getattr(found, name))
        assert not len(moved), (
            f"{scenario.policy.name}, cycles {scenario.cycles}: {name} of {moved[0]}, first of {len(moved)}"
        )
    for field in fields(expected.holdings):
        pair = (getattr(schedule.holdings, field.name) for schedule in (expected, found))
        np.testing.assert_array_equal(*pair, err_msg=f"holdings, {field.name}")
    for name in ("run_time", "killed", "submit_time"):
        pair = (getattr(schedule.instance, name) for schedule in (expected, found))
        np.testing.assert_array_equal(*pair, err_msg=name)


@OFTEN
@given(node_scenarios())
def test_engines_agree_on_nodes(scenario):
    """Starts, ends and every core held are the same on small unequal machines."""
    assert_engines_agree(scenario)


@OFTEN
@given(node_scenarios(), st.sampled_from(DAGS), st.integers(0, 99))
def test_engines_agree_on_nodes_where_jobs_wait_for_others(scenario, shape, seed):
    """They are the same, releases too, when jobs wait for others to end, be it because they were cut."""
    assert_engines_agree(replace(scenario, instance=dag(scenario.instance, shape, seed)))


@SELDOM
@given(
    st.integers(0, 2**32 - 1),
    POLICIES,
    node_rules(),
    st.sampled_from(tuple(product(ESTIMATES, CYCLES))),
    st.sampled_from((None, *DAGS)),
)
def test_engines_agree_on_long_queues_on_nodes(seed, policy, rules, times, shape):
    """They are the same when hundreds of jobs of all kinds wait for a dozen nodes, or for each other."""
    rng = np.random.default_rng(seed)
    pair = (
        Processor((Core(1.0), Core(1.0), Core(2.0), Core(1.0)), memory_bandwidth=2.0),
        Processor((Core(1.5),) * 4),
    )
    hardware = Hardware((Cluster((Node(pair, memory=10.0), Node(pair[1:] * 2, memory=16.0)) * 6),))
    n = 200
    drawn = []
    while len(drawn) < n:
        sequential = bool(rng.random() < 0.4)
        tasks = int(rng.integers(1, 9)) if sequential else int(rng.integers(1, 60))
        group = TaskGroup(tasks, float(rng.integers(1, 20)), float(rng.choice((0.0, 0.0, 0.7, 1.0))))
        demand = Demand((group,), sequential, int(rng.choice((0, 0, 2, 5))), 0)
        if holds(hardware, demand):
            drawn.append(demand)
    run = np.array([demand.groups[0].operations for demand in drawn])
    workload = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 400, n)),
        run_time=run,
        requested_time=run * rng.choice((0.8, 1.0, 2.0), n),
        processors=[demand.tasks for demand in drawn],
    )
    estimates, cycles = times
    instance = Instance.of(replace(workload, demands=Demands.of(drawn)), hardware, estimates=estimates)
    if shape is not None:
        instance = dag(instance, shape, seed)
    assert_engines_agree(
        Scenario(instance, policy, system_model=NodeLevelMachine(rules), cycles=cycles, seed=7)
    )
