"""The estimators by name; a new estimator is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from echelon.lazy import Rules
from echelon.policies.estimators.forecast import ForecastingEstimator
from echelon.policies.estimators.rule import Estimator
from echelon.rules.family import Family, as_declared

if TYPE_CHECKING:
    from echelon.policies.estimators.average import Average
    from echelon.policies.estimators.baselines import Exact, Request
    from echelon.policies.estimators.corrected import Corrected
    from echelon.policies.estimators.decisor import Decisor
    from echelon.policies.estimators.hanzich import Hanzich
    from echelon.policies.estimators.hybrid import Hybrid
    from echelon.policies.estimators.ibl import InstanceBased
    from echelon.policies.estimators.sdpn import SlowdownModel
    from echelon.policies.estimators.templates import Li, Smith

    BuiltIn: TypeAlias = (
        Request
        | Exact
        | Average
        | Smith
        | Li
        | InstanceBased
        | Hanzich
        | SlowdownModel
        | Hybrid
        | Corrected
        | Decisor
    )

ESTIMATORS: Rules[type[BuiltIn]] = Rules(
    __package__,
    {
        "request": "baselines.Request",
        "exact": "baselines.Exact",
        "average": "average.Average",
        "smith": "templates.Smith",
        "li": "templates.Li",
        "ibl": "ibl.InstanceBased",
        "hanzich": "hanzich.Hanzich",
        "sdpn": "sdpn.SlowdownModel",
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
    own=as_declared,
)
estimator, estimator_named, format_estimator = ESTIMATOR.of, ESTIMATOR.parse, ESTIMATOR.format
names_estimator = ESTIMATOR.in_file
