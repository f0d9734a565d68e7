"""Metrics: how good a schedule is. Pure functions of columns, each with formula, unit and source.

`METRICS` lists every metric of a whole schedule; `measure` computes them all.
"""

from echelon.metrics.known_metrics import METRICS, Metric, measure, metric_named
from echelon.metrics.per_class import per_class
from echelon.metrics.per_job import (
    bounded_slowdown,
    grid_bounded_slowdown,
    slowdown,
    turnaround_time,
    wait_time,
)
from echelon.metrics.per_user import per_user
from echelon.metrics.steps import Steps, busy_processors, queue_length

__all__ = [
    "METRICS",
    "Metric",
    "Steps",
    "bounded_slowdown",
    "busy_processors",
    "grid_bounded_slowdown",
    "measure",
    "metric_named",
    "per_class",
    "per_user",
    "queue_length",
    "slowdown",
    "turnaround_time",
    "wait_time",
]
