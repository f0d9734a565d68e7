"""Preemptive scheduling: who runs now, decided again and again. One file a rule; `registry` lists all."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.preemptive.priority import PreemptivePriority
    from echelon.policies.preemptive.registry import PREEMPTIVE
    from echelon.policies.preemptive.round_robin import RoundRobin
    from echelon.policies.preemptive.srtf import ShortestRemainingTimeFirst

__all__ = ["PREEMPTIVE", "PreemptivePriority", "RoundRobin", "ShortestRemainingTimeFirst"]

lazily(
    __name__,
    {
        "priority": ("PreemptivePriority",),
        "registry": ("PREEMPTIVE",),
        "round_robin": ("RoundRobin",),
        "srtf": ("ShortestRemainingTimeFirst",),
    },
)
