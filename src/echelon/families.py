"""All families of rules by name; each is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.rules import Family

FAMILIES: Rules[Family[Any]] = Rules(
    "echelon",
    {
        "policies": "policies.policy.POLICY",
        "estimators": "policies.estimators.registry.ESTIMATOR",
        "brokers": "policies.broker.registry.BROKER",
        "placements": "policies.placement.registry.PLACEMENT",
        "sharings": "policies.sharing.SHARING",
        "executions": "execution.registry.EXECUTION",
        "executions-on-shared-nodes": "execution.registry.TIME_SHARED_NODES",
        "network-models": "execution.registry.NETWORK_MODEL",
        "global-queues": "policies.global_queue.registry.GLOBAL_QUEUE",
        "queue-limits": "policies.global_queue.registry.QUEUE_LIMIT",
        "memberships": "policies.global_queue.several.MEMBERSHIP",
        "site-filters": "policies.broker.site_filter.SITE_FILTER",
        "co-allocations": "policies.coallocation.registry.CO_ALLOCATION",
        "local-users": "workloads.local_users.registry.LOCAL_USER",
        "topologies": "model.topology.topology_spec.TOPOLOGY",
        "monitoring": "model.machines.monitoring.MONITORING",
        "laws": "availability.laws.registry.LAW",
        "metrics": "metrics.registry.known_metrics.METRIC",
        "workload-models": "workloads.families.MODEL",
        "workload-formats": "workloads.families.FORMAT",
    },
    {
        **dict.fromkeys(("orders", "backfillings", "preemptive", "schedulers"), "policies"),
        "models": "workload-models",
        "upper-queues": "global-queues",
        "formats": "workload-formats",
    },
)
"""In the order in which ``echelon rules`` lists them."""

_LISTS: Rules[Rules[Any]] = Rules(
    "echelon.policies",
    {
        "orders": "order.registry.ORDERS",
        "backfillings": "backfill.registry.BACKFILLS",
        "preemptive": "preemptive.registry.PREEMPTIVE",
    },
)

PARTS = {
    "orders": (["orders"], ["echelon.orders"], "shortest-first"),
    "backfillings": (["backfillings"], [], "easy:shortest-first"),
    "preemptive": (["preemptive"], [], "round-robin:quantum=60"),
    "schedulers": (["backfillings", "preemptive"], ["echelon.schedulers"], "easy:shortest-first"),
}
"""The lists, the groups of entry points and an example of each part of a family that has a name."""


def rules_called(name: str) -> Family[Any]:
    """Return the family of a name or alias, which lists only its part if that has a name: ``orders``."""
    family = FAMILIES.named(FAMILIES.words[name])
    if name not in PARTS:
        return family
    lists, groups, example = PARTS[name]
    return family.restrict([_LISTS.named(one) for one in lists], groups, example)
