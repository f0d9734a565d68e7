"""What metrics are called where people read them, and which of them they are shown first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.metrics.registry.known_metrics import METRICS, metric_named
from echelon.quantities import AMOUNTS, prefix_of, time_unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.metrics.registry.metric import Metric

LABELS = {
    "jobs": "Jobs",
    "mean_wait": "Mean wait",
    "median_wait": "Median wait",
    "max_wait": "Maximum wait",
    "p90_wait": "Wait, 90th percentile",
    "p95_wait": "Wait, 95th percentile",
    "p99_wait": "Wait, 99th percentile",
    "mean_response": "Mean time to first start",
    "mean_held": "Mean time held by dependencies",
    "max_response": "Maximum time to first start",
    "mean_turnaround": "Mean turnaround",
    "median_turnaround": "Median turnaround",
    "max_turnaround": "Maximum turnaround",
    "mean_slowdown": "Mean slowdown",
    "mean_bounded_slowdown": "Mean bounded slowdown",
    "median_bounded_slowdown": "Median bounded slowdown",
    "p95_bounded_slowdown": "Bounded slowdown, 95th percentile",
    "max_bounded_slowdown": "Maximum bounded slowdown",
    "mean_grid_bounded_slowdown": "Mean bounded slowdown of the grid study",
    "utilization": "Utilization",
    "busy_share": "CPU use (Schedlyzer)",
    "throughput_per_day": "Jobs per day",
    "makespan": "Makespan",
    "c_max": "Last completion",
    "lower_bound": "Lower bound of the last completion",
    "competitive_ratio": "Last completion over its lower bound",
    "killed_jobs": "Jobs killed at their request",
    "jain_fairness_wait": "Fairness of users' waits",
    "jain_fairness_bounded_slowdown": "Fairness of users' slowdowns",
    "mean_prediction_error": "Mean error of planned times",
    "mean_prediction_accuracy": "Mean accuracy of planned times",
    "underpredicted_jobs": "Jobs with too short a planned time",
    "preemptions": "Preemptions",
    "mean_suspended_time": "Mean time suspended",
    "switch_share": "Share lost to context switches",
    "total_wait": "Total wait",
    "size_weighted_mean_wait": "Mean wait x processors",
    "size_weighted_mean_turnaround": "Mean turnaround x processors",
    "work_weighted_mean_turnaround": "Mean turnaround x work",
    "grid_throughput": "Jobs per second until the last completion",
    "grid_utilization": "Utilization from second 0",
    "energy": "Energy (J)",
    "energy_delay_product": "Energy-delay product (J s)",
    "mean_power": "Mean power (W)",
    "peak_power": "Peak power (W)",
    "idle_energy": "Energy while idle (J)",
    "mean_job_energy": "Mean energy of a job (J)",
    "core_utilization": "Utilization of cores",
    "blocked_share": "Core time without a running task",
    "exploitation": "Share of the possible operations",
    "communication_volume": "Sent between nodes (B)",
    "mean_speed_factor": "Mean speed under contention",
    "max_contention_slowdown": "Maximum slowdown by contention",
    "mean_user_slowdown": "Mean turnaround over request",
    "mean_relative_execution_time": "Mean run time over request",
    "multi_node_jobs": "Jobs in more than one node",
    "mean_nodes": "Mean nodes of a job",
    "mean_node_spread": "Mean nodes over minimum nodes",
    "mean_fragments": "Mean contiguous node ranges of a job",
    "mean_same_node_share": "Pairs of tasks in one node",
    "mean_same_switch_share": "Pairs of tasks below one switch",
    "mean_pieces": "Mean connected parts of a job",
    "mean_pairwise_hops": "Mean hops between a job's nodes",
    "mean_diameter": "Mean diameter of a job (hops)",
    "mean_turnaround_from_delivery": "Mean turnaround from dispatch",
    "mean_upper_wait": "Mean wait in the global queue",
    "mean_local_wait": "Mean wait in a cluster's queue",
    "local_slowdown": "Slowdown of local users",
    "mean_execution_slowdown": "Mean run time over that on dedicated nodes",
    "co_allocated_share": "Jobs in several clusters",
    "rejected_jobs": "Jobs rejected",
    "node_utilization": "Utilization of nodes",
    "mean_mpl": "Mean tasks of a busy node",
    "wait_deviation": "Deviation of forecast waits",
    "run_deviation": "Deviation of forecast runs",
    "turnaround_deviation": "Deviation of forecast turnarounds",
    "mean_execution": "Mean execution time",
    "std_execution": "Std. dev. of execution times",
    "max_execution": "Maximum execution time",
    "max_processes_per_core": "Most processes on a core",
    "replicated_share": "Work wasted by replicas",
    "incomplete_jobs": "Jobs not completed",
    "availability": "Availability",
    "utilization_available": "Utilization of what was available",
    "node_failures": "Failures of nodes",
    "mtbf_machine": "Mean time between failures",
    "mttr": "Mean time to repair",
    "jobs_killed": "Attempts killed by the machine",
    "restarts": "Restarts of jobs",
    "lost_node_seconds": "Lost work (processor-s)",
    "goodput": "Goodput",
    "waste_share": "Held time without lasting work",
    "promises_kept": "Reserved starts kept",
    "reservation_idle": "Idle before reservations (processor-s)",
    "deadline_misses": "Jobs late or past their deadline",
    "mean_tardiness": "Mean tardiness",
    "max_tardiness": "Maximum tardiness",
}
"""What the built-in metrics are called, in the order of the report's summary."""

OF_STUDIES = ("busy_share",)
"""Metrics that only their study shows: beside others they say little of a run. Files have them, too."""

MAIN: tuple[Metric, ...] = tuple(metric for metric in METRICS[:13] if metric.name not in OF_STUDIES)
"""The metrics shown first: those that every ``metrics.json`` begins with, without those of studies."""

PREEMPTED = ("preemptions", "mean_response", "max_response", "switch_share")
"""Also shown where jobs were preempted: the time to their first start, and the cost."""

UNDISTURBED = {"communication_volume": 0.0, "mean_speed_factor": 1.0, "replicated_share": 0.0}
"""Also shown unless it has this value; and the next, if known."""

ENERGY = ("energy", "energy_delay_product")
NETWORK = ("mean_pairwise_hops", "mean_diameter")
"""Also shown where the power and the network of the machine are known."""

MULTICLUSTER = (
    "mean_upper_wait",
    "mean_execution_slowdown",
    "local_slowdown",
    "co_allocated_share",
    "rejected_jobs",
    "node_utilization",
    "mean_mpl",
    "turnaround_deviation",
)
"""Also shown for runs on multiclusters, where known."""

IMMEDIATE = (
    "mean_execution",
    "std_execution",
    "max_execution",
    "max_processes_per_core",
)
"""Also shown for runs on time-shared machines, where known."""

CHANGES = (
    "incomplete_jobs",
    "availability",
    "utilization_available",
    "node_failures",
    "jobs_killed",
    "restarts",
    "lost_node_seconds",
    "goodput",
    "waste_share",
    "promises_kept",
    "reservation_idle",
    "deadline_misses",
    "mean_tardiness",
)
"""Also shown for runs on machines that change, and of jobs with deadlines, where known."""

_ALWAYS = (
    "availability",
    "utilization_available",
    "promises_kept",
    "reservation_idle",
    "deadline_misses",
    "mean_tardiness",
)
"""Those of them that say something even where no failure took anything."""

SHARES = (
    "replicated_share",
    "availability",
    "utilization_available",
    "goodput",
    "waste_share",
    "promises_kept",
    "utilization",
    "busy_share",
    "switch_share",
    "grid_utilization",
    "core_utilization",
    "blocked_share",
    "exploitation",
    "mean_same_node_share",
    "mean_same_switch_share",
    "co_allocated_share",
    "node_utilization",
    "wait_deviation",
    "run_deviation",
    "turnaround_deviation",
)
"""The metrics that are read as percent."""


def label_of(name: str, unit: str = "1") -> str:
    """Return what the metric `name` is called; one of the user's own has its unit, if values lack it."""
    extra = "" if unit in ("1", "s") else f" ({unit})"
    return LABELS.get(name, f"{name.replace('_', ' ').capitalize()}{extra}")


def main_metrics(metrics: Mapping[str, int | float], own: Sequence[Metric] = ()) -> list[Metric]:
    """Return the main metrics, those of what only some runs have if this one has it, and the user's own."""
    names = list(PREEMPTED) if metrics.get("preemptions") else []
    names += [name for name, usual in UNDISTURBED.items() if metrics.get(name, usual) != usual]
    names += [name for name in (*ENERGY, *NETWORK, *MULTICLUSTER, *IMMEDIATE) if name in metrics]
    names += [name for name in CHANGES if name in metrics and not _says_nothing(name, metrics)]
    return [*MAIN, *map(metric_named, names), *own]


def _says_nothing(name: str, metrics: Mapping[str, int | float]) -> bool:
    """Return whether a metric of changes is what it is on any machine that never changes."""
    if metrics.get("node_failures") or metrics.get("jobs_killed") or name in _ALWAYS:
        return False
    if name == "goodput":
        return math.isclose(metrics[name], metrics.get("utilization", math.nan))
    return metrics[name] == 0


def is_amount(metric: Metric) -> bool:
    """Return whether values of a metric have its unit, with a prefix: ``1.306 GJ``."""
    return metric.unit in AMOUNTS and metric.name in LABELS


def scale_of(metric: Metric, values: Sequence[float]) -> tuple[str, float]:
    """Return the sign of the one unit that suits all these finite values, and by what they are multiplied."""
    if metric.unit == "s":
        unit = time_unit(geometric_middle(values))
        return unit.sign, 1 / unit.seconds
    if metric.name in SHARES:
        return "%", 100.0
    if is_amount(metric) and values:
        scale, sign = prefix_of(geometric_middle(values), metric.unit)
        return sign, 1 / scale
    return metric.unit.replace("1", ""), 1.0


def geometric_middle(values: Sequence[float]) -> float:
    """Return the geometric middle of the extremes: one unit then suits all."""
    sizes = [abs(value) for value in values if value]
    return math.sqrt(min(sizes) * max(sizes)) if sizes else 0.0
