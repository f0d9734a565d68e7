"""Shortest planned time first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "shortest-first",
    source="SST scheduler, comparator shortfirst; Tsafrir, Etsion and Feitelson, IEEE TPDS 2007",
    aliases=("sjf", "shortfirst", "spt", "short", "shortest"),
    columnar=True,
)
def shortest_first(job: Job, view: SystemView) -> float:
    """Shortest planned time first: the planned time, in seconds."""
    return job.planned_time
