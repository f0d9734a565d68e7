"""All metrics of a schedule, in the order in which tables and files show them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.lazy import Ready
from echelon.metrics.columns import job_values
from echelon.metrics.columns.job_values import prediction_accuracy
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.registry.metric import Metric, from_zero
from echelon.metrics.schedule import schedule_values as of
from echelon.metrics.schedule.availability_metrics import AVAILABILITY_METRICS
from echelon.metrics.schedule.dependency_metrics import DEPENDENCY_METRICS
from echelon.metrics.schedule.fairness import jain_index
from echelon.metrics.schedule.immediate_metrics import IMMEDIATE_METRICS
from echelon.metrics.schedule.multicluster_metrics import MULTICLUSTER_METRICS
from echelon.metrics.schedule.node_metrics import INSIDE_METRICS
from echelon.rules.family import Family
from echelon.rules.parameter import canonical_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Schedule
    from echelon.rules.spec import Spec

_FEITELSON_1997 = "Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong, JSSPP 1997"
_FEITELSON_2001 = "Feitelson, JSSPP 2001"
_SCHEDLYZER = "Domínguez Medina, UOC 2015 (Schedlyzer)"
_GRID = "Quezada Pina, CICESE 2012"
_GRAHAM = "Graham, Lawler, Lenstra and Rinnooy Kan, 1979"
_TSAFRIR = "Tsafrir, Etsion and Feitelson, IEEE TPDS 2007"
_QUANTILE = "quantile: Hyndman and Fan 1996, definition 7"
_JAIN = "Jain, Chiu and Hawe, DEC-TR-301, 1984"
_SILBERSCHATZ = "Silberschatz, Galvin and Gagne, Operating System Concepts, 2018"
_COUNT = "a count"

_WAIT = "first start - submit + suspended"
_BOUNDED = "max(1, turnaround / max(run, 10 s))"
_GRID_BOUNDED = "turnaround / max(run, 10 s)"


def _wait_quantile(share: float) -> Callable[[Measured], float]:
    return lambda m: m.wait_quantiles[share]


METRICS: tuple[Metric, ...] = from_zero(
    # The first thirteen are what every reader of metrics.json may rely on, in this order.
    Metric("jobs", "jobs", "number of jobs", _COUNT, None, lambda m: len(m.start)),
    Metric("makespan", "s", "max(end) - min(submit)", _FEITELSON_1997, "low", lambda m: m.makespan),
    Metric("mean_wait", "s", f"mean({_WAIT})", _FEITELSON_1997, "low", lambda m: of.mean(m.wait)),
    Metric("median_wait", "s", f"median({_WAIT})", _QUANTILE, "low", lambda m: m.wait_quantiles[0.5]),
    Metric("max_wait", "s", f"max({_WAIT})", _SCHEDLYZER, "low", lambda m: float(m.wait.max())),
    Metric(
        "mean_turnaround", "s", "mean(end - submit)", _FEITELSON_1997, "low", lambda m: of.mean(m.turnaround)
    ),
    Metric(
        "max_turnaround", "s", "max(end - submit)", _SCHEDLYZER, "low", lambda m: float(m.turnaround.max())
    ),
    Metric(
        "mean_slowdown",
        "1",
        "mean(turnaround / run)",
        _FEITELSON_1997,
        "low",
        lambda m: of.mean(m.slowdown),
        least=1.0,
    ),
    Metric(
        "mean_bounded_slowdown",
        "1",
        f"mean({_BOUNDED})",
        _FEITELSON_2001,
        "low",
        lambda m: of.mean(m.bounded_slowdown),
        least=1.0,
    ),
    Metric(
        "utilization",
        "1",
        "sum((run + lost time + checkpoints and restarts) * size) / (processors * makespan)",
        _FEITELSON_1997,
        "high",
        lambda m: m.utilization(m.makespan),
        most=1.0,
    ),
    Metric(
        "busy_share",
        "1",
        "sum(run) / (sum(run) + time in which no job runs)",
        _SCHEDLYZER,
        "high",
        lambda m: of.busy_share(*m.spans, m.run),
        most=1.0,
    ),
    Metric(
        "throughput_per_day",
        "jobs/day",
        "86400 * jobs / makespan",
        _SCHEDLYZER,
        "high",
        lambda m: of.throughput_per_day(m.submit, m.end),
    ),
    Metric("c_max", "s", "max(end)", _GRAHAM, "low", lambda m: of.c_max(m.end)),
    *(
        Metric(
            f"p{percent}_wait",
            "s",
            f"{percent}th percentile of {_WAIT}",
            _QUANTILE,
            "low",
            _wait_quantile(percent / 100),
        )
        for percent in (90, 95, 99)
    ),
    Metric(
        "median_turnaround",
        "s",
        "median(end - submit)",
        _QUANTILE,
        "low",
        lambda m: of.quantiles(m.turnaround, (0.5,))[0],
    ),
    Metric(
        "median_bounded_slowdown",
        "1",
        f"median({_BOUNDED})",
        _QUANTILE,
        "low",
        lambda m: m.bounded_slowdown_quantiles[0.5],
        least=1.0,
    ),
    Metric(
        "p95_bounded_slowdown",
        "1",
        f"95th percentile of {_BOUNDED}",
        _QUANTILE,
        "low",
        lambda m: m.bounded_slowdown_quantiles[0.95],
        least=1.0,
    ),
    Metric(
        "max_bounded_slowdown",
        "1",
        f"max({_BOUNDED})",
        _FEITELSON_2001,
        "low",
        lambda m: float(m.bounded_slowdown.max()),
        least=1.0,
    ),
    Metric(
        "mean_grid_bounded_slowdown",
        "1",
        f"mean({_GRID_BOUNDED})",
        f"{_GRID}, eq. 2",
        "low",
        lambda m: of.mean(m.grid_bounded_slowdown),
    ),
    Metric(
        "lower_bound",
        "s",
        "max(max(submit + run), sum(run * size) / processors), submit as early as dependencies allow",
        f"{_GRID}, section 2.2",
        None,
        lambda m: m.lower_bound,
    ),
    Metric(
        "competitive_ratio",
        "1",
        "c_max / lower_bound",
        f"{_GRID}, section 2.2",
        "low",
        lambda m: of.competitive_ratio(m.end, m.lower_bound),
    ),
    Metric(
        "killed_jobs",
        "jobs",
        "number of jobs killed at their request",
        _COUNT,
        None,
        lambda m: int(np.count_nonzero(m.killed)),
    ),
    Metric(
        "jain_fairness_wait",
        "1",
        "sum(w)**2 / (users * sum(w**2)), w = a user's mean(wait)",
        _JAIN,
        "high",
        lambda m: jain_index(m.users.mean_wait) if len(m.users.code) else None,
        most=1.0,
    ),
    Metric(
        "jain_fairness_bounded_slowdown",
        "1",
        f"sum(b)**2 / (users * sum(b**2)), b = a user's mean({_BOUNDED})",
        _JAIN,
        "high",
        lambda m: jain_index(m.users.mean_bounded_slowdown) if len(m.users.code) else None,
        most=1.0,
    ),
    Metric(
        "mean_prediction_error",
        "s",
        "mean(|planned - run|)",
        _TSAFRIR,
        "low",
        lambda m: of.mean(np.abs(m.planned - m.run)),
    ),
    Metric(
        "mean_prediction_accuracy",
        "1",
        "mean(min(planned, run) / max(planned, run))",
        _TSAFRIR,
        "high",
        lambda m: of.mean(prediction_accuracy(m.planned, m.run)),
        most=1.0,
    ),
    Metric(
        "underpredicted_jobs",
        "jobs",
        "number of jobs with planned < run",
        _COUNT,
        None,
        lambda m: int(np.count_nonzero(m.planned < m.run)),
    ),
    # Where no job is preempted, response is the wait, and the others are 0.
    Metric(
        "preemptions",
        "1",
        "number of times a job was suspended",
        _COUNT,
        None,
        lambda m: int(job_values.preemptions(m.schedule).sum()),
    ),
    Metric(
        "mean_response",
        "s",
        "mean(first start - submit)",
        _SILBERSCHATZ,
        "low",
        lambda m: of.mean(m.response),
    ),
    Metric(
        "max_response",
        "s",
        "max(first start - submit)",
        _SILBERSCHATZ,
        "low",
        lambda m: float(m.response.max()),
    ),
    Metric(
        "mean_suspended_time",
        "s",
        "mean(end - start - time that processors were held)",
        _SILBERSCHATZ,
        "low",
        lambda m: of.mean(m.suspended),
    ),
    Metric(
        "switch_share",
        "1",
        "sum((time that processors were held - run) * size) / (processors * makespan)",
        _SILBERSCHATZ,
        "low",
        lambda m: of.switch_share(m.switching, m.size, processors=m.processors, makespan=m.makespan),
        most=1.0,
    ),
    # Further measures of the grid study, see echelon.metrics.schedule.grid_study.
    Metric("total_wait", "s", f"sum({_WAIT})", f"{_GRID}, section 2.2", "low", lambda m: of.total(m.wait)),
    Metric(
        "size_weighted_mean_wait",
        "processor-s",
        "mean(size * wait)",
        f"{_GRID}, section 2.2",
        "low",
        lambda m: of.weighted_mean(m.wait, m.size),
    ),
    Metric(
        "size_weighted_mean_turnaround",
        "processor-s",
        "mean(size * turnaround)",
        f"{_GRID}, section 2.2",
        "low",
        lambda m: of.weighted_mean(m.turnaround, m.size),
    ),
    Metric(
        "work_weighted_mean_turnaround",
        "processor-s**2",
        "mean(run * size * turnaround)",
        f"{_GRID}, appendix B",
        "low",
        lambda m: of.weighted_mean(m.turnaround, m.area),
    ),
    Metric(
        "grid_throughput",
        "jobs/s",
        "jobs / c_max",
        f"{_GRID}, section 2.2",
        "high",
        lambda m: of.grid_throughput(m.end),
    ),
    Metric(
        "grid_utilization",
        "1",
        "sum((run + lost time + checkpoints and restarts) * size) / (processors * c_max)",
        f"{_GRID}, section 2.2",
        "high",
        lambda m: m.utilization(of.c_max(m.end)),
        most=1.0,
    ),
    *DEPENDENCY_METRICS,
    *INSIDE_METRICS,
    *MULTICLUSTER_METRICS,
    *IMMEDIATE_METRICS,
    *AVAILABILITY_METRICS,
)


def _name_metric(metric: Metric, spec: Spec | None) -> Metric:
    """Return a user's own metric under a name that says its parameters."""
    return metric if spec is None else replace(metric, name=canonical_spec(metric))


METRIC: Family[Metric] = Family(
    "metric",
    [Ready({metric.name: metric for metric in METRICS})],
    example="mean_wait",
    is_rule=lambda thing: isinstance(thing, Metric),
    must="be a metric (use @metric)",
    groups=["echelon.metrics"],
    own=_name_metric,
)
metric_named, metric_in_file, names_metric = METRIC.parse, METRIC.parse, METRIC.in_file


def measure(schedule: Schedule | Measured, own: Sequence[Metric] = ()) -> dict[str, int | float]:
    """Return every metric of a schedule by name: in the order of `METRICS`, then a user's own.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job; or what is `Measured` of it already.
    own : sequence of Metric, default empty
        User-defined metrics, see `metric`.

    Returns
    -------
    dict of str to int or float
        Plain Python numbers: counts are int, all else float. Units are those of `METRICS`. Fairness between
        users is left out where no user is known, and so are metrics of cores and energy where none are, of
        held jobs where none waits for others, and those of multiclusters and of time-shared machines
        elsewhere.

    Raises
    ------
    InputError
        If the schedule has no job, a job starts before its submission, or the makespan vanishes in float64;
        if a user-defined metric fails or gives no number.

    Notes
    -----
    Cost: O(n log n), of which the two sorts behind ``busy_share`` are the most.
    """
    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    values = ((metric.name, metric.of(measured)) for metric in METRICS)
    metrics = {name: value for name, value in values if value is not None}
    return {**metrics, **{metric.name: metric.value(measured) for metric in own}}
