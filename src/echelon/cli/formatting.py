"""Figures formatted for people: times with a unit, shares in percent, instants as dates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.experiments.summaries.moments import moment
from echelon.quantities import duration, figure, quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.metrics import Metric
    from echelon.model import Anomaly, Dropped

__all__ = ["drops", "duration", "metric_column", "metric_rows", "moment", "share"]


def share(value: float) -> str:
    """Return a share as percent: ``70.4 %``."""
    return f"{100 * value:.1f} %"


def drops(dropped: Iterable[Dropped]) -> list[str]:
    """Return one clause per reason: ``5,671 with run time <= 0 (first: job 12)``."""
    return [f"{drop.count:,} with {drop.reason} (first: job {drop.first})" for drop in dropped]


def anomaly_row(anomaly: Anomaly, note: str = "") -> tuple[str, str]:
    """Return the kind of an anomaly, and its sentence with a note and the first line that has it."""
    first = "" if anomaly.first_line is None else f"; first in line {anomaly.first_line}"
    return anomaly.kind, f"{anomaly.sentence}{note}{first}"


def metric_rows(metrics: Mapping[str, int | float], own: Sequence[Metric] = ()) -> list[tuple[str, str]]:
    """Return label and value, with unit, of the metrics that are shown first."""
    from echelon.metrics.registry.labels import main_metrics

    return [
        (_label(metric), metric_text(metric, metrics[metric.name])) for metric in main_metrics(metrics, own)
    ]


def _label(metric: Metric) -> str:
    """Return the label of a metric, without the unit if values have one."""
    from echelon.metrics.registry.labels import is_amount, label_of

    return label_of(metric.name, metric.unit).removesuffix(f" ({metric.unit})" if is_amount(metric) else "")


def metric_text(metric: Metric, value: float) -> str:
    """Return the value of a metric with its unit."""
    if math.isnan(value):
        return "–"
    from echelon.metrics.registry.labels import SHARES, is_amount

    if metric.name in SHARES:
        # A machine that was down for an hour of a year was not there all the time.
        most = 99.99 if metric.name == "availability" and value < 1 else math.inf
        return f"{figure(min(100 * value, most))} %"
    if metric.unit == "s":
        return duration(value)
    if is_amount(metric):
        return quantity(value, metric.unit)
    return f"{value:,}" if isinstance(value, int) else figure(value)


def metric_column(
    metric: Metric,
    head: str,
    values: Sequence[float],
    runs: Sequence[Mapping[str, int | float]] = (),
    scale: tuple[str, float] | None = None,
    *,
    is_marked: bool = True,
) -> list[str]:
    """Return a column: the head with the common unit, then one cell per value, the best ones with a star.

    With the metrics of `runs`, one a value, those that lost jobs have none; without `is_marked` none has. The
    unit, with the factor to it, is that of `scale`, by default the one that suits these values.
    """
    from echelon.metrics.registry.best import are_best
    from echelon.metrics.registry.labels import scale_of

    sign, factor = scale or scale_of(metric, [value for value in values if math.isfinite(value)])
    better = metric.better if is_marked else None
    best = are_best(metric.name, better, values, runs or [{}] * len(values))
    cells = [_cell(value * factor, is_best=one) for value, one in zip(values, best, strict=True)]
    return [f"{head}\n{sign} ", *cells]


def _cell(value: float, *, is_best: bool) -> str:
    """Return a value as text; a dash where a run has none."""
    return f"{figure(value) if math.isfinite(value) else '–'}{'*' if is_best else ' '}"
