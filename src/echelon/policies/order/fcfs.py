"""First come, first served."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "fcfs",
    source="Schwiegelshohn and Yahyapour, SODA 1998",
    aliases=("fifo", "fiarr", "first"),
    columnar=True,
)
def fcfs(job: Job, view: SystemView) -> float:
    """First come, first served: every key is equal, so submit time decides."""
    return 0.0
