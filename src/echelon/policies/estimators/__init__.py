"""Estimators: how long will a job run, and wait? One file a rule; the list of all that are built in."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.estimators.average import Average
    from echelon.policies.estimators.baselines import Exact, Request
    from echelon.policies.estimators.corrected import Corrected
    from echelon.policies.estimators.decisor import Decisor
    from echelon.policies.estimators.experienced import Names, case_of, names_of
    from echelon.policies.estimators.forecast import ClusterView, Forecaster, ForecastingEstimator, Slowdown
    from echelon.policies.estimators.hanzich import Hanzich
    from echelon.policies.estimators.hybrid import Hybrid
    from echelon.policies.estimators.ibl import InstanceBased
    from echelon.policies.estimators.li import Li
    from echelon.policies.estimators.registry import (
        ESTIMATOR,
        ESTIMATORS,
        estimator,
        estimator_named,
        estimator_words,
        names_estimator,
    )
    from echelon.policies.estimators.rule import Estimator, Memory, QueueWatcher
    from echelon.policies.estimators.sdpn import SlowdownModel
    from echelon.policies.estimators.smith import Smith

__all__ = [
    "ESTIMATOR",
    "ESTIMATORS",
    "Average",
    "ClusterView",
    "Corrected",
    "Decisor",
    "Estimator",
    "Exact",
    "Forecaster",
    "ForecastingEstimator",
    "Hanzich",
    "Hybrid",
    "InstanceBased",
    "Li",
    "Memory",
    "Names",
    "QueueWatcher",
    "Request",
    "Slowdown",
    "SlowdownModel",
    "Smith",
    "case_of",
    "estimator",
    "estimator_named",
    "estimator_words",
    "names_estimator",
    "names_of",
]

lazily(
    __name__,
    {
        "average": ("Average",),
        "baselines": ("Exact", "Request"),
        "corrected": ("Corrected",),
        "decisor": ("Decisor",),
        "experienced": ("Names", "case_of", "names_of"),
        "forecast": ("ClusterView", "Forecaster", "ForecastingEstimator", "Slowdown"),
        "hanzich": ("Hanzich",),
        "hybrid": ("Hybrid",),
        "ibl": ("InstanceBased",),
        "li": ("Li",),
        "registry": (
            "ESTIMATOR",
            "ESTIMATORS",
            "estimator",
            "estimator_named",
            "estimator_words",
            "names_estimator",
        ),
        "rule": ("Estimator", "Memory", "QueueWatcher"),
        "sdpn": ("SlowdownModel",),
        "smith": ("Smith",),
    },
)
