"""The points of a study, made from its axes and lists: a group for each combination of the outer axes."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

from echelon.experiments.study.axis import Choices, Value
from echelon.experiments.study.combinations import all_of, latin_hypercube, random_samples
from echelon.experiments.study.template import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from echelon.experiments.study.plan import Plan
    from echelon.experiments.study.point import Point
    from echelon.experiments.study.point_maker import PointMaker

    Named = tuple[tuple[str, Value], ...]


def point_groups(
    plan: Plan, maker: PointMaker, *, kind: str, samples: int | None, seed: int
) -> tuple[tuple[Point, ...], ...]:
    """Return the points, each once: of every combination of the outer axes a group, then those listed.

    Parameters
    ----------
    plan : Plan
        Of a study.
    maker : PointMaker
        Tells which combinations are none.
    kind : str
        Of the search.
    samples : int or None
        How many combinations of the inner axes are drawn, the same ones in each group; None takes all.
    seed : int
        Of the draws.
    """
    if plan.listed and not plan.axes:
        return _kept([[maker.made(named_listed(value)) for value in plan.listed]])
    outer = list(all_of(plan.outer))
    groups: list[list[Point | None]] = [[] for _ in outer]
    rows = _different(plan, _rows(plan, kind, samples, seed))
    for found in islice(_useful(_points_of_rows(plan, maker, outer, rows), maker), samples):
        for group, point in zip(groups, found, strict=True):
            group.append(point)
    return _kept([*groups, [maker.made(named_listed(value)) for value in plan.listed]])


def _points_of_rows(
    plan: Plan, maker: PointMaker, outer: list[tuple[Value, ...]], rows: Iterable[tuple[Value, ...]]
) -> Iterator[list[Point | None]]:
    """Yield the points of each row of inner values: one for each combination of the outer axes."""
    names = [axis.name for axis in (*plan.outer, *plan.inner)]
    order = [names.index(axis.name) for axis in plan.axes]
    for row in rows:
        yield [maker.made((names[k], (*above, *row)[k]) for k in order) for above in outer]


def named_listed(value: Value) -> Named:
    """Return what makes the point of a listed case: its keys are its axes."""
    told = [(key, Value({key: told}, shown(told), value.place)) for key, told in value.settings.items()]
    label = [("case", Value({}, value.label, value.place))] if value.label else []
    return (*label, *told)


def one_by_one(plan: Plan) -> Iterator[Named]:
    """Yield combinations in which each value of each axis comes at least once: few, to check words alone."""
    usual = {axis.name: axis.at(0.0) for axis in plan.axes}
    yield tuple(usual.items())
    for axis in plan.axes:
        for value in axis.values[1:] if isinstance(axis, Choices) else ():
            yield tuple((usual | {axis.name: value}).items())


def _rows(plan: Plan, kind: str, samples: int | None, seed: int) -> Iterable[tuple[Value, ...]]:
    if samples is None:
        return all_of([axis for axis in plan.inner if isinstance(axis, Choices)])
    draw = latin_hypercube if kind == "latin-hypercube" else random_samples
    return draw(plan.inner, samples, seed=seed)


def _different(plan: Plan, rows: Iterable[tuple[Value, ...]]) -> Iterator[tuple[Value, ...]]:
    """Yield each row once, and stop when there can be no other."""
    sizes = [len(axis.values) if isinstance(axis, Choices) else math.inf for axis in plan.inner]
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        key = tuple(value.label for value in row)
        if key not in seen:
            seen.add(key)
            yield row
        if len(seen) >= math.prod(sizes):
            return


def _useful(found: Iterator[list[Point | None]], maker: PointMaker) -> Iterator[list[Point | None]]:
    """Yield the rows that are not excluded everywhere; all once something is wrong: nothing will be run."""
    for points in found:
        if maker.mistakes or any(point is not None for point in points):
            yield points


def _kept(groups: list[list[Point | None]]) -> tuple[tuple[Point, ...], ...]:
    """Return the points that there are, each once in all, without groups that have none."""
    seen: set[str] = set()
    kept = []
    for group in groups:
        there = []
        for point in group:
            if point is not None and (words := point.words) not in seen:
                seen.add(words)
                there.append(point)
        kept.append(tuple(there))
    return tuple(group for group in kept if group)
