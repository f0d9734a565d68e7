"""Testing: check a policy of one's own, tiny workloads with a name, and strategies for hypothesis.

`echelon.testing.strategies` needs hypothesis and is therefore imported by its own name only.
"""

from echelon.testing.check import Finding, PolicyCheck, check_policy
from echelon.testing.drawing import draw
from echelon.testing.workloads import CASES, Case, case, crowd

__all__ = ["CASES", "Case", "Finding", "PolicyCheck", "case", "check_policy", "crowd", "draw"]
