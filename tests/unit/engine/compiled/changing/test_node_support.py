"""What kernels know of nodes that change, and how they say what they do not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.availability import Changes
from echelon.engine.compiled import supports
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.worlds import NodeLevelMachine
from echelon.execution import Execution, execution_named
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    OutageKind,
    Outages,
    Processor,
    Sleep,
    TaskGroup,
    Workload,
)
from echelon.policies import placement_of, policy
from echelon.policies.sharing import RoundRobinSharing

NODE = Node((Processor((Core(1.0), Core(1.0))),), memory=8.0)
JOBS = Workload.from_columns(submit_time=[0, 1], run_time=[5, 5], processors=[1, 2])
FIXED = Execution(fixed=True)
FAILURE = Changes(Outages.of([(2.0, 4.0, [1], OutageKind.FAIL, -np.inf, 0)]))


class Lowest:
    """A placement of the user's own."""

    name = "lowest"

    def place(self, job, cores, room):
        """Return the first idle cores of the first node."""
        return room.idle(0)[:cores]


def reason(place="first-fit", *, how="easy", node=NODE, demands=(), execution=FIXED, **rules):
    """Return why kernels cannot run two jobs on two nodes of which one fails; None if they can."""
    table = replace(JOBS, demands=Demands.of(demands)) if demands else JOBS
    instance = Instance.of(table, Hardware((Cluster((node, node)),)))
    world = NodeLevelMachine(NodeRules(placement_of(place), execution, **rules))
    return supports(Scenario(instance, policy(how), world=world, changes=FAILURE))


@pytest.mark.parametrize("place", ["first-fit", "best-fit", "worst-fit", "high-memory", "best-fit:low-power"])
def test_known_searches(place):
    """The three node searches are known, in orders that keep the cores of a node together."""
    assert reason(place) is None


@pytest.mark.parametrize(
    "asked", [{"memory": 3.0}, {"nodes": 2}, {"tasks_per_node": 1}, {"sequential": True}], ids=str
)
def test_known_demands(asked):
    """Memory, numbers of nodes, tasks per node and jobs in one node are known."""
    memory = asked.pop("memory", 0.0)
    demands = [Demand((TaskGroup(size, 1.0, memory=memory),), **asked) for size in (1, 2)]
    assert reason(demands=[Demand((TaskGroup(1, 1.0),)), demands[1]]) is None


@pytest.mark.parametrize(
    ("why", "case"),
    [
        ("'conservative' is in the reference engine only", {"how": "conservative"}),
        ("one reservation in each cycle", {"how": "easy:reservations=2"}),
        ("fixed run times", {"execution": execution_named("speed")}),
        ("share cores", {"sharing": RoundRobinSharing()}),
        ("power cap", {"node": replace(NODE, processors=(replace(NODE.processors[0], static_power=1.0),)),
                       "power_cap": 100.0}),
        ("switched off", {"node": replace(NODE, sleep=Sleep(1.0, 1.0, 1.0, 1.0))}),
        ("'lowest' is in the reference engine only", {"place": Lowest()}),
        ("'random' depends on more than the machine", {"place": "random"}),
        ("mixes the cores of several nodes", {
            "place": "high-gigaflops",
            "node": Node((Processor((Core(1.0),)), Processor((Core(2.0),)))),
        }),
        ("several kinds of tasks", {
            "demands": [Demand((TaskGroup(1, 1.0),)), Demand((TaskGroup(1, 1.0), TaskGroup(1, 2.0)))],
        }),
        ("memory traffic", {
            "demands": [Demand((TaskGroup(1, 1.0),)), Demand((TaskGroup(2, 1.0, memory_volume=1.0),))],
        }),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_what_stays_with_the_reference_engine(why, case):
    """Each thing that kernels do not know of nodes that change is refused in one sentence that names it."""
    assert why in reason(**case)
