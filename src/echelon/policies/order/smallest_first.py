"""Fewest processors first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "smallest-first",
    source="SST scheduler, comparator smallfirst; Majumdar, Eager and Bunt, SIGMETRICS 1988",
    aliases=("smallfirst", "small", "smallest"),
    columnar=True,
)
def smallest_first(job: Job, view: SystemView) -> float:
    """Fewest processors first: the number of processors."""
    return job.processors
