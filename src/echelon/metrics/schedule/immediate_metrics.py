"""Metrics of time-shared machines: how long jobs took beside each other, and what copies cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.metric import Metric
from echelon.metrics.schedule import schedule_values as of
from echelon.model import EndReason
from echelon.model.schedules.features import Feature, sites_with, there

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.model.jobs.columns import FloatColumn

_STUDY = "Rodrigues et al., about 2014, section 4"
_PLAIN = "no paper"


def _over_time_shared(value: Callable[[FloatColumn], float]) -> Callable[[Measured], float | None]:
    """Return a number of the execution times of the jobs that ended on time-shared machines."""

    def number(m: Measured) -> float | None:
        here = sites_with(m.schedule.instance.sites, Feature.TIME_SHARING)[there(m.schedule.site)]
        return value((m.end - m.start)[here]) if here.any() else None

    return number


def _most_per_core(m: Measured) -> float:
    sites = m.schedule.instance.sites
    here = sites_with(sites, Feature.TIME_SHARING)
    return float((m.processes[1] / sites.sizes)[here].max())


def _replicated_share(m: Measured) -> float | None:
    """Return the share of the work that was wasted; None where it is not known what copies computed."""
    # With the jobs that were suspended elsewhere: nothing of their work was wasted.
    copies = m.schedule.attempts
    if copies.cpu_time is None:
        return None
    work = copies.cpu_time * m.speeds[copies.site] * m.size[copies.job]
    return float(work[copies.ended_by(EndReason.CANCELED)].sum() / work.sum())


IMMEDIATE_METRICS: tuple[Metric, ...] = (
    Metric(
        "mean_execution",
        "s",
        "mean(end - start), on time-shared machines",
        _STUDY,
        "low",
        _over_time_shared(of.mean),
        needs=Feature.TIME_SHARING,
    ),
    Metric(
        "std_execution",
        "s",
        "sqrt(mean((end - start - mean(end - start))**2)), on time-shared machines",
        _STUDY,
        "low",
        _over_time_shared(lambda took: float(np.std(took))),
        needs=Feature.TIME_SHARING,
    ),
    Metric(
        "max_execution",
        "s",
        "max(end - start), on time-shared machines",
        _PLAIN,
        "low",
        _over_time_shared(lambda took: float(took.max())),
        needs=Feature.TIME_SHARING,
    ),
    Metric(
        "max_processes_per_core",
        "1",
        "max over sites and times of processes / processors, on time-shared machines",
        _PLAIN,
        "low",
        _most_per_core,
        needs=Feature.TIME_SHARING,
    ),
    Metric(
        "replicated_share",
        "1",
        "work of copies that were canceled / work of all copies, where jobs are replicated",
        "Cirne et al., Parallel Computing 2007",
        "low",
        _replicated_share,
        needs=Feature.COPIES,
        most=1.0,
    ),
)
"""In the order of files and tables; None for a run that lacks what they need."""
