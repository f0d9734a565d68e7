"""Metrics of a user's own: FILE.py:NAME, or the metric itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.metrics.registry.known_metrics import METRIC, METRICS
from echelon.metrics.registry.metric import Metric
from echelon.user_file import is_in_file

if TYPE_CHECKING:
    from collections.abc import Sequence


_OTHER_COLUMNS = ("policy",)
"""Further columns of a table of metrics."""


def own_metrics(specs: Sequence[str | Metric]) -> tuple[Metric, ...]:
    """Return the metrics that are given, by spec or as they are.

    Parameters
    ----------
    specs : sequence of str or Metric
        ``FILE.py:NAME`` names a metric in a file by its name or by its function's.

    Raises
    ------
    InputError
        If one is none, cannot be loaded, or has the name of a built-in metric, of another one given, or of a
        further column of tables of metrics.
    UnknownNameError
        If a file holds no metric of that name.
    """
    if isinstance(specs, str | Metric):
        raise InputError(f"must be a list of metrics, got {specs!r:.60}", field="metrics")
    metrics = tuple(_metric(one) for one in specs)
    names_in_use = {*_OTHER_COLUMNS, *(metric.name for metric in METRICS)}
    for metric in metrics:
        if metric.name in names_in_use:
            raise InputError(
                "the name is already taken; choose another name",
                field=f"metric {metric.name!r}",
            )
        names_in_use.add(metric.name)
    return metrics


def _metric(spec: str | Metric) -> Metric:
    if isinstance(spec, Metric):
        return spec
    if not isinstance(spec, str):
        raise InputError(
            f"must be FILE.py:NAME or made with @metric, got {type(spec).__name__}", field="metrics"
        )
    if METRIC.has(spec):
        raise InputError("is built in and always measured", field=f"metric {spec!r}")
    if not (is_in_file(spec) or METRIC.means(spec)):
        problem = "must be FILE.py:NAME, or a metric that another package declares"
        raise InputError(problem, field=f"metric {spec!r}")
    return METRIC.parse(spec)
