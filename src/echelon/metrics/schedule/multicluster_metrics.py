"""Metrics of a queue above those of the sites, of shared nodes and their owners, and of forecasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.metric import Metric
from echelon.metrics.schedule import schedule_values as of
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.metrics.columns.shared_nodes import SharedNodes
    from echelon.metrics.tables.forecast_table import Quantity
    from echelon.model.jobs.columns import FloatColumn

_THESIS = "Lérida Monsó, UAB 2009"
_PLAIN = "no paper"


_FORECAST: dict[Quantity, tuple[str, str]] = {
    "wait": ("start - delivered", "3.13"),
    "run": ("end - start", "3.13"),
    "turnaround": ("end - delivered", "4.4"),
}
"""What is forecast of a job, and the equation of the deviation from it."""


def _of_delivery(value: Callable[[Measured, FloatColumn], float]) -> Callable[[Measured], float]:
    def of_delivered(m: Measured) -> float:
        from echelon.metrics.tables.forecast_table import joined_time

        return value(m, joined_time(m.schedule))

    return of_delivered


def _of_nodes(value: Callable[[Measured, SharedNodes], float]) -> Callable[[Measured], float]:
    return lambda m: value(m, there(m.shared_nodes))


def _deviation(quantity: Quantity) -> Callable[[Measured], float | None]:
    """Return the deviation of the first estimator: that of the run, others were only asked beside it."""

    def deviation(m: Measured) -> float | None:
        from echelon.metrics.tables.forecast_table import forecast_accuracy, forecast_times, real_times

        forecast, real = forecast_times(m.schedule.forecasts[0]), real_times(m.schedule)
        spread = forecast_accuracy(forecast[quantity], real[quantity]).deviation
        return None if np.isnan(spread) else spread

    return deviation


def _local_slowdown(m: Measured) -> float | None:
    nodes = there(m.shared_nodes)
    active = float(nodes.owner_active_time.sum())
    return float(nodes.owner_delayed_time.sum()) / active if active > 0 else None


MULTICLUSTER_METRICS: tuple[Metric, ...] = (
    Metric(
        "mean_turnaround_from_delivery",
        "s",
        "mean(end - dispatch to a cluster)",
        f"{_THESIS}, section 4.3.3",
        "low",
        _of_delivery(lambda m, delivered: of.mean(m.end - delivered)),
        needs=Feature.DELIVERY,
    ),
    Metric(
        "mean_upper_wait",
        "s",
        "mean(dispatch to a cluster - submit)",
        f"{_THESIS}, section 4.4",
        "low",
        _of_delivery(lambda m, delivered: of.mean(delivered - m.submit)),
        needs=Feature.DELIVERY,
    ),
    Metric(
        "mean_local_wait",
        "s",
        "mean(start - dispatch to a cluster)",
        f"{_THESIS}, section 4.4",
        "low",
        _of_delivery(lambda m, delivered: of.mean(m.start - delivered)),
        needs=Feature.DELIVERY,
    ),
    Metric(
        "local_slowdown",
        "1",
        "sum(owners' time at work, weighted by their slowdown) / sum(owners' time at work)",
        f"{_THESIS}, equation 4.3",
        "low",
        _local_slowdown,
        needs=Feature.PLACES,
    ),
    Metric(
        "mean_execution_slowdown",
        "1",
        "mean((end - start) / run time alone on dedicated nodes of full power, or machines of speed 1)",
        f"{_THESIS}, section 3.3",
        "low",
        lambda m: of.mean((m.end - m.start) / m.dedicated),
        needs=Feature.BESIDE,
    ),
    Metric(
        "co_allocated_share",
        "1",
        "number of jobs with tasks in several clusters / jobs",
        _PLAIN,
        None,
        _of_nodes(lambda m, nodes: float(np.mean(nodes.sites_per_job > 1))),
        needs=Feature.PLACES,
        most=1.0,
    ),
    Metric(
        "rejected_jobs",
        "jobs",
        "number of jobs that no site can run, or that waited too long below a global queue",
        "a count",
        None,
        lambda m: sum(drop.count for drop in m.schedule.instance.dropped if drop.is_rejected),
        needs=Feature.DELIVERY,
    ),
    Metric(
        "node_utilization",
        "1",
        "sum(time in which a node has a parallel task) / (nodes * makespan)",
        _PLAIN,
        "high",
        _of_nodes(lambda m, nodes: of.total(nodes.busy_time) / (len(nodes) * m.makespan)),
        needs=Feature.PLACES,
        most=1.0,
    ),
    Metric(
        "mean_mpl",
        "tasks",
        "sum(end - start of tasks) / sum(time in which a node has a parallel task)",
        f"{_THESIS}, section 1.1",
        None,
        _of_nodes(lambda m, nodes: of.total(nodes.task_time) / of.total(nodes.busy_time)),
        needs=Feature.PLACES,
    ),
    *(
        Metric(
            f"{quantity}_deviation",
            "1",
            f"sum(|forecast - ({real})|) / sum({real})",
            f"{_THESIS}, equation {equation}",
            "low",
            _deviation(quantity),
            needs=Feature.FORECASTS,
        )
        for quantity, (real, equation) in _FORECAST.items()
    ),
)
"""In the order of files and tables; None for a run that lacks what they need: the slowdown
of owners where none was at work, a deviation where nothing was forecast, or where no job waited."""
