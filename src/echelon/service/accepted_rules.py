"""Accepted rules: brokers, global queues and estimators that a service takes, and why it refuses others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import EchelonError, InputError
from echelon.policies.broker.registry import DECENTRALIZED, DISPATCHERS, IMMEDIATE_STRATEGIES, STRATEGIES
from echelon.policies.estimators.registry import ESTIMATORS
from echelon.policies.global_queue.registry import GLOBAL_QUEUES
from echelon.service.core.controllers.engine_scenario import engine_scenario
from echelon.service.core.controllers.predictor import why_not_predicted
from echelon.service.rules import ClusterRules, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

COPIES = ("requests",)
"""Global queues that put copies of a job into several clusters."""

_TWO = Rules((ClusterRules("alpha"), ClusterRules("beta")))


class AcceptedRule(NamedTuple):
    """Whether a service accepts a rule.

    Attributes
    ----------
    kind : str
        ``"broker"``, ``"global queue"`` or ``"estimator"``.
    name : str
        Its spec.
    why_not : str
        Why it is refused; empty: it is accepted.
    """

    kind: str
    name: str
    why_not: str


def why_not_served(rules: Rules) -> str | None:
    """Return why a service cannot decide by these rules; None if it can."""
    try:
        # One processor each is enough to know.
        check_served(rules, dict.fromkeys(rules.names, 1))
    except EchelonError as error:
        return str(error)
    return None


def check_served(rules: Rules, sizes: Mapping[str, int]) -> None:
    """Refuse rules that a service cannot decide by.

    Raises
    ------
    InputError, UnknownNameError
        If it cannot.
    """
    from echelon.engine.live import Core

    if (queue := rules.global_queue) and queue.partition(":")[0].strip() in COPIES:
        raise InputError(
            f"{queue!r} submits copies of one job to several clusters, and nothing keeps two of them from "
            "starting at once on real clusters; choose a queue that sends each job to one cluster",
            field="global queue",
        )
    if reason := why_not_predicted(rules.estimator):
        raise InputError(reason, field="estimator")
    Core(engine_scenario(rules, sizes))


def served_rules() -> list[AcceptedRule]:
    """Return all built-in brokers, global queues and estimators, each with whether a service accepts it."""
    brokers = [name for kinds in (STRATEGIES, IMMEDIATE_STRATEGIES, DISPATCHERS, DECENTRALIZED)
               for name in kinds.names]  # fmt: skip
    trials = (
        [("broker", name, replace(_TWO, broker=name)) for name in brokers]
        + [("global queue", name, replace(_TWO, global_queue=name)) for name in GLOBAL_QUEUES.names]
        + [("estimator", name, replace(_TWO, estimator=name)) for name in ESTIMATORS.names]
    )
    return [AcceptedRule(kind, name, why_not_served(rules) or "") for kind, name, rules in trials]
