"""The co-allocations by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.coallocation.rule import SpanningRule

CO_ALLOCATIONS: Rules[type[SpanningRule]] = Rules(
    __package__,
    {
        "optimal": "optimal.Optimal",
        "non-saturated": "non_saturated.NonSaturated",
        "first-feasible": "first_feasible.FirstFeasible",
        "threshold": "threshold.Threshold",
        "dp": "dynamic_program.DynamicProgram",
        "heuristic": "heuristic.Heuristic",
        "rule-85": "rule_85.Rule85",
        "low-communication": "low_communication.LowCommunication",
    },
)
"""In the order in which tables show them: programs, exact rules without one, approximations, baselines."""
