"""F4, learned from simulations."""

import math

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("f4", source="Carastan-Santos and de Camargo, SC 2017 (F4)")
def f4(job: Job, view: SystemView) -> float:
    """F4: the smallest e sqrt(n) + 530,000 log10(s) first.

    Planned time times the square root of the processors, weighed against age: learned by nonlinear
    regression from simulated schedules, to lower the mean bounded slowdown. n is the processors, e the
    planned time and s the submit time, in seconds as the log counts them: shifted in time, a log is ordered
    otherwise. A submit time below 1 s counts as 1 s.
    """
    return job.planned_time * math.sqrt(job.processors) + 530_000 * math.log10(max(job.submit_time, 1.0))
