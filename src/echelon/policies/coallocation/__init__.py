"""Co-allocation: nodes of several clusters for one job. One file a way to find them."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.coallocation.contract import PHYSICAL, CoAllocation, Reading, Span, SpanningProblem
    from echelon.policies.coallocation.dynamic_program import DynamicProgram
    from echelon.policies.coallocation.first_feasible import FirstFeasible
    from echelon.policies.coallocation.heuristic import Heuristic
    from echelon.policies.coallocation.low_communication import LowCommunication
    from echelon.policies.coallocation.non_saturated import NonSaturated
    from echelon.policies.coallocation.optimal import Optimal
    from echelon.policies.coallocation.registry import (
        CO_ALLOCATION,
        CO_ALLOCATIONS,
        co_allocation,
        co_allocation_named,
        co_allocation_words,
        names_co_allocation,
    )
    from echelon.policies.coallocation.rule import SpanningRule
    from echelon.policies.coallocation.rule_85 import Rule85
    from echelon.policies.coallocation.threshold import Threshold

__all__ = [
    "CO_ALLOCATION",
    "CO_ALLOCATIONS",
    "PHYSICAL",
    "CoAllocation",
    "DynamicProgram",
    "FirstFeasible",
    "Heuristic",
    "LowCommunication",
    "NonSaturated",
    "Optimal",
    "Reading",
    "Rule85",
    "Span",
    "SpanningProblem",
    "SpanningRule",
    "Threshold",
    "co_allocation",
    "co_allocation_named",
    "co_allocation_words",
    "names_co_allocation",
]

lazily(
    __name__,
    {
        "contract": ("PHYSICAL", "CoAllocation", "Reading", "Span", "SpanningProblem"),
        "dynamic_program": ("DynamicProgram",),
        "first_feasible": ("FirstFeasible",),
        "heuristic": ("Heuristic",),
        "low_communication": ("LowCommunication",),
        "non_saturated": ("NonSaturated",),
        "optimal": ("Optimal",),
        "registry": (
            "CO_ALLOCATION",
            "CO_ALLOCATIONS",
            "co_allocation",
            "co_allocation_named",
            "co_allocation_words",
            "names_co_allocation",
        ),
        "rule": ("SpanningRule",),
        "rule_85": ("Rule85",),
        "threshold": ("Threshold",),
    },
)
