"""Smallest area first."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "smallest-area-first",
    source="Carastan-Santos, de Camargo, Trystram and Zrigui, CCGrid 2019",
    aliases=("saf",),
    columnar=True,
)
def smallest_area_first(job: Job, view: SystemView) -> float:
    """Smallest area first: processors times planned time, in processor-seconds."""
    return job.processors * job.planned_time
