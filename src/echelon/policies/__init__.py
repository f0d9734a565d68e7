"""Policies: the questions a scheduler answers, each rule in a file of its own."""

from echelon.policies.backfill import BACKFILLS, Conservative, Easy, FirstFit, NoBackfill, Plan
from echelon.policies.contract import Reserve, Running, Scheduler, Start, SystemView
from echelon.policies.order import ORDERS, Order, order
from echelon.policies.policy import Policy, policy, policy_named, policy_words, split_policies

__all__ = [
    "BACKFILLS",
    "ORDERS",
    "Conservative",
    "Easy",
    "FirstFit",
    "NoBackfill",
    "Order",
    "Plan",
    "Policy",
    "Reserve",
    "Running",
    "Scheduler",
    "Start",
    "SystemView",
    "order",
    "policy",
    "policy_named",
    "policy_words",
    "split_policies",
]
