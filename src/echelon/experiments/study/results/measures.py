"""The measures of a study: metrics that its tables show, built-in ones or its user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError
from echelon.experiments.study.file.settings import check_value
from echelon.experiments.study.plan.study import DEFAULT_MEASURES
from echelon.metrics import METRICS, own_metrics
from echelon.platforms.files.mistakes import format_got, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from echelon.metrics import Metric
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes


def find_measures(fixed: Mapping[str, Any], folder: Path) -> dict[str, Metric]:
    """Return every metric that runs of a study may have, by name: built-in ones, then user-defined ones."""
    return {metric.name: metric for metric in (*METRICS, *_own(fixed.get("metrics"), folder))}


def measures_of(
    choice: Sequence[str] | None, metrics: Mapping[str, Metric], mistakes: Mistakes
) -> tuple[str, ...]:
    """Return the metrics that a study names, by default `DEFAULT_MEASURES`; note those that are unknown."""
    names = DEFAULT_MEASURES if choice is None else tuple(choice)
    for number, name in enumerate(names):
        find_metric(name, metrics, ("measures", number), mistakes)
        if name in names[:number]:
            mistakes.note(("measures", number), f"{format_got(name)} twice, expected different ones")
    return tuple(name for name in names if name in metrics)


def find_metric(name: str, metrics: Mapping[str, Metric], place: Place, mistakes: Mistakes) -> Metric | None:
    """Return the metric called `name`, or None if there is none, which is noted."""
    if name not in metrics:
        mistakes.note(place, f"no metric is named {name!r:.60}; {nearest(name, metrics)}")
    return metrics.get(name)


def _own(specs: object, folder: Path) -> tuple[Metric, ...]:
    """Return the user-defined metrics that all runs have; mistakes in them are reported with their key."""
    try:
        return () if specs is None else own_metrics(check_value("metrics", specs, folder))
    except EchelonError:
        return ()
