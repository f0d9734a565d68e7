"""WFP3, by relative wait and size."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("wfp3", source="Tang, Lan, Desai and Buettner, CLUSTER 2009")
def wfp3(job: Job, view: SystemView) -> float:
    """WFP3: the largest (w / e)^3 n first, with wait w and planned time e in seconds, and n processors.

    Favors jobs that have waited long for their length, and large ones among them. Changes with time.
    """
    relative_wait = (view.now - job.submit_time) / job.planned_time
    return -(relative_wait * relative_wait * relative_wait) * job.processors
