"""From what a study file says to its search: the points are made, checked, and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.study.file.axis import Range
from echelon.experiments.study.file.halving import halving_of
from echelon.experiments.study.plan.all_cases import AllCases
from echelon.experiments.study.plan.feasibility import note_impossible
from echelon.experiments.study.plan.point_groups import named_listed, one_by_one, point_groups
from echelon.experiments.study.plan.point_maker import PointMaker
from echelon.experiments.study.results.measures import metric_noted
from echelon.platforms.files.mistakes import nearest

if TYPE_CHECKING:
    from echelon.experiments.study.file.file_model import SearchTable
    from echelon.experiments.study.plan.plan import Plan
    from echelon.experiments.study.plan.successive_halving import SuccessiveHalving
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
            metric_noted(table.measure, plan.metrics, ("search", "measure"), mistakes)
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
            maker.made(values)
    for value in plan.listed:
        maker.made(named_listed(value))


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
