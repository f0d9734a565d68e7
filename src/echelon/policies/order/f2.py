"""F2, learned from simulations."""

import math

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("f2", source="Carastan-Santos and de Camargo, SC 2017 (F2)")
def f2(job: Job, view: SystemView) -> float:
    """F2: the smallest sqrt(e) n + 25,600 log10(s) first.

    The square root of the planned time times the processors, weighed against age: learned by nonlinear
    regression from simulated schedules, to lower the mean bounded slowdown. n is the processors, e the
    planned time and s the submit time, in seconds as the log counts them: shifted in time, a log is ordered
    otherwise. A submit time below 1 s counts as 1 s.
    """
    return math.sqrt(job.planned_time) * job.processors + 25_600 * math.log10(max(job.submit_time, 1.0))
