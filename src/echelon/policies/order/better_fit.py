"""Most processors first, then longest planned time."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("better-fit", source="SST scheduler, comparator betterfit", aliases=("betterfit",), columnar=True)
def better_fit(job: Job, view: SystemView) -> tuple[float, float]:
    """Most processors first, then the longest planned time, in seconds."""
    return -job.processors, -job.planned_time
