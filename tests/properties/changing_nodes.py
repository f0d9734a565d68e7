"""Random machines of nodes that change, and jobs with demands on their nodes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from changing_scenarios import ALL, FIXED, random_changes, random_policy, random_table
from static_orders import STATIC

from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import Execution
from echelon.model import (
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
from echelon.policies import Easy, NodeSearch, Policy
from echelon.testing.dependent_jobs import random_edges


def random_nodes(seed: int, what: frozenset[str] = ALL, *, plain: bool = False) -> Scenario:
    """Return a run of a few jobs on nodes to which some of `what` happens.

    `plain`: jobs ask for numbers of cores alone, and take the first ones.
    """
    random = Random(seed)
    hardware, grain = _hardware(random), random.choice((1.0, 1.0, 0.1, 1 / 3))
    table = random_table(random, hardware.cores, what, grain)
    if not plain:
        demands = [_demand(random, hardware, size) for size in table.processors.tolist()]
        table = replace(table, demands=Demands.of(demands))
    instance = Instance.of(table, hardware, estimates=random.choice(("raise", "kill")))
    if random.random() < 0.2:
        instance = random_edges(instance, seed)
    search = NodeSearch()
    if not plain:
        search = NodeSearch(
            random.choice(("first-fit", "best-fit", "worst-fit")), random.choice((STATIC[0], *STATIC))
        )
    rules = NodeRules(search, Execution(fixed=True), governor=random.choice(("highest", "lowest")))
    return Scenario(
        instance,
        random_policy(random),
        system_model=NodeLevelMachine(rules),
        changes=random_changes(random, len(hardware.nodes), what, grain),
        seed=random.randrange(10),
    )


def crowded_nodes(seed: int) -> Scenario:
    """Return a run of many jobs under EASY on nodes of which some fail or are maintained."""
    random = Random(seed)
    hardware = _hardware(random)
    run = [random.randint(1, 30) for _ in range(40)]
    table = Workload.from_columns(
        submit_time=[random.randint(0, 40) for _ in run],
        run_time=run,
        requested_time=[time * random.choice((1, 2)) for time in run],
        processors=[random.randint(1, random.choice((hardware.cores, -(-hardware.cores // 3)))) for _ in run],
    )
    demands = [_demand(random, hardware, size) for size in table.processors.tolist()]
    what = frozenset((random.choice(("failures", "maintenance")),))
    rules = NodeRules(
        NodeSearch(random.choice(("first-fit", "best-fit", "worst-fit"))), Execution(fixed=True)
    )
    return Scenario(
        Instance.of(replace(table, demands=Demands.of(demands)), hardware),
        Policy.of(random.choice(FIXED), Easy(fit=random.choice(("first-fit", "best-fit")))),
        system_model=NodeLevelMachine(rules),
        changes=random_changes(random, len(hardware.nodes), what, 1.0),
    )


def _hardware(random: Random) -> Hardware:
    """Return nodes of one core, or equal ones, or several kinds."""
    count = random.choice((1, 2, 3, 5, 8, 20))
    kinds = random.choice((1, 1, 2, 3))
    nodes = [_node(random, 1 if kinds == 1 and random.random() < 0.3 else 5) for _ in range(kinds)]
    return Hardware((Cluster(tuple(random.choice(nodes) for _ in range(count))),))


def _node(random: Random, most: int) -> Node:
    levels = (FrequencyLevel(1.0, 1.0), FrequencyLevel(0.5, 0.3))[: random.choice((1, 2))]
    processors = tuple(
        Processor(
            (Core(random.choice((1.0, 2.0))),) * random.randint(1, most),
            memory_bandwidth=random.choice((1.0, 2.0)),
            levels=levels,
        )
        for _ in range(1 if most == 1 else random.choice((1, 1, 2)))
    )
    return Node(processors, memory=random.choice((4.0, 4.0, 8.3, np.inf)))


def _demand(random: Random, hardware: Hardware, size: int) -> Demand:
    """Return a demand for `size` cores that the empty machine can hold, often one that leaves little over."""
    spread = random.choice(({}, {}, {"sequential": True}, {"nodes": 2}, {"nodes": 3}, {"tasks_per_node": 2}))
    memories = (0.0,) if random.random() < 0.4 else random.sample((3.9, 2.1, 1.3, 0.5, 1 / 3, 0.1), 3)
    for memory in sorted(memories, reverse=True):
        drawn = Demand((TaskGroup(size, 1.0, memory=memory),), **spread)
        if holds(hardware, drawn):
            return drawn
    return Demand((TaskGroup(size, 1.0),))
