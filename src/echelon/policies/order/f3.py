"""F3, learned from simulations."""

import math

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("f3", source="Carastan-Santos and de Camargo, SC 2017 (F3)")
def f3(job: Job, view: SystemView) -> float:
    """F3: the smallest e n + 6,860,000 log10(s) first.

    Planned time times processors, weighed against age: learned by nonlinear regression from simulated
    schedules, to lower the mean bounded slowdown. n is the processors, e the planned time and s the submit
    time, in seconds as the log counts them: shifted in time, a log is ordered otherwise. A submit time
    below 1 s counts as 1 s.
    """
    return job.planned_time * job.processors + 6_860_000 * math.log10(max(job.submit_time, 1.0))
