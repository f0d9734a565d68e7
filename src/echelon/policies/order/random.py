"""Random order."""

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order(
    "random",
    source="baseline, no paper; the draw is by job from the run's seed, stream 'order'",
    aliases=("randm",),
    columnar=True,
)
def random(job: Job, view: SystemView) -> float:
    """Random order: one uniform number in [0, 1) a job, drawn once from the run's seed."""
    return view.draw(job)
