"""Estimators: how long will a job run? One file a rule; this is the list of all that are built in."""

from echelon.policies.estimators.average import Average
from echelon.policies.estimators.exact import Exact
from echelon.policies.estimators.named import estimator, estimator_named, estimator_words, names_estimator
from echelon.policies.estimators.registry import ESTIMATORS
from echelon.policies.estimators.request import Request
from echelon.policies.estimators.rule import Estimator, Memory

__all__ = [
    "ESTIMATORS",
    "Average",
    "Estimator",
    "Exact",
    "Memory",
    "Request",
    "estimator",
    "estimator_named",
    "estimator_words",
    "names_estimator",
]
