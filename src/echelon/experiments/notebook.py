"""How results look in a notebook: a small table each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.experiments.result import kind_of
from echelon.metrics import metric_named
from echelon.metrics.registry.best import are_best, tells, value_of
from echelon.metrics.registry.labels import SHARES, label_of, main_metrics
from echelon.model.jobs.html_table import html_cell, html_row, html_table
from echelon.quantities import duration, figure, tally, time_unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.result import Result
    from echelon.metrics import Metric

_SIDE_BY_SIDE = (
    "mean_wait",
    "median_wait",
    "max_wait",
    "mean_bounded_slowdown",
    "utilization",
    "makespan",
)
"""The metrics of a comparison: those that the command line shows."""


_OF_CHANGES = ("goodput", "availability", "node_failures", "incomplete_jobs")
"""Those of machines that change, as far as something did."""


def run_table(result: Result) -> str:
    """Return one run as HTML: what is shown first and the user's own, times in the unit that suits each."""
    rows = [
        html_row(_label(metric), html_cell(_text(metric, result.metrics[metric.name])))
        for metric in main_metrics(result.metrics, result.own)
    ]
    return html_table(_title([result], result.label), rows)


def comparison_table(results: Sequence[Result], *, is_marked: bool = True) -> str:
    """Return runs compared as HTML: a row a policy, with `is_marked` the best value of each column in bold.

    Below each value is a bar, whose whole length is the largest of its column, of shares 100 %.
    """
    powered = all("energy" in result.metrics for result in results)
    runs = [result.metrics for result in results]
    names = (*_SIDE_BY_SIDE, "energy") if powered else _SIDE_BY_SIDE
    names = (*names, *(name for name in _OF_CHANGES if tells(name, runs)))
    metrics = [*map(metric_named, names), *results[0].own]
    heads = [_label(metric) for metric in metrics]
    columns = [_column(metric, runs, is_marked=is_marked) for metric in metrics]
    kind = kind_of(results)
    rows = [html_row(html_cell(kind.capitalize(), "th"), *heads)]
    rows += [
        html_row(html_cell(result.label, "th"), *cells)
        for result, *cells in zip(results, *columns, strict=True)
    ]
    return html_table(_title(results, f"{len(results)} {'policies' if kind == 'policy' else 'runs'}"), rows)


def _column(metric: Metric, runs: Sequence[Mapping[str, int | float]], *, is_marked: bool) -> list[str]:
    values = [value_of(metric.name, run) for run in runs]
    finite = [value for value in values if math.isfinite(value)]
    best = are_best(metric.name, metric.better if is_marked else None, values, runs)
    middle = sorted(abs(value) for value in finite)[len(finite) // 2] if finite else 0.0
    longest = 1.0 if metric.name in SHARES else max(finite, default=0.0)
    shares = [_share(value, longest) for value in values]
    return [
        html_cell(_text(metric, value, middle), bold=one, share=share)
        for value, one, share in zip(values, best, shares, strict=True)
    ]


def _share(value: float, longest: float) -> float | None:
    """Return the length of a bar as a share of the longest; None without a value or a bar."""
    if not (math.isfinite(value) and longest > 0):
        return None
    return min(max(value / longest, 0.0), 1.0)


def _text(metric: Metric, value: float, like: float | None = None) -> str:
    """Return a value with its unit; a time in the unit that suits a time `like` that one."""
    if not math.isfinite(value):
        return "–"
    if metric.unit == "s":
        return duration(value, time_unit(value if like is None else like))
    if metric.name in SHARES:
        return f"{figure(100 * value)} %"
    return f"{value:,}" if isinstance(value, int) else figure(value)


def _label(metric: Metric) -> str:
    return html_cell(label_of(metric.name, metric.unit), "th")


def _title(results: Sequence[Result], what: str) -> str:
    names = " and ".join(dict.fromkeys(result.workload.name for result in results))
    jobs = " or ".join(dict.fromkeys(tally(len(result.instance), "job") for result in results))
    return f"{what} on {names}: {jobs}, {' or '.join(dict.fromkeys(map(_size, results)))}"


def _size(result: Result) -> str:
    sites = "" if result.platform is None else f"{tally(len(result.platform), 'site')}, "
    return f"{sites}{tally(result.instance.processors, 'processor')}"
