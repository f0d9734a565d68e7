"""Least requested memory first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "low-memory",
    source="Cuevas Cuesta, Universidad de Cantabria 2022, 2.2, LRMEM",
    aliases=("lrmem", "low-mem"),
)
def low_memory(job: Job, view: SystemView) -> float:
    """Least requested memory first: that of a task, the largest; unknown counts as 0."""
    return max(job.memory, 0.0) if job.demand is None else job.demand.memory
