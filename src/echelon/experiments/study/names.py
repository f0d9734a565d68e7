"""The names that a study file's values begin with, for editors to offer: more may follow after colons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.contract import PASSES
from echelon.engine.immediate.rules import CPU_USES, EXPERIENCES
from echelon.engine.nodes.rules import GOVERNORS, RELEASES, SEQUENTIALS
from echelon.execution import MEMORY_MODELS, NETWORK_MODELS, TimeShared
from echelon.experiments.simulation import ENGINES
from echelon.model import DEPENDENCIES, ESTIMATES_ON_NODES
from echelon.platforms.named import PRESETS
from echelon.policies import (
    ARRANGEMENTS,
    BACKFILLS,
    DISPATCHERS,
    ESTIMATORS,
    IMMEDIATE_STRATEGIES,
    ORDERS,
    PREEMPTIVE,
    STRATEGIES,
)
from echelon.policies.coallocation.registry import CO_ALLOCATIONS
from echelon.policies.placement import placement_names
from echelon.policies.sharing import SHARINGS
from echelon.policies.upper_queue.registry import UPPER_QUEUES
from echelon.workloads import DATASETS, FORMATS, MODELS
from echelon.workloads.grid.ready import RECIPES
from echelon.workloads.local_users import LOCAL_USERS
from echelon.workloads.transform.estimate_models import MODELS as ESTIMATES_MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def _names(things: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(str(getattr(thing, "name", thing)) for thing in things))


ONLY: Mapping[str, list[str]] = {
    "format": _names(FORMATS),
    "estimates": _names(ESTIMATES_ON_NODES),
    "dependencies": _names(DEPENDENCIES),
    "passes": _names(PASSES),
    "engine": _names(ENGINES),
    "governor": _names(GOVERNORS),
    "release": _names(RELEASES),
    "sequential": _names(SEQUENTIALS),
    "experience": _names(EXPERIENCES),
    "cpu_use": _names(CPU_USES),
}
"""Keys that take one of these names and nothing else."""

OFFERED: Mapping[str, list[str]] = {
    "workload": _names([*DATASETS, *MODELS, *RECIPES]),
    "platform": _names(PRESETS),
    "policy": _names([*ORDERS, *BACKFILLS, *PREEMPTIVE]),
    "broker": _names([*STRATEGIES, *IMMEDIATE_STRATEGIES, *DISPATCHERS, *ARRANGEMENTS]),
    "estimator": _names(ESTIMATORS),
    "estimates_model": _names(ESTIMATES_MODELS),
    "place": placement_names(),
    "execution": ["fixed", "speed", *_names([*MEMORY_MODELS, TimeShared])],
    "network": ["none", *_names(NETWORK_MODELS)],
    "sharing": _names(SHARINGS),
    "upper_queue": _names(UPPER_QUEUES),
    "queue_limit": ["unlimited", "stable", "stable:predicted"],
    "co_allocate": ["none", *_names(CO_ALLOCATIONS)],
    "local_users": _names(LOCAL_USERS),
    "monitoring": ["linear", "exponential"],
}
"""Keys whose values may begin with these names; parameters, files and names of one's own are fine, too."""
