"""The list of all estimators that are built in."""

from echelon.policies.estimators.average import Average
from echelon.policies.estimators.exact import Exact
from echelon.policies.estimators.request import Request

ESTIMATORS: tuple[type[Request | Exact | Average], ...] = (Request, Exact, Average)
