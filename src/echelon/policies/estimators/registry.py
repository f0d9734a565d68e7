"""The list of all estimators that are built in."""

from typing import TypeAlias

from echelon.policies.estimators.average import Average
from echelon.policies.estimators.corrected import Corrected
from echelon.policies.estimators.decisor import Decisor
from echelon.policies.estimators.exact import Exact
from echelon.policies.estimators.hanzich import Hanzich
from echelon.policies.estimators.hybrid import Hybrid
from echelon.policies.estimators.ibl import InstanceBased
from echelon.policies.estimators.li import Li
from echelon.policies.estimators.request import Request
from echelon.policies.estimators.sdpn import SlowdownModel
from echelon.policies.estimators.smith import Smith

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

ESTIMATORS: tuple[type[BuiltIn], ...] = (
    Request,
    Exact,
    Average,
    Smith,
    Li,
    InstanceBased,
    Hanzich,
    SlowdownModel,
    Hybrid,
    Corrected,
    Decisor,
)

UNLEARNED: tuple[type[BuiltIn], ...] = (Request, Exact, Hanzich, SlowdownModel)
"""Those that, where no nodes are shared, plan with what is known before the run."""
