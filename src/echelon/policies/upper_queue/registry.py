"""The rules of upper queues by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.upper_queue.backfilling import UpperBackfilling
    from echelon.policies.upper_queue.blocking import Blocking
    from echelon.policies.upper_queue.fcfs import Fcfs
    from echelon.policies.upper_queue.pull import Pull
    from echelon.policies.upper_queue.requests import SimultaneousRequests

    BuiltIn: TypeAlias = Fcfs | UpperBackfilling | Blocking | Pull | SimultaneousRequests

UPPER_QUEUES: Rules[type[BuiltIn]] = Rules(
    __package__,
    {
        "fcfs": "fcfs.Fcfs",
        "sjf": "fcfs.ShortestFirst",
        "fpfs": "fcfs.FitProcessorsFirst",
        "backfilling": "backfilling.UpperBackfilling",
        "b": "blocking.Blocking",
        "nb": "blocking.NonBlocking",
        "b.rs": "blocking.BlockingRescheduling",
        "nb.rs": "blocking.NonBlockingRescheduling",
        "pull": "pull.Pull",
        "requests": "requests.SimultaneousRequests",
    },
)
"""In the order in which tables show them."""
