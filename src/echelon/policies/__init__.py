"""Policies: the rules of scheduling, each rule or family in its own file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import lazily
from echelon.rules.parameter import announce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.rules.parameter import Named


def _values() -> Sequence[Named]:
    from echelon.policies.order.registry import values

    return values()


# Rules of every family, also of rooms below, may have orders as parameters.
announce(_values)
lazily(
    __name__,
    {
        "backfill": (
            "BACKFILLS Conservative Easy FirstFit NoBackfill NodeBackfill Plan Relaxed Selective Slack"
        ),
        "broker.admissible": "Admissible admissible",
        "broker.contract": "Broker GridView Information Planned decision_time_of",
        "broker.registry": (
            "PROTOCOLS BROKER DISPATCHERS IMMEDIATE_STRATEGIES STRATEGIES Metascheduler broker_named "
            "broker_of format_broker names_broker"
        ),
        "broker.strategy": "OwnStrategy Strategy broker",
        "capabilities": (
            "Capabilities EstimatorCapabilities capabilities declared_capabilities estimator_capabilities"
        ),
        "coallocation": (
            "CO_ALLOCATIONS CoAllocation Span SpanningProblem co_allocation co_allocation_named "
            "format_co_allocation names_co_allocation"
        ),
        "contract": "Preempt Reserve Running Scheduler Start SystemView Wake Withdraw",
        "decentralized.site_protocol": "SiteProtocol",
        "decentralized.contract": "Decentralized ProtocolView StartAt",
        "estimators": (
            "ESTIMATORS Average Corrected Decisor Estimator Exact Forecaster ForecastingEstimator Hanzich "
            "Hybrid InstanceBased Li Memory QueueWatcher Request SlowdownModel Smith estimator "
            "estimator_named format_estimator names_estimator"
        ),
        "immediate.contract": "Cancel Dispatch DispatchView Dispatcher ImmediateView",
        "immediate.compatibility": "incompatibility",
        "immediate.strategy": "ImmediateStrategy",
        "order": "ORDERS Order order",
        "placement": (
            "ALLOCATORS FITS RESOURCE_ORDERS SEARCHES IdleCore NodeSearch OwnOrder Placement ResourceOrder "
            "Room spread_violation names_placement placement placement_named placement_names placement_of "
            "format_placement"
        ),
        "policy": "Policy policy policy_named policy_names split_policies",
        "preemptive": "PREEMPTIVE PreemptivePriority RoundRobin ShortestRemainingTimeFirst",
    },
    aliases={
        "broker_words": "format_broker",
        "co_allocation_words": "format_co_allocation",
        "estimator_words": "format_estimator",
        "misspread": "spread_violation",
        "placement_words": "format_placement",
        "policy_words": "policy_names",
        "ARRANGEMENTS": "PROTOCOLS",
        "Arrangement": "SiteProtocol",
        "PeersView": "ProtocolView",
    },
)
