"""What settings apply to: kinds of machines, and why each refuses what is for another."""

from __future__ import annotations

from echelon.experiments.settings.setting import (
    ELSEWHERE,
    MULTICLUSTER,
    NODES,
    SITES,
    TIME_SHARED,
    Scope,
)

_PLATFORM = "say which with a platform"
_ONE_MACHINE = "is for the nodes of one machine; on a multicluster tasks share the nodes that are least used"
_NODES = f"is for nodes; {_PLATFORM} that has some (--platform FILE|PRESET)"

OF_SITES = Scope(
    "several sites",
    frozenset({SITES, MULTICLUSTER, TIME_SHARED}),
    {ELSEWHERE: f"chooses among sites; {_PLATFORM} (--platform FILE|PRESET)"},
)
OF_NODES = Scope(
    "nodes modelled individually", frozenset({NODES}), {MULTICLUSTER: _ONE_MACHINE, ELSEWHERE: _NODES}
)
OF_NODES_OR_MULTICLUSTERS = Scope(
    "nodes modelled individually, and the shared nodes of a multicluster",
    frozenset({NODES, MULTICLUSTER}),
    {ELSEWHERE: _NODES},
)
OF_MULTICLUSTERS = Scope(
    "the shared nodes of a multicluster",
    frozenset({MULTICLUSTER}),
    {
        ELSEWHERE: f"is for a multicluster, whose nodes are shared; {_PLATFORM} that is one "
        "(--platform FILE|PRESET)"
    },
)
OF_TIME_SHARED = Scope(
    "time-shared machines (without queues)",
    frozenset({TIME_SHARED}),
    {ELSEWHERE: f"is for machines without queues; {_PLATFORM} of such (--platform FILE|PRESET)"},
)
OF_DECISIONS = Scope(
    "time-shared machines (without queues) and multiclusters",
    frozenset({TIME_SHARED, MULTICLUSTER}),
    {
        ELSEWHERE: f"is for machines without queues and multiclusters; {_PLATFORM} of such "
        "(--platform FILE|PRESET)"
    },
)
