"""Reading the contest of a study file: by which measure, with how much of what, in how many rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from echelon.experiments.study.plan.successive_halving import SuccessiveHalving, rounds_possible
from echelon.experiments.study.results.measures import metric_noted

if TYPE_CHECKING:
    from echelon.experiments.study.file.file_model import SearchTable
    from echelon.experiments.study.plan.plan import Plan
    from echelon.experiments.study.plan.point import Point
    from echelon.platforms.files.mistakes import Mistakes

DEFAULT_ETA = 3.0


def halving_of(
    table: SearchTable, groups: tuple[tuple[Point, ...], ...], plan: Plan, mistakes: Mistakes
) -> SuccessiveHalving:
    """Return the contest that the table ``[search]`` describes; note what is wrong with it."""
    eta = DEFAULT_ETA if table.eta is None else table.eta
    resource = table.resource or "seeds"
    whole = len(plan.all_seeds) if resource == "seeds" else _fewest_jobs(groups, mistakes)
    possible = rounds_possible(max(map(len, groups), default=1), whole, eta)
    if table.rounds is not None and table.rounds > possible:
        mistakes.note(
            ("search", "rounds"),
            f"got {table.rounds}, expected at most {possible}: with eta = {eta:g} more would leave less than "
            f"one combination, or begin with less than one of the {resource}, {whole}",
        )
    name = table.measure or (plan.measures[0] if plan.measures else "mean_wait")
    return SuccessiveHalving(
        groups,
        plan.all_seeds,
        name,
        _goal(table, name, plan, mistakes),
        eta,
        min(table.rounds or possible, possible),
        resource,
        bool(plan.seeds),
    )


def _goal(table: SearchTable, name: str, plan: Plan, mistakes: Mistakes) -> Literal["min", "max"]:
    """Return whether the measure should be low or high, which most metrics say themselves."""
    metric = metric_noted(name, plan.metrics, ("search", "measure"), mistakes)
    if table.goal is not None or metric is None:
        return table.goal or "min"
    if metric.better is None:
        mistakes.note(("search", "goal"), f"is missing, expected min or max: {name} has no better direction")
    return "max" if metric.better == "high" else "min"


def _fewest_jobs(groups: tuple[tuple[Point, ...], ...], mistakes: Mistakes) -> int:
    """Return the least `first` of all points, which each must have."""
    sizes = [point.settings.get("first") for group in groups for point in group]
    numbers = [number for number in sizes if number is not None]
    if len(numbers) < len(sizes):
        mistakes.note(
            ("search", "resource"), "got 'jobs', expected `first`, the number of jobs in the last round"
        )
    return min(numbers, default=1)
