"""Least requested memory bandwidth first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "low-memory-bandwidth",
    source="Cuevas Cuesta, Universidad de Cantabria 2022, 2.2, LRMBW",
    aliases=("lrmbw", "low-mem-bw"),
)
def low_memory_bandwidth(job: Job, view: SystemView) -> float:
    """Least requested memory bandwidth first: a task's memory volume / planned time; unknown is 0."""
    return 0.0 if job.demand is None else job.demand.memory_volume / job.planned_time
