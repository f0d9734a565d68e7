"""The rules of upper queues by name: the lines to add a new one to."""

from echelon.policies.upper_queue.backfilling import UpperBackfilling
from echelon.policies.upper_queue.blocking import (
    Blocking,
    BlockingRescheduling,
    NonBlocking,
    NonBlockingRescheduling,
)
from echelon.policies.upper_queue.fcfs import Fcfs, FitProcessorsFirst, ShortestFirst
from echelon.policies.upper_queue.pull import Pull
from echelon.policies.upper_queue.requests import SimultaneousRequests

UPPER_QUEUES = (
    Fcfs,
    ShortestFirst,
    FitProcessorsFirst,
    UpperBackfilling,
    Blocking,
    NonBlocking,
    BlockingRescheduling,
    NonBlockingRescheduling,
    Pull,
    SimultaneousRequests,
)
"""In the order in which tables show them."""
