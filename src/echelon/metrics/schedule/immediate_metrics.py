"""Metrics of runs on time-shared machines: how long jobs took beside each other, and what copies cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.metric import Metric
from echelon.metrics.schedule import per_schedule as of

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.metrics.columns.measured_schedule import Measured

_STUDY = "Rodrigues et al., about 2014, section 4"
_PLAIN = "no paper"


def _there(value: Callable[[Measured], float]) -> Callable[[Measured], float | None]:
    return lambda m: value(m) if m.immediate else None


def _most_per_core(m: Measured) -> float:
    return float((m.processes[1] / m.schedule.instance.sites.sizes).max())


def _replicated_share(m: Measured) -> float | None:
    """Return the share of the work that was wasted; None where jobs are never replicated."""
    copies, platform = m.schedule.recorded, m.schedule.instance.platform
    if copies is None or copies.cpu_time is None or platform is None:
        return None
    work = copies.cpu_time * m.speeds[copies.site] * m.size[copies.job]
    return float(work[~copies.finished].sum() / work.sum())


IMMEDIATE_METRICS: tuple[Metric, ...] = (
    Metric(
        "mean_execution",
        "s",
        "mean(end - start), on time-shared machines",
        _STUDY,
        "low",
        _there(lambda m: of.mean(m.end - m.start)),
    ),
    Metric(
        "std_execution",
        "s",
        "sqrt(mean((end - start - mean(end - start))**2)), on time-shared machines",
        _STUDY,
        "low",
        _there(lambda m: float(np.std(m.end - m.start))),
    ),
    Metric(
        "max_execution",
        "s",
        "max(end - start), on time-shared machines",
        _PLAIN,
        "low",
        _there(lambda m: float((m.end - m.start).max())),
    ),
    Metric(
        "max_processes_per_core",
        "1",
        "max over sites and times of processes / processors, on time-shared machines",
        _PLAIN,
        "low",
        _there(_most_per_core),
    ),
    Metric(
        "replicated_share",
        "1",
        "work of copies that were canceled / work of all copies, where jobs are replicated",
        "Cirne et al., Parallel Computing 2007",
        "low",
        _replicated_share,
    ),
)
"""In the order of files and tables; None for a run elsewhere."""
