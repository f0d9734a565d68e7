"""Least memory volume first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "low-memory-volume",
    source="IRMASim, GitHub 2019, job selection low_mem_ops",
    aliases=("low-mem-ops",),
)
def low_memory_volume(job: Job, view: SystemView) -> float:
    """Least memory volume first: what a task moves to and from memory, the largest; unknown counts as 0."""
    return 0.0 if job.demand is None else job.demand.memory_volume
