"""UNICEF, by wait over length and size."""

import math

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("unicef", source="Tang, Lan, Desai and Buettner, CLUSTER 2009", aliases=("unicep",))
def unicef(job: Job, view: SystemView) -> float:
    """UNICEF: the largest w / (e log2 n) first, with wait w and planned time e in seconds, and n processors.

    Favors small jobs that wait: quick turnaround for the many. Changes with time. The paper's logarithm is
    0 for one processor; here a job of one processor counts as one of two.
    """
    return -(view.now - job.submit_time) / unicef_weight(job.processors, job.planned_time)


def unicef_weight(processors: int, planned_time: float) -> float:
    """Return what a wait is divided by: planned time in seconds times log2 of the processors, at least 1."""
    return planned_time * math.log2(max(processors, 2))
