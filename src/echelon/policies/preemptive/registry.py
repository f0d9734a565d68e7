"""The preemptive schedulers by name; a new scheduler is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.preemptive.dispatching import Dispatching

PREEMPTIVE: Rules[type[Dispatching]] = Rules(
    __package__,
    {
        "srtf": "srtf.ShortestRemainingTimeFirst",
        "preemptive-priority": "priority.PreemptivePriority",
        "round-robin": "round_robin.RoundRobin",
    },
    {
        "shortest-remaining-time-first": "srtf",
        "gang": "round-robin",
    },
)
"""All built-in preemptive schedulers, in the sequence of the tables."""
