"""The estimators by name; a new estimator is added here."""

from __future__ import annotations

from echelon.lazy import Rules
from echelon.policies.estimators.forecast import ForecastingEstimator
from echelon.policies.estimators.rule import Estimator
from echelon.rules.family import Family, name_as_declared

ESTIMATORS: Rules[type[Estimator]] = Rules(
    __package__,
    {
        "request": "simulation.Request",
        "exact": "simulation.Exact",
        "average": "average.Average",
        "smith": "categories.Smith",
        "li": "categories.Li",
        "ibl": "ibl.InstanceBased",
        "hanzich": "simulation.Hanzich",
        "sdpn": "simulation.SlowdownModel",
        "hybrid": "hybrid.Hybrid",
        "corrected": "corrected.Corrected",
        "decisor": "decisor.Decisor",
    },
)
"""In the sequence of the tables."""

ESTIMATOR: Family[Estimator] = Family(
    "estimator",
    [ESTIMATORS],
    example="average:alpha=0.5",
    is_rule=lambda thing: (
        (hasattr(thing, "memory") or hasattr(thing, "forecaster")) and not hasattr(thing, "decide")
    ),
    is_ready=lambda rule: isinstance(rule, Estimator | ForecastingEstimator),
    must="have a name and memory() or forecaster(past)",
    groups=["echelon.estimators"],
    own=name_as_declared,
)
estimator, estimator_named, format_estimator = ESTIMATOR.of, ESTIMATOR.parse, ESTIMATOR.format
names_estimator = ESTIMATOR.in_file
