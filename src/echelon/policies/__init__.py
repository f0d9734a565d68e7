"""Policies: the questions a scheduler answers, each rule in a file of its own."""

from echelon.policies.backfill import (
    BACKFILLS,
    Conservative,
    Easy,
    FirstFit,
    NoBackfill,
    Plan,
    Relaxed,
    Selective,
    Slack,
)
from echelon.policies.broker.admissible import Admissible, admissible
from echelon.policies.broker.contract import Broker, GridView, Information, Planned
from echelon.policies.broker.named import broker_named, broker_of, broker_words, names_broker
from echelon.policies.broker.registry import STRATEGIES
from echelon.policies.broker.strategy import OwnStrategy, Strategy, broker
from echelon.policies.contract import (
    Preempt,
    Reserve,
    Running,
    Scheduler,
    Start,
    SystemView,
    Wake,
    Withdraw,
)
from echelon.policies.decentralized.arrangement import Arrangement
from echelon.policies.decentralized.contract import Decentralized, PeersView, StartAt
from echelon.policies.decentralized.named import ARRANGEMENTS
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
    names_estimator,
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
    "ARRANGEMENTS",
    "BACKFILLS",
    "ESTIMATORS",
    "ORDERS",
    "PREEMPTIVE",
    "STRATEGIES",
    "Admissible",
    "Arrangement",
    "Average",
    "Broker",
    "Conservative",
    "Decentralized",
    "Easy",
    "Estimator",
    "Exact",
    "FirstFit",
    "GridView",
    "Information",
    "Memory",
    "NoBackfill",
    "Order",
    "OwnStrategy",
    "PeersView",
    "Plan",
    "Planned",
    "Policy",
    "Preempt",
    "PreemptivePriority",
    "Relaxed",
    "Request",
    "Reserve",
    "RoundRobin",
    "Running",
    "Scheduler",
    "Selective",
    "ShortestRemainingTimeFirst",
    "Slack",
    "Start",
    "StartAt",
    "Strategy",
    "SystemView",
    "Wake",
    "Withdraw",
    "admissible",
    "broker",
    "broker_named",
    "broker_of",
    "broker_words",
    "estimator",
    "estimator_named",
    "estimator_words",
    "names_broker",
    "names_estimator",
    "order",
    "policy",
    "policy_named",
    "policy_words",
    "split_policies",
]
