"""Metrics of runs on nodes: energy, cores and network. Other runs have none of them.

Where only some sites have nodes these are metrics of those sites: means are over the jobs that ran there, and
shares are of their cores. Energy and power are those of the sites with nodes whose power is known, from the
first submission to the last end of the whole run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns import job_places
from echelon.metrics.registry.metric import Metric, require
from echelon.metrics.schedule import schedule_values as of
from echelon.metrics.schedule.allocation_metrics import ALLOCATION_METRICS
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.metrics.power.energy import Energy
    from echelon.model.jobs.columns import FloatColumn

_IRMASIM = "IRMASim 2019, public code"
_THESIS = "Cuevas Cuesta, Universidad de Cantabria 2022"
_PLAIN = "no paper"


def _of_energy(value: Callable[[Measured, Energy], float]) -> Callable[[Measured], float]:
    return lambda m: float(value(m, there(m.energy)))


def _mean(column: FloatColumn) -> float | None:
    """Return the mean over the jobs of some sites; None if none ran there."""
    return of.mean(column) if len(column) else None


def _of_requests(value: Callable[[Measured], FloatColumn]) -> Callable[[Measured], float | None]:
    """Return the mean over the jobs in nodes with a requested time; None if there are none."""

    def mean(m: Measured) -> float | None:
        has_request = (m.requested > 0) & m.in_nodes
        if not has_request.any():
            return None
        return of.mean(value(m)[has_request] / m.requested[has_request])

    return mean


_OF_POWER = (
    Metric(
        "energy",
        "J",
        "integral of the machine's power from min(submit) to max(end)",
        _IRMASIM,
        "low",
        _of_energy(lambda _, e: e.total),
    ),
    Metric(
        "energy_delay_product",
        "J s",
        "energy * makespan",
        _THESIS,
        "low",
        _of_energy(lambda m, e: e.total * m.makespan),
    ),
    Metric(
        "mean_power", "W", "energy / makespan", _PLAIN, "low", _of_energy(lambda m, e: e.total / m.makespan)
    ),
    Metric(
        "peak_power",
        "W",
        "max of the machine's power over time",
        _PLAIN,
        "low",
        lambda m: there(m.power).peak,
    ),
    Metric(
        "idle_energy",
        "J",
        "energy of parts that no job holds, and of nodes that are off or wake up",
        _PLAIN,
        "low",
        _of_energy(lambda _, e: e.idle),
    ),
    Metric(
        "mean_job_energy",
        "J",
        "mean(energy a job is charged for)",
        _PLAIN,
        "low",
        lambda m: _mean(there(m.energy).per_job[m.is_charged]),
    ),
)

_OF_CORES = (
    Metric(
        "core_utilization",
        "1",
        "sum(core-seconds held) / (cores * makespan)",
        _PLAIN,
        "high",
        lambda m: job_places.core_utilization(m.schedule, m.makespan),
        most=1.0,
    ),
    Metric(
        "blocked_share",
        "1",
        "core-seconds held while no task ran / core-seconds held",
        _PLAIN,
        "low",
        lambda m: job_places.blocked_share(m.schedule),
        most=1.0,
    ),
    Metric(
        "exploitation",
        "1",
        "sum(operations) / (sum(peak operations/s of cores) * makespan)",
        _IRMASIM,
        "high",
        lambda m: job_places.exploitation(m.schedule, m.makespan),
        most=1.0,
    ),
    Metric(
        "communication_volume",
        "B",
        "sum over MPI jobs of volume * pairs of tasks in different nodes",
        _THESIS,
        "low",
        lambda m: of.total(job_places.communication_volumes(m.schedule)),
    ),
    Metric(
        "mean_speed_factor",
        "1",
        "mean(time of the slowest task undisturbed / time from first progress to end)",
        _PLAIN,
        "high",
        lambda m: _mean(m.speed_factor[m.in_nodes]),
    ),
    Metric(
        "max_contention_slowdown",
        "1",
        "max(time from first progress to end / time of the slowest task undisturbed)",
        _PLAIN,
        "low",
        lambda m: float(np.max(1 / m.speed_factor)),
    ),
    Metric(
        "mean_user_slowdown",
        "1",
        "mean(turnaround / requested time)",
        _IRMASIM,
        "low",
        _of_requests(lambda m: m.turnaround),
    ),
    Metric(
        "mean_relative_execution_time",
        "1",
        "mean((end - start) / requested time)",
        _IRMASIM,
        "low",
        _of_requests(lambda m: m.end - m.start),
    ),
    *ALLOCATION_METRICS,
)

INSIDE_METRICS: tuple[Metric, ...] = (
    *require(Feature.POWER, *_OF_POWER),
    *require(Feature.CORES, *_OF_CORES),
)
"""In the order of files and tables; None if cores are not modeled individually or power is unknown."""
