"""The summary: every metric of every run, best values marked, differences to the first run."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from echelon.metrics import METRICS
from echelon.metrics.registry.best import are_best, contenders, value_of
from echelon.metrics.registry.labels import (
    CHANGES,
    IMMEDIATE,
    LABELS,
    MULTICLUSTER,
    OF_STUDIES,
    SHARES,
    UNDISTURBED,
    label_of,
)
from echelon.quantities import AMOUNTS, TIME_UNITS, TimeUnit, duration, figure, quantity, time_unit
from echelon.reports.side_by_side.job_sets import job_set_sentences, number_given_sets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.metrics.registry.metric import Better
    from echelon.reports.tables import RunTables

Kind = Literal["time", "share", "count", "ratio", "amount"]


class Shown(NamedTuple):
    """How a metric is shown: its label, what kind of number it is, and which way is better."""

    label: str
    kind: Kind = "ratio"
    better: Literal["less", "more", ""] = ""
    unit: str = ""
    """Of an amount."""

    @property
    def saved_unit(self) -> str:
        """The unit of its numbers where they are saved; empty: they have none, or the label has it."""
        return "s" if self.kind == "time" else self.unit


MAIN = (
    "jobs",
    "mean_wait",
    "median_wait",
    "max_wait",
    "mean_response",
    "mean_turnaround",
    "mean_bounded_slowdown",
    "utilization",
    "throughput_per_day",
    "makespan",
    "jain_fairness_wait",
    "energy",
    "energy_delay_product",
    "peak_power",
    "communication_volume",
    "mean_speed_factor",
    *(name for name in MULTICLUSTER if name != "mean_upper_wait"),
    *IMMEDIATE,
    *CHANGES,
    "replicated_share",
)
"""What the page shows at once; the rest is unfolded."""

_OF_PREEMPTION = (
    "preemptions",
    "mean_response",
    "max_response",
    "mean_suspended_time",
    "switch_share",
)

_MOST = {"s": 300.0, "min": 300.0, "h": 1000.0}
"""Up to where a unit reads well: 299 min and 999 h do, 1000 h are 41.7 d."""

_SMALLEST = 0.01
"""Of a row's unit: times below are not written out, so that a row needs no more than one unit."""
_ENDS: dict[str, Better] = {"less": "low", "more": "high", "": None}
_WAYS: dict[str | None, Literal["less", "more", ""]] = {"low": "less", "high": "more", None: ""}
_KNOWN = {metric.name: metric for metric in METRICS}


def summary(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return the metrics as HTML: for one run a list, for several a table with a row for each metric."""
    shown = shown_metrics(runs)
    return _list(shown, runs[0]) if len(runs) == 1 else _table(shown, runs, names)


def shown_metrics(runs: Sequence[RunTables]) -> dict[str, Shown]:
    """Return how to show each metric that a run has, in the order of the page; the user's own come last."""
    present = dict.fromkeys(key for run in runs for key in run.metrics)
    again = ("preemptions", "switch_share", "restarts")
    if not any(run.metrics.get(name) for run in runs for name in again):
        # They would say the wait again, and nothing.
        present = {key: None for key in present if key not in _OF_PREEMPTION}
    for key in OF_STUDIES:
        present.pop(key, None)
    for key, usual in UNDISTURBED.items():
        if all(run.metrics.get(key, usual) == usual for run in runs):
            present.pop(key, None)
    keys = [key for key in LABELS if key in present] + [key for key in present if key not in LABELS]
    own = {str(metric.get("name")): metric for run in runs for metric in run.run.get("own_metrics", ())}
    return {key: _display_of(key, own.get(key, {})) for key in keys}


def row_texts(shown: Shown, numbers: Sequence[float]) -> list[str]:
    """Return the values of a metric as text, all in one unit; a dash for what is not finite."""
    finite = [number for number in numbers if math.isfinite(number)]
    return [_text(number, shown, finite) for number in numbers]


def _list(keys: Mapping[str, Shown], run: RunTables) -> str:
    main = {key: shown for key, shown in keys.items() if _is_main(key)}
    rest = {key: shown for key, shown in keys.items() if not _is_main(key)}
    more = (
        f"<details><summary>{len(rest)} more metrics</summary>{_tiles(rest, run)}</details>" if rest else ""
    )
    return _tiles(main, run) + more


def _is_main(key: str) -> bool:
    """Return whether a metric is shown at once; those of the user's own always are."""
    return key in MAIN or key not in LABELS


def _tiles(keys: Mapping[str, Shown], run: RunTables) -> str:
    tiles = "".join(_tile(key, shown, _number(run.metrics[key])) for key, shown in keys.items())
    return f'<dl class="tiles">{tiles}</dl>'


def _tile(key: str, shown: Shown, number: float) -> str:
    text = html.escape(_text(number, shown, [number], alone=True))
    value = f' data-value="{number:.15g}"' if math.isfinite(number) else ""
    return (
        f'<div data-metric="{html.escape(key)}"><dt{_saved_label(shown)}>{html.escape(shown.label)}</dt>'
        f'<dd{value} title="{_exact(number, shown)}">{text}</dd></div>'
    )


def _table(keys: Mapping[str, Shown], runs: Sequence[RunTables], names: Sequence[str]) -> str:
    head = "".join(f'<th role="columnheader" scope="col">{html.escape(name)}</th>' for name in names)
    metrics, sets = [run.metrics for run in runs], number_given_sets(runs)
    rows = "\n".join(_row(key, shown, metrics, names, sets) for key, shown in keys.items())
    stated = f' data-sets="{",".join(map(str, sets))}"' if len(set(sets)) > 1 else ""
    # On a phone the rows become cards, which would take the table's meaning away without the roles.
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Summary table">'
        f'<table class="summary" id="summary-table" role="table"{stated}>'
        '<thead role="rowgroup"><tr role="row">'
        f'<th role="columnheader" scope="col">Metric</th>{head}</tr></thead>\n'
        f'<tbody role="rowgroup">\n{rows}\n</tbody></table></div>'
        f'<button type="button" id="summary-more" hidden>Show all {len(keys)} metrics</button>'
        f'<p class="hint">{_reading(runs, names, sets)} Point at a value to see it exactly.</p>'
    )


def _reading(runs: Sequence[RunTables], names: Sequence[str], sets: Sequence[int]) -> str:
    """Return what percentages and stars say; runs of other jobs than the first one's have none."""
    first = f'Percentages are differences to <span id="baseline-name">{html.escape(names[0])}</span>'
    if len(set(sets)) > 1:
        which = html.escape(" ".join(job_set_sentences(runs, names)))
        return f"{first}. Runs of other jobs have none, and no value is marked as the best. {which}"
    among = (
        "" if all(contenders([run.metrics for run in runs])) else " of the runs that completed the most jobs"
    )
    return f"{first}; ★ marks the best{among}."


def _row(
    key: str,
    shown: Shown,
    runs: Sequence[Mapping[str, float]],
    names: Sequence[str],
    sets: Sequence[int],
) -> str:
    """Return a metric of all runs; those of other jobs than the first run's are not compared with it."""
    numbers = [_number(value_of(key, run)) for run in runs]
    finite = [number for number in numbers if math.isfinite(number)]
    alike = len(set(sets)) == 1
    best = are_best(key, _ENDS[shown.better], numbers, runs) if alike else [False] * len(runs)
    cells = "".join(
        _cell(
            name,
            number,
            shown,
            finite,
            is_best=one,
            reference=numbers[0] if place and of == sets[0] else None,
        )
        for place, (name, number, one, of) in enumerate(zip(names, numbers, best, sets, strict=True))
    )
    more = "" if _is_main(key) else ' class="more"'
    return (
        f'<tr role="row" data-metric="{html.escape(key)}"{more} data-kind="{shown.kind}"'
        f' data-better="{shown.better}">'
        f'<th role="rowheader" scope="row"{_saved_label(shown)}>{html.escape(shown.label)}</th>{cells}</tr>'
    )


def _saved_label(shown: Shown) -> str:
    """Return the attribute by which a saved label says the unit of its numbers."""
    unit = shown.saved_unit
    return f' data-value="{html.escape(f"{shown.label} ({unit})")}"' if unit else ""


def _row_unit(numbers: Sequence[float]) -> TimeUnit:
    """Choose one unit for a row, so that its numbers compare at a glance: the largest one must read well."""
    largest = max((abs(number) for number in numbers), default=0.0)
    day, *shorter = TIME_UNITS
    return next((unit for unit in reversed(shorter) if largest < _MOST[unit.sign] * unit.seconds), day)


def _display_of(key: str, own: Mapping[str, object]) -> Shown:
    """Return how to show a built-in metric, or one of the user's `own` as the run's manifest describes it."""
    metric = _KNOWN.get(key)
    unit = metric.unit if metric else str(own.get("unit", "1"))
    better = metric.better if metric else str(own.get("better"))
    label = label_of(key, unit if own else "1")
    kind: Kind = "time" if unit == "s" else "count" if metric and unit == "jobs" else "ratio"
    if metric and unit in AMOUNTS:
        return Shown(label.removesuffix(f" ({unit})"), "amount", _WAYS.get(better, ""), unit)
    return Shown(label, "share" if key in SHARES else kind, _WAYS.get(better, ""))


def _exact(number: float, shown: Shown) -> str:
    if not math.isfinite(number):
        return "not measured"
    return f"{number:.15g} {shown.saved_unit}".rstrip()


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _cell(
    name: str, number: float, shown: Shown, row: Sequence[float], *, is_best: bool, reference: float | None
) -> str:
    mark = ' <span class="mark" aria-label="best">★</span>' if is_best else ""
    attributes = ' class="best"' if is_best else ""
    text = html.escape(_text(number, shown, row))
    difference = _difference(number, reference, shown) if reference is not None else ""
    run = html.escape(name)
    value = f' data-value="{number:.15g}"' if math.isfinite(number) else ""
    return (
        f'<td role="cell" data-run="{run}"{value}{attributes} title="{_exact(number, shown)}">'
        f"{text}{mark}{difference}</td>"
    )


def _text(number: float, shown: Shown, row: Sequence[float], *, alone: bool = False) -> str:
    """Return a number as text, in the unit that all finite numbers of its row share."""
    if not math.isfinite(number):
        return "–"
    kind = shown.kind
    if kind == "amount":
        return quantity(number, shown.unit, max(map(abs, row)))
    if kind == "time":
        unit = time_unit(number) if alone else _row_unit(row)
        small = 0 < number < _SMALLEST * unit.seconds and unit.seconds > 1
        return f"< {_SMALLEST} {unit.sign}" if small else duration(number, unit)
    if kind == "share":
        return f"{figure(100 * number)} %"
    return f"{number:,.0f}" if kind == "count" else figure(number)


def _difference(number: float, reference: float, shown: Shown) -> str:
    if not (math.isfinite(number) and math.isfinite(reference)) or reference == 0 or shown.kind == "count":
        return ""
    percent = 100 * (number - reference) / abs(reference)
    way = (
        ""
        if not shown.better or abs(percent) < 0.05
        else ("good" if (percent < 0) == (shown.better == "less") else "bad")
    )
    sign = "±" if abs(percent) < 0.05 else ("+" if percent > 0 else "−")
    return f'<small class="{way}">{sign}{abs(percent):,.1f} %</small>'
