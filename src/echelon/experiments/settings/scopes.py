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

_GIVE = "(--platform FILE|PRESET)"
_ONE_MACHINE = "applies to nodes of which jobs hold cores; on a multicluster tasks share the least used nodes"
_NODES = f"applies to nodes; give a platform with nodes {_GIVE}"

OF_SITES = Scope(
    "several sites",
    frozenset({SITES, MULTICLUSTER, TIME_SHARED}),
    {ELSEWHERE: f"applies to several sites; give a platform with sites {_GIVE}"},
)
OF_NODES = Scope(
    "nodes modeled individually", frozenset({NODES}), {MULTICLUSTER: _ONE_MACHINE, ELSEWHERE: _NODES}
)
OF_NODES_OR_MULTICLUSTERS = Scope(
    "nodes modeled individually, and the shared nodes of a multicluster",
    frozenset({NODES, MULTICLUSTER}),
    {ELSEWHERE: _NODES},
)
OF_MULTICLUSTERS = Scope(
    "the shared nodes of a multicluster",
    frozenset({MULTICLUSTER}),
    {ELSEWHERE: f"applies to a multicluster, whose nodes are shared; give one {_GIVE}"},
)
OF_TIME_SHARED = Scope(
    "time-shared machines",
    frozenset({TIME_SHARED}),
    {ELSEWHERE: f"applies to time-shared machines; give a platform with such machines {_GIVE}"},
)
