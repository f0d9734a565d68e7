"""Reading the table ``[statistics]`` of a study file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.experiments.study.file.axis import Choices, Range
from echelon.experiments.study.file.template import format_value, gaps
from echelon.experiments.study.plan.combinations import name_listed
from echelon.experiments.study.plan.study import Statistics
from echelon.experiments.study.results.measures import find_metric
from echelon.platforms.files.mistakes import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from echelon.experiments.study.file.file_model import StatisticsTable
    from echelon.experiments.study.plan.plan import Plan
    from echelon.experiments.study.plan.point import Point
    from echelon.metrics import Metric
    from echelon.platforms.files.mistakes import Mistakes

_PLACE = ("statistics", "baseline")


def statistics_of(
    table: StatisticsTable,
    labels: Mapping[str, Collection[str]],
    metrics: Mapping[str, Metric],
    mistakes: Mistakes,
) -> Statistics:
    """Return how runs are compared; note a baseline that is on no axis, and unknown measures.

    Parameters
    ----------
    table : StatisticsTable
        What the file says.
    labels : mapping of str to collection of str
        By axis what there is on it; empty if that is not known, for which no baseline is reported as wrong.
    metrics : mapping of str to Metric
        By name.
    mistakes : Mistakes
        Receives what is wrong.
    """
    entries = table.model_dump(exclude_none=True)
    baseline = _baseline(entries.pop("baseline", {}), labels, mistakes)
    fronts = entries.pop("pareto", [])
    for number, front in enumerate(fronts):
        for name in front:
            find_metric(name, metrics, ("statistics", "pareto", number), mistakes)
        if len(set(front)) < len(front):
            mistakes.note(("statistics", "pareto", number), f"got {front}, expected different measures")
    if entries.get("warm_up", 0.0) + entries.get("cool_down", 0.0) >= 1:
        mistakes.note(
            ("statistics", "warm_up"),
            f"got {entries['warm_up']} and cool_down {entries['cool_down']}, expected together < 1",
        )
    return Statistics(baseline=baseline, pareto=tuple(map(tuple, fronts)), **entries)


def labels_of(points: Sequence[Point]) -> dict[str, dict[str, None]]:
    """Return by axis the labels of these points, each once."""
    labels: dict[str, dict[str, None]] = {}
    for point in points:
        for axis, label in point.labels.items():
            labels.setdefault(axis, {})[label] = None
    return labels


def listed_labels(plan: Plan) -> dict[str, list[str]]:
    """Return by axis the labels that a file lists; nothing if some are drawn, or are templates."""
    values = [(axis.name, value) for axis in plan.axes if isinstance(axis, Choices) for value in axis.values]
    values += [pair for case in plan.listed for pair in name_listed(case)]
    if any(isinstance(axis, Range) for axis in plan.axes) or any(gaps(value.label) for _, value in values):
        return {}
    labels: dict[str, list[str]] = {}
    for name, value in values:
        labels.setdefault(name, []).append(value.label)
    return labels


def _baseline(choice: Any, labels: Mapping[str, Collection[str]], mistakes: Mistakes) -> dict[str, str]:  # noqa: ANN401
    """Return the labels of the baseline by axis: a label alone is that of the one axis that has it."""
    if not labels:
        return {}
    if isinstance(choice, str):
        axes = [axis for axis, names in labels.items() if choice in names]
        if len(axes) == 1:
            return {axes[0]: choice}
        problem = (
            f"is a label of {' and '.join(axes)}; give one: {{ {axes[0]} = {choice!r} }}"
            if axes
            else f"no value is labelled {choice!r:.60}; "
            + nearest(choice, [name for names in labels.values() for name in names])
        )
        mistakes.note(_PLACE, problem)
        return {}
    baseline = {axis: format_value(label) for axis, label in choice.items()}
    for axis, label in baseline.items():
        if axis not in labels:
            mistakes.note_unknown((*_PLACE, axis), choice[axis], labels)
        elif label not in labels[axis]:
            mistakes.note(
                (*_PLACE, axis), f"no value is labelled {label!r:.60}; {nearest(label, labels[axis])}"
            )
    return baseline
