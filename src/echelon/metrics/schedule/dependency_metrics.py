"""Metrics of jobs that wait for others to end; absent elsewhere."""

from __future__ import annotations

from echelon.metrics.registry.metric import Metric
from echelon.metrics.schedule import per_schedule as of
from echelon.model.schedules.features import Feature, there

DEPENDENCY_METRICS: tuple[Metric, ...] = (
    Metric(
        "mean_held",
        "s",
        "mean(submit - submit in the log), where submit is when all predecessors of the job have ended",
        "Chapin and others, JSSPP 1999 (fields 17 and 18 of SWF)",
        None,
        lambda m: of.mean(there(m.held)),
        needs=Feature.DEPENDENCIES,
    ),
)
"""In the order of tables and files."""
