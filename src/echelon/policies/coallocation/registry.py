"""The co-allocations by name: the lines to add a new one to."""

from echelon.policies.coallocation.dynamic_program import DynamicProgram
from echelon.policies.coallocation.first_feasible import FirstFeasible
from echelon.policies.coallocation.heuristic import Heuristic
from echelon.policies.coallocation.low_communication import LowCommunication
from echelon.policies.coallocation.non_saturated import NonSaturated
from echelon.policies.coallocation.optimal import Optimal
from echelon.policies.coallocation.rule import SpanningRule
from echelon.policies.coallocation.rule_85 import Rule85
from echelon.policies.coallocation.threshold import Threshold

CO_ALLOCATIONS: tuple[type[SpanningRule], ...] = (
    Optimal,
    NonSaturated,
    FirstFeasible,
    Threshold,
    DynamicProgram,
    Heuristic,
    Rule85,
    LowCommunication,
)
"""In the order in which tables show them: programs, exact rules without one, approximations, baselines."""
