"""The panel of configurations: every metric of every combination, from which a script makes its table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.experiments.study.results.comparison_table import REPLICATION_AXES, label_of_value
from echelon.experiments.study.results.findings import JOINT
from echelon.extras import SCIPY
from echelon.metrics.registry.labels import LABELS
from echelon.reports.page_data.charts import script_safe
from echelon.reports.page_data.metric_definitions import DEFINED, metric_definitions
from echelon.reports.page_files import page_file
from echelon.reports.study.chart_data import numbers
from echelon.reports.study.comparison import baseline_value, parts_of
from echelon.reports.study.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.results.results import StudyResults

MOST_NUMBERS = 300_000
"""Numbers that the page carries for metrics beside those that it shows anyway."""

_MOST_AT_ALL = 2_000_000
"""Numbers from which on a page has no panel of configurations: it would be of tens of megabytes."""


def explorer(results: StudyResults, measures: Sequence[str], baseline: str | None) -> str:
    """Return the panel of configurations with its data; nothing where nothing varies but what is drawn.

    Parameters
    ----------
    results : StudyResults
        Of a study with runs.
    measures : sequence of str
        Metrics of the page, which come first.
    baseline : str, optional
        Value of an axis that the others are compared with, as for `study_page`.

    Notes
    -----
    Cost: O(n) for n runs, for each metric and level: every combination, and each axis by itself.
    """
    fixed = [axis for axis in results.axes if axis not in REPLICATION_AXES]
    if not fixed or len(results.table) * len(measures) * (len(fixed) + 1) > _MOST_AT_ALL:
        return ""
    return (
        page_file("study/explorer.html")
        + '<script type="application/json" id="study-data">'
        + script_safe(_data(results, fixed, measures, baseline))
        + "</script>"
    )


def _data(
    results: StudyResults, fixed: Sequence[str], measures: Sequence[str], baseline: str | None
) -> dict[str, Any]:
    names = _metrics(results, fixed, measures)
    quantities = {name: Quantity.of(results, name) for name in names}
    levels = [_level(results, fixed, names)]
    levels += [_level(results, [axis], names) for axis in fixed] if len(fixed) > 1 else []
    own = [{key: getattr(one, key) for key in ("name", *DEFINED)} for one in results.own]
    most = max(len(level["values"][names[0]][0]) for level in levels)
    compared = [axis for axis in results.compared if axis in fixed]
    return {
        "level": results.outline.level,
        "canTest": results.can_test,
        "axes": [{"name": axis, "values": _values(results, axis)} for axis in fixed],
        "compared": compared,
        "baseline": {axis: baseline_value(results, axis, baseline) for axis in fixed},
        "measures": list(measures),
        "metrics": {name: _metric(one) for name, one in quantities.items()},
        "definitions": metric_definitions(names, own),
        "quantiles": _quantiles(results, most),
        "levels": levels,
    }


def _metric(quantity: Quantity) -> dict[str, Any]:
    """Return how a metric is shown, and the range that intervals do not leave, in the metric's unit."""
    attributes = {key: getattr(quantity, key) for key in ("label", "unit", "factor", "better")}
    return attributes | {"least": quantity.metric.least, "most": quantity.metric.most}


def _values(results: StudyResults, axis: str) -> list[str]:
    """Return the values of an axis, and what stands for none where some runs have none."""
    values = results.values_of(axis)
    return [*values, label_of_value(None)] if results.table[axis].null_count() else values


def _metrics(results: StudyResults, fixed: Sequence[str], measures: Sequence[str]) -> list[str]:
    """Return the metrics of the panel: those of the page, then all others that are not too many."""
    table = results.table
    mine = {metric.name for metric in results.own}
    others = [
        name
        for name in (*LABELS, *mine)
        if name not in measures
        and name in table.columns
        and table[name].dtype.is_numeric()
        and table[name].null_count() < len(table)
    ]
    numbers_each = len(table) * (len(fixed) + 1 if len(fixed) > 1 else 1)
    room = max(0, MOST_NUMBERS // max(1, numbers_each) - len(measures))
    return [*measures, *others[:room]]


def _level(results: StudyResults, axes: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """Return the values of each metric: a row an experiment's combination, a column a combination of axes."""
    joined = results if len(axes) == 1 else results.joint(*axes)
    axis = JOINT.join(axes)
    values = joined.values_of(axis)
    rows = parts_of(joined, axis, axes)
    experiments = {name: joined.experiments(axis, name) for name in names}
    first = experiments[names[0]]
    order = [first.names.index(value) for value in values]
    complete = joined.table.drop_nulls(axis)
    counts = Counter(map(label_of_value, complete[axis].to_list()))
    return {
        "axes": list(axes),
        "rows": [rows[value] for value in values],
        "runs": [counts[value] for value in values],
        "certain": [value in first.certain for value in values],
        "seeds": [] if first.seed is None else first.seed.tolist(),
        "drawn": first.seed is not None,
        "values": {
            name: [numbers(one.values[:, column]) for column in order] for name, one in experiments.items()
        },
    }


def _quantiles(results: StudyResults, most: int) -> list[float | None]:
    """Return the quantiles of Student's t of the study's level by degrees of freedom, from 1 on."""
    if not results.can_test or most < 2:
        return []
    freedom = np.arange(1, most)
    return numbers(SCIPY.load().t.ppf((1 + results.outline.level) / 2, freedom))
