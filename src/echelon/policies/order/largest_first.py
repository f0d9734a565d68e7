"""Most processors first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "largest-first",
    source="SST scheduler, comparator largefirst; Aida, JSSPP 2000",
    aliases=("largefirst", "ljf-size"),
    columnar=True,
)
def largest_first(job: Job, view: SystemView) -> float:
    """Most processors first: minus the number of processors."""
    return -job.processors
