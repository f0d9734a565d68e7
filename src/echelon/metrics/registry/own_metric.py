"""Metrics of a user's own: FILE.py:NAME, or the metric itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.metrics.registry.known_metrics import METRICS
from echelon.metrics.registry.metric import Metric
from echelon.user_file import is_in_file, open_user_file

if TYPE_CHECKING:
    from collections.abc import Sequence


_OTHER_COLUMNS = ("policy",)
"""What a table of metrics holds besides them."""


def own_metrics(given: Sequence[str | Metric]) -> tuple[Metric, ...]:
    """Return the metrics that are given, in words or as they are.

    Parameters
    ----------
    given : sequence of str or Metric
        ``FILE.py:NAME`` names a metric in a file by its name or by its function's.

    Raises
    ------
    InputError
        If one is none, cannot be loaded, or has the name of a built-in metric, of another one given, or of a
        column that tables of metrics have besides.
    UnknownNameError
        If a file holds no metric of that name.
    """
    if isinstance(given, str | Metric):
        raise InputError(f"must be a list of metrics, got {given!r:.60}", field="metrics")
    found = tuple(_metric(one) for one in given)
    taken = {*_OTHER_COLUMNS, *(metric.name for metric in METRICS)}
    for metric in found:
        if metric.name in taken:
            raise InputError(
                "the name is taken, by a built-in metric or another one given; choose another",
                field=f"metric {metric.name!r}",
            )
        taken.add(metric.name)
    return found


def metric_in_file(words: str) -> Metric:
    """Return the metric that ``FILE.py:NAME`` names.

    Raises
    ------
    InputError
        If the file is missing, fails while it runs, or NAME is no metric.
    UnknownNameError
        If the file holds no such name.
    """
    file, name, things = open_user_file(words, kind="metric")
    metrics = {value.name: value for value in things.values() if isinstance(value, Metric)}
    found = things.get(name, metrics.get(name))
    if found is None:
        raise UnknownNameError(f"metric in {file}", name, metrics)
    if not isinstance(found, Metric):
        raise InputError(f"must be a metric (use @metric), got {type(found).__name__}", file=file, field=name)
    return found


def names_metric(words: str) -> bool:
    """Return whether ``FILE.py:NAME`` names a metric, by running the file; False for all that is none."""
    if not is_in_file(words):
        return False
    _, name, things = open_user_file(words, kind="policy or metric")
    return isinstance(things.get(name), Metric) or any(
        isinstance(value, Metric) and value.name == name for value in things.values()
    )


def _metric(given: str | Metric) -> Metric:
    if isinstance(given, Metric):
        return given
    if not isinstance(given, str):
        raise InputError(
            f"must be FILE.py:NAME or made with @metric, got {type(given).__name__}", field="metrics"
        )
    if not is_in_file(given):
        known = given in {metric.name for metric in METRICS}
        why = "is built in and measured anyway" if known else "must be FILE.py:NAME, a metric of one's own"
        raise InputError(why, field=f"metric {given!r}")
    return metric_in_file(given)
