"""Longest planned time first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "longest-first",
    source="SST scheduler, comparator longfirst",
    aliases=("ljf", "longfirst", "lpt", "longest"),
    columnar=True,
)
def longest_first(job: Job, view: SystemView) -> float:
    """Longest planned time first: minus the planned time, in seconds."""
    return -job.planned_time
