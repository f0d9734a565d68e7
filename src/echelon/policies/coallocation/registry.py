"""The co-allocations by name; a new co-allocation is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules
from echelon.policies.coallocation.contract import CoAllocation
from echelon.rules.family import Family, name_as_declared

if TYPE_CHECKING:
    from echelon.policies.coallocation.rule import SpanningRule

CO_ALLOCATIONS: Rules[type[SpanningRule]] = Rules(
    __package__,
    {
        "optimal": "binary_program.Optimal",
        "non-saturated": "binary_program.NonSaturated",
        "first-feasible": "binary_program.FirstFeasible",
        "threshold": "threshold.Threshold",
        "dp": "dynamic_program.DynamicProgram",
        "heuristic": "heuristic.Heuristic",
        "rule-85": "baselines.Rule85",
        "low-communication": "baselines.LowCommunication",
    },
)
"""In the sequence of the tables: programs, exact rules without one, approximations, baselines."""


def _none() -> None:
    """No co-allocation: a job runs within one cluster."""


CO_ALLOCATION: Family[CoAllocation | None] = Family(
    "co-allocation",
    [CO_ALLOCATIONS],
    example="optimal:seconds=2",
    is_rule=lambda thing: hasattr(thing, "span"),
    is_ready=lambda rule: isinstance(rule, CoAllocation) and isinstance(rule.name, str),
    must="have a name and span(problem)",
    groups=["echelon.co_allocations"],
    own=name_as_declared,
    nothing={"none": _none},
)
co_allocation, co_allocation_named = CO_ALLOCATION.of, CO_ALLOCATION.parse
format_co_allocation, names_co_allocation = CO_ALLOCATION.format, CO_ALLOCATION.in_file
