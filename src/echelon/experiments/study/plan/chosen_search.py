"""From what a study file says to its search: the points are made, checked, and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from echelon.experiments.study.file.axis import Range
from echelon.experiments.study.plan.combinations import name_listed, one_by_one, point_groups
from echelon.experiments.study.plan.feasibility import note_impossible
from echelon.experiments.study.plan.point import PointMaker
from echelon.experiments.study.plan.search import AllCases
from echelon.experiments.study.plan.successive_halving import SuccessiveHalving, rounds_possible
from echelon.experiments.study.results.measures import find_metric
from echelon.platforms.files.mistakes import nearest

if TYPE_CHECKING:
    from echelon.experiments.study.file.file_model import SearchTable
    from echelon.experiments.study.plan.plan import Plan
    from echelon.experiments.study.plan.point import Point
    from echelon.platforms.files.mistakes import Mistakes

_DRAWN = ("samples", "seed")
_KEYS: dict[str, tuple[str, ...]] = {
    "product": (),
    "list": (),
    "random": (*_DRAWN, "within"),
    "latin-hypercube": (*_DRAWN, "within"),
    "successive-halving": (*_DRAWN, "within", "measure", "goal", "eta", "rounds", "resource"),
}
"""The keys that each search accepts in addition to its kind."""


def search_of(
    table: SearchTable, plan: Plan, mistakes: Mistakes, *, most: int
) -> AllCases | SuccessiveHalving:
    """Return the search that a study file describes, its points checked; note what is wrong."""
    kind = table.kind or ("list" if plan.listed and not plan.axes else "product")
    _check_keys(kind, table, mistakes)
    _check_axes(kind, table, plan, mistakes)
    count = plan.count(table.samples)
    if count > most:
        mistakes.note(("axes",), f"{count:,} runs, expected at most {most:,}; --max {count} if you mean it")
    fixed = {key: value for key, value in plan.fixed.items() if key != "seed"}
    maker = PointMaker(fixed, plan.parameters, plan.exclusions, plan.folder, mistakes)
    if mistakes:
        _check_settings(plan, maker)
        if table.measure is not None:
            find_metric(table.measure, plan.metrics, ("search", "measure"), mistakes)
        return AllCases(kind, ())
    groups = point_groups(plan, maker, kind=kind, samples=table.samples, seed=table.seed or 0)
    points = [point for group in groups for point in group]
    if not points and not mistakes:
        mistakes.note(("exclude",), "leaves no run, expected rules that leave at least one")
    if kind in ("product", "list"):
        for rule in plan.exclusions:
            if rule.place not in maker.excluding and not mistakes:
                mistakes.note(rule.place, "excludes nothing, expected a combination of the study")
    note_impossible(points, mistakes)
    if kind == "successive-halving":
        return halving_of(table, groups, plan, mistakes)
    return AllCases(kind, tuple(points), plan.all_seeds, bool(plan.seeds))


def _check_settings(plan: Plan, maker: PointMaker) -> None:
    """Let wrong values be reported with the other mistakes, before any combination is made."""
    if plan.axes or not plan.listed:
        for values in one_by_one(plan):
            maker.make(values)
    for value in plan.listed:
        maker.make(name_listed(value))


def _check_keys(kind: str, table: SearchTable, mistakes: Mistakes) -> None:
    """Note keys that the kind of search does not have, and those that it needs."""
    for key in sorted(table.model_fields_set - {"kind", *_KEYS[kind]}):
        keys = ", ".join(_KEYS[kind]) or "no further keys"
        mistakes.note(("search", key), f"does not apply to a search of kind {kind!r}, which has {keys}")
    if kind in ("random", "latin-hypercube") and table.samples is None:
        mistakes.note(("search", "samples"), "is missing, expected the number of combinations to draw")


def _check_axes(kind: str, table: SearchTable, plan: Plan, mistakes: Mistakes) -> None:
    """Note axes that the kind of search cannot take."""
    names = [axis.name for axis in plan.axes]
    for number, name in enumerate(table.within or ()):
        if name not in names:
            mistakes.note(
                ("search", "within", number), f"no axis is named {name!r:.60}; {nearest(name, names)}"
            )
    if kind == "list" and plan.axes:
        mistakes.note(
            ("search", "kind"),
            "got 'list', expected no axes but seeds: only the runs of [[case]] are executed",
        )
    if kind == "successive-halving" and plan.listed:
        mistakes.note(
            ("search", "kind"), f"got {kind!r}, whose contests no [[case]] can join; make it an axis"
        )
    if table.samples is not None and not plan.inner:
        mistakes.note(("search", "samples"), "draws from no axis: each is enumerated, see `within`")
    for axis in plan.axes:
        if isinstance(axis, Range) and table.samples is None:
            mistakes.note(
                axis.place,
                "is a range, from which only a search draws; expected a list, a step, or [search] with "
                'kind = "random" and samples',
            )


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
    metric = find_metric(name, plan.metrics, ("search", "measure"), mistakes)
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
