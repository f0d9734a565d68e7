"""The rows of cores that kernels leave of nodes that change."""

from __future__ import annotations

import numpy as np

from echelon.availability import Changes
from echelon.engine.compiled import simulate
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import Execution
from echelon.model import Cluster, Core, Hardware, Instance, Node, OutageKind, Outages, Processor, Workload
from echelon.policies import placement_of, policy

FAST, SLOW = Core(2.0), Core(1.0)


def held(nodes, jobs, *outages, place="first-fit"):
    """Return job, cores, start and end of each row that jobs of (submit, run, size) leave."""
    submit, run, size = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size)
    rows = [(start, end, down, OutageKind.FAIL, -np.inf, 0) for start, end, down in outages]
    scenario = Scenario(
        Instance.of(table, Hardware((Cluster(nodes),))),
        policy("easy"),
        system_model=NodeLevelMachine(NodeRules(placement_of(place), Execution(fixed=True))),
        changes=Changes(Outages.of(rows)),
    )
    found = simulate(scenario).holdings
    parts = np.split(found.cores, found.first_core[1:-1])
    columns = (column.tolist() for column in (found.job, found.start, found.end))
    return [(job, part.tolist(), a, b) for part, job, a, b in zip(parts, *columns, strict=True)]


def test_a_row_for_each_processor_and_attempt():
    """An attempt leaves a row for each processor in which it held cores, the lost attempt as well."""
    node = Node((Processor((SLOW, SLOW)), Processor((SLOW,))))
    assert held((node, node), [(0, 10, 4)], (4, 6, [1])) == [
        (0, [0, 1], 0.0, 4.0),
        (0, [2], 0.0, 4.0),
        (0, [3], 0.0, 4.0),
        (0, [0, 1], 6.0, 16.0),
        (0, [2], 6.0, 16.0),
        (0, [3], 6.0, 16.0),
    ]


def test_rows_for_cores_of_different_speed():
    """Equal cores of a processor are in one row, in order of the lowest core, though others lie between."""
    node = Node((Processor((FAST, SLOW, FAST, SLOW)),))
    assert held((node,), [(0, 10, 4)], (20, 21, [0])) == [(0, [0, 2], 0.0, 10.0), (0, [1, 3], 0.0, 10.0)]


def test_cores_have_their_own_numbers_in_any_resource_order():
    """The fastest node is taken first, and its cores keep their numbers."""
    slow, fast = (Node((Processor((core, core)),)) for core in (SLOW, FAST))
    rows = held((slow, fast, slow), [(0, 10, 3)], (4, 5, [1]), place="high-gigaflops")
    assert rows == [
        (0, [0], 0.0, 4.0),
        (0, [2, 3], 0.0, 4.0),
        (0, [0, 1], 4.0, 14.0),
        (0, [4], 4.0, 14.0),
    ]
