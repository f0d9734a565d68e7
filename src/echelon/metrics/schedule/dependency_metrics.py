"""Metrics of jobs that wait for others to end; absent elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.registry.metric import Metric
from echelon.metrics.schedule import per_schedule as of

if TYPE_CHECKING:
    from echelon.metrics.columns.measured_schedule import Measured


def _mean_held(m: Measured) -> float | None:
    return None if m.held is None else of.mean(m.held)


DEPENDENCY_METRICS: tuple[Metric, ...] = (
    Metric(
        "mean_held",
        "s",
        "mean(submit - submit in the log), where submit is when all predecessors of the job have ended",
        "Chapin and others, JSSPP 1999 (fields 17 and 18 of SWF)",
        None,
        _mean_held,
    ),
)
"""In the order of tables and files."""
