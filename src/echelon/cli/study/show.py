"""``echelon study show``: show the progress of a study and its results so far."""

import math
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.study.options import CoolDown, Folder, WarmUp
from echelon.cli.terminal import facts, grid, show_json
from echelon.cli.terminal import show as show_text
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.table import Table

    from echelon.experiments.study.results.findings import Mean
    from echelon.experiments.study.results.results import StudyResults
    from echelon.reports.study.quantity import Quantity

_By = Annotated[
    list[str] | None,
    typer.Option(
        metavar="AXIS[,AXIS]",
        help="An axis to make a table by; may be repeated. Several axes joined by commas make one table of "
        "all combinations. Default: the axes that determine the scheduling.",
    ),
]
_Measure = Annotated[
    list[str] | None,
    typer.Option(
        "--measure", metavar="M[,N]", help="Metrics shown, as `echelon metrics`. Default: the study's."
    ),
]
_Watch = Annotated[bool, typer.Option("--watch", help="Refresh every two seconds until the study is done.")]

_EVERY = 2.0
"""Seconds between two refreshes of a watched study."""

_SHOWN_FAILURES = 3


def show(
    folder: Folder,
    *,
    by: _By = None,
    measure: _Measure = None,
    warm_up: WarmUp = None,
    cool_down: CoolDown = None,
    watch: _Watch = False,
    json: options.Json = False,
) -> None:
    """Show the progress of the study in DIR and means with intervals; also while it runs."""
    from echelon.experiments.study.results.stored_results import read_study_results

    measures = options.split_names(measure)

    def read() -> "StudyResults":
        return read_study_results(folder, warm_up=warm_up, cool_down=cool_down)

    if json:
        show_json(_as_json(read(), by, measures))
    elif watch:
        _watch(read, by, measures)
    else:
        show_text(*_parts(read(), by, measures))


def _watch(read: Any, by: list[str] | None, measures: list[str]) -> None:  # noqa: ANN401  (a function)
    """Draw the study repeatedly, in place on a terminal, until no run is left."""
    from rich.console import Console, Group
    from rich.live import Live

    console = Console()
    with Live(console=console, auto_refresh=False, transient=console.is_terminal) as live:
        while True:
            results = read()
            live.update(Group(*_parts(results, by, measures)), refresh=console.is_terminal)
            if results.pace is None or not results.pace.left:
                break
            time.sleep(_EVERY)
    if console.is_terminal:
        console.print(Group(*_parts(results, by, measures)))


def _tables_by(results: "StudyResults", by: list[str] | None) -> "list[tuple[StudyResults, str]]":
    """Return results and the axis of each table; joined axes count as one."""
    if by is None:
        return [(results, axis) for axis in results.compared]
    tables = []
    for names in by:
        axes = options.split_names([names])
        joined = results.joint(*axes) if len(axes) > 1 else results
        tables.append((joined, joined.outline.axes[0] if len(axes) > 1 else axes[0]))
    return tables


def _parts(study_results: "StudyResults", by: list[str] | None, measures: list[str]) -> "list[str | Table]":
    from echelon.cli.study.sentences import headline, interval_sentence
    from echelon.reports.study.replication import dependence_notes

    parts: list[str | Table] = [headline(study_results)]
    parts += [
        f"  failed: {_labels(entry.labels)}: {entry.problem}"
        for entry in study_results.failures[:_SHOWN_FAILURES]
    ]
    if len(study_results.failures) > _SHOWN_FAILURES:
        parts.append(f"  and {tally(len(study_results.failures) - _SHOWN_FAILURES, 'other')}, in log.jsonl")
    if study_results.table.is_empty():
        return parts
    for results, axis in _tables_by(study_results, by):
        names = measures or results.measures
        table, is_cut = _table(results, axis, names)
        parts += ["", interval_sentence(results, axis, is_cut=is_cut), table]
        parts += dependence_notes(results, axis, names)
    if study_results.is_uneven and not (study_results.pace and study_results.pace.left):
        from echelon.reports.study.facts import UNEVEN

        parts += ["", UNEVEN]
    notes = _notes(study_results)
    parts += ["", *notes] if notes and isinstance(parts[-1], str) else notes
    if not study_results.axes:
        parts += ["", "All runs:", _single_table(study_results, measures or study_results.measures)]
    return parts


def _notes(results: "StudyResults") -> list[str]:
    """Return what else there is to know of the runs."""
    from echelon.reports.study.replication import replication_notes
    from echelon.reports.study.run_notes import dropped_notes, priority_notes

    return [*dropped_notes(results), *replication_notes(results), *priority_notes(results)]


def _labels(labels: dict[str, str]) -> str:
    return ", ".join(f"{axis} {value}" for axis, value in labels.items()) or "a case"


def _table(results: "StudyResults", axis: str, measures: "Sequence[str]") -> "tuple[str | Table, bool]":
    """Return a table of means, and whether some intervals are shown by their bounds."""
    from echelon.reports.study.quantity import Quantity
    from echelon.reports.study.replication import quiet_about_scipy

    with quiet_about_scipy():
        means = {Quantity.of(results, name): results.means(axis, name) for name in measures}
    values, outcomes = results.values_of(axis), results.outcomes(axis)
    runs = [max((row[place].runs for row in means.values()), default=0) for place in range(len(values))]
    columns = [
        [axis.capitalize(), *values],
        ["Runs", *(f"{count:,}" for count in runs)],
        *(_column(quantity, row, outcomes) for quantity, row in means.items()),
    ]
    heads, *rows = zip(*columns, strict=True)
    is_cut = any(quantity.is_cut(row) for quantity, row in means.items())
    return grid(heads, rows, numbers=range(1, len(heads))), is_cut


def _column(
    quantity: "Quantity", means: "Sequence[Mean]", outcomes: "Sequence[Mapping[str, float]]"
) -> list[str]:
    from echelon.cli.formatting import metric_column
    from echelon.metrics.registry.best import MARKED_BY
    from echelon.metrics.registry.labels import label_of

    # A mean over fewer runs is one of other jobs: where the long runs failed, waits are short.
    most = max((one.runs for one in means), default=0)
    fewer = {MARKED_BY[0]: math.inf}
    outcomes = [
        lost if one.runs == most else {**lost, **fewer} for one, lost in zip(means, outcomes, strict=True)
    ]
    label = label_of(quantity.name, quantity.metric.unit)
    scale = (quantity.unit, quantity.factor)
    head, *cells = metric_column(quantity.metric, label, [one.mean for one in means], outcomes, scale)
    intervals = quantity.format_intervals(means)
    # A mean without an interval is aligned with those that have one.
    width = max(map(len, intervals), default=0)
    return [head, *(f"{cell}{interval:<{width}}" for cell, interval in zip(cells, intervals, strict=True))]


def _single_table(results: "StudyResults", measures: "Iterable[str]") -> "str | Table":
    """Return the means of a study in which nothing varies."""
    from echelon.cli.formatting import metric_text
    from echelon.metrics.registry.labels import label_of

    means = ((results.metric(name), results.table[name].drop_nulls().to_list()) for name in measures)
    return facts(
        (label_of(metric.name, metric.unit), metric_text(metric, sum(values) / len(values)))
        for metric, values in means
        if values
    )


def _as_json(study_results: "StudyResults", by: list[str] | None, measures: list[str]) -> dict[str, Any]:
    from dataclasses import asdict

    pace = study_results.pace
    document = {
        "study": study_results.outline.name,
        "state": None
        if pace is None
        else {**asdict(pace), "left": pace.left, "seconds_left": pace.seconds_left},
        "axes": {axis: study_results.values_of(axis) for axis in study_results.axes},
        "replications": study_results.outline.replications,
        "without_chance": study_results.certain,
        "notes": _notes(study_results),
        "failures": [{"labels": entry.labels, "problem": entry.problem} for entry in study_results.failures],
        "tables": [
            {
                "axis": axis,
                "measure": name,
                "means": _means(results, axis, name),
                "lag_1_autocorrelation": results.dependence(axis, name),
                "baseline": results.baseline_of(axis),
                "differences": [
                    {"value": one.value, **asdict(one.found), "adjusted_p_value": one.adjusted}
                    for one in (results.compare(axis, name) if results.can_test else ())
                ],
            }
            for results, axis in _tables_by(study_results, by)
            for name in (measures or results.measures)
        ],
    }
    return {key: _without_infinity(value) for key, value in document.items()}


def _means(results: "StudyResults", axis: str, measure: str) -> list[dict[str, Any]]:
    from echelon.reports.study.replication import quiet_about_scipy

    with quiet_about_scipy():
        return [one._asdict() for one in results.means(axis, measure)]


def _without_infinity(value: Any) -> Any:  # noqa: ANN401  (whatever JSON can hold)
    """Return a value with None in place of infinities, which JSON lacks."""
    if isinstance(value, dict):
        return {key: _without_infinity(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_infinity(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
