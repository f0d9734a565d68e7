"""Testing: check a rule of one's own, tiny workloads with a name, strategies for hypothesis.

`echelon.testing.strategies` needs hypothesis and is therefore imported by its own name only.
"""

from echelon.testing.check import Finding, PolicyCheck, check_policy
from echelon.testing.check_estimator import EstimatorCheck, check_estimator
from echelon.testing.check_metric import MetricCheck, check_metric
from echelon.testing.drawing import draw
from echelon.testing.workloads import CASES, Case, case, crowd

__all__ = [
    "CASES",
    "Case",
    "EstimatorCheck",
    "Finding",
    "MetricCheck",
    "PolicyCheck",
    "case",
    "check_estimator",
    "check_metric",
    "check_policy",
    "crowd",
    "draw",
]
