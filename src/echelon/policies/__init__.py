"""Policies: the questions a scheduler answers, each rule in a file of its own."""

from echelon.policies.backfill import BACKFILLS, Conservative, Easy, FirstFit, NoBackfill, Plan, Selective
from echelon.policies.contract import Preempt, Reserve, Running, Scheduler, Start, SystemView, Wake
from echelon.policies.estimators import (
    ESTIMATORS,
    Average,
    Estimator,
    Exact,
    Memory,
    Request,
    estimator,
    estimator_named,
    estimator_words,
)
from echelon.policies.order import ORDERS, Order, order
from echelon.policies.policy import Policy, policy, policy_named, policy_words, split_policies
from echelon.policies.preemptive import (
    PREEMPTIVE,
    PreemptivePriority,
    RoundRobin,
    ShortestRemainingTimeFirst,
)

__all__ = [
    "BACKFILLS",
    "ESTIMATORS",
    "ORDERS",
    "PREEMPTIVE",
    "Average",
    "Conservative",
    "Easy",
    "Estimator",
    "Exact",
    "FirstFit",
    "Memory",
    "NoBackfill",
    "Order",
    "Plan",
    "Policy",
    "Preempt",
    "PreemptivePriority",
    "Request",
    "Reserve",
    "RoundRobin",
    "Running",
    "Scheduler",
    "Selective",
    "ShortestRemainingTimeFirst",
    "Start",
    "SystemView",
    "Wake",
    "estimator",
    "estimator_named",
    "estimator_words",
    "order",
    "policy",
    "policy_named",
    "policy_words",
    "split_policies",
]
