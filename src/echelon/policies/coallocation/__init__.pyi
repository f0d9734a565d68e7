# Public names of `echelon.policies.coallocation`: made by docs/generator from the table in its __init__.py.

from echelon.policies.coallocation.baselines import LowCommunication as LowCommunication
from echelon.policies.coallocation.baselines import Rule85 as Rule85
from echelon.policies.coallocation.binary_program import FirstFeasible as FirstFeasible
from echelon.policies.coallocation.binary_program import NonSaturated as NonSaturated
from echelon.policies.coallocation.binary_program import Optimal as Optimal
from echelon.policies.coallocation.contract import PHYSICAL as PHYSICAL
from echelon.policies.coallocation.contract import CoAllocation as CoAllocation
from echelon.policies.coallocation.contract import Reading as Reading
from echelon.policies.coallocation.contract import Span as Span
from echelon.policies.coallocation.contract import SpanningProblem as SpanningProblem
from echelon.policies.coallocation.dynamic_program import DynamicProgram as DynamicProgram
from echelon.policies.coallocation.heuristic import Heuristic as Heuristic
from echelon.policies.coallocation.registry import CO_ALLOCATION as CO_ALLOCATION
from echelon.policies.coallocation.registry import CO_ALLOCATIONS as CO_ALLOCATIONS
from echelon.policies.coallocation.registry import co_allocation as co_allocation
from echelon.policies.coallocation.registry import co_allocation_named as co_allocation_named
from echelon.policies.coallocation.registry import format_co_allocation as format_co_allocation
from echelon.policies.coallocation.registry import names_co_allocation as names_co_allocation
from echelon.policies.coallocation.rule import SpanningRule as SpanningRule
from echelon.policies.coallocation.threshold import Threshold as Threshold
