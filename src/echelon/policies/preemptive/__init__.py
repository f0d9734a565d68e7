"""Preemptive scheduling: who runs now, decided again and again. One file a rule; this is the list of all."""

from echelon.policies.preemptive.priority import PreemptivePriority
from echelon.policies.preemptive.round_robin import RoundRobin
from echelon.policies.preemptive.srtf import ShortestRemainingTimeFirst

PREEMPTIVE: tuple[type[ShortestRemainingTimeFirst | PreemptivePriority | RoundRobin], ...] = (
    ShortestRemainingTimeFirst,
    PreemptivePriority,
    RoundRobin,
)

__all__ = ["PREEMPTIVE", "PreemptivePriority", "RoundRobin", "ShortestRemainingTimeFirst"]
