"""F1, learned from simulations."""

import math

from echelon.model import Job
from echelon.policies.contract import SystemView
from echelon.policies.order.rule import order


@order("f1", source="Carastan-Santos and de Camargo, SC 2017 (F1)")
def f1(job: Job, view: SystemView) -> float:
    """F1: the smallest log10(e) n + 870 log10(s) first.

    The logarithm of the planned time times the processors, weighed against age: learned by nonlinear
    regression from simulated schedules, to lower the mean bounded slowdown. n is the processors, e the
    planned time and s the submit time, in seconds as the log counts them: shifted in time, a log is ordered
    otherwise. A submit time below 1 s counts as 1 s.
    """
    return math.log10(job.planned_time) * job.processors + 870 * math.log10(max(job.submit_time, 1.0))
