"""Combinations of axes: all of them, or samples of them, and the points that they make."""

from __future__ import annotations

import math
from itertools import islice, product
from typing import TYPE_CHECKING

from echelon.experiments.study.file.axis import Choices, Value
from echelon.experiments.study.file.template import format_value
from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.experiments.study.file.axis import Axis
    from echelon.experiments.study.plan.plan import Plan
    from echelon.experiments.study.plan.point import Point, PointMaker

    Named = tuple[tuple[str, Value], ...]

MOST_DRAWS = 1000
"""Rows drawn at random for each one wanted: if so many bring nothing new, there is nothing new."""


def all_of(axes: Sequence[Choices]) -> Iterator[tuple[Value, ...]]:
    """Yield every combination of listed values, the last axis varying fastest."""
    return product(*(axis.values for axis in axes))


def random_samples(axes: Sequence[Axis], samples: int, *, seed: int) -> Iterator[tuple[Value, ...]]:
    """Yield combinations drawn at random, each axis by itself: uniform over its values or its range.

    Parameters
    ----------
    axes : sequence of Choices or Range
        At least one.
    samples : int
        How many are wanted, >= 1; more are yielded, as some may come twice or be excluded.
    seed : int
        >= 0. Each axis has a stream of its own, so that another axis does not change its values.

    Notes
    -----
    Ends after `MOST_DRAWS` rows for each sample. Source: Bergstra and Bengio, JMLR 13, 2012.
    """
    draws = [stream(seed, f"study/random/{axis.name}") for axis in axes]
    for _ in range(samples * MOST_DRAWS):
        yield tuple(axis.at(float(draw.random())) for axis, draw in zip(axes, draws, strict=True))


def latin_hypercube(axes: Sequence[Axis], samples: int, *, seed: int) -> Iterator[tuple[Value, ...]]:
    """Yield combinations of a Latin hypercube: each axis is cut in `samples` equal parts, each used once.

    Parameters
    ----------
    axes : sequence of Choices or Range
        At least one. Of listed values each occurs equally often, give or take one.
    samples : int
        How many, >= 1.
    seed : int
        >= 0. Each axis has a stream of its own.

    Notes
    -----
    Source: McKay, Beckman and Conover, Technometrics 21(2), 1979. Cost: O(samples) an axis.
    """
    columns = []
    for axis in axes:
        draw = stream(seed, f"study/latin-hypercube/{axis.name}")
        parts = draw.permutation(samples)
        if isinstance(axis, Choices):
            columns.append([axis.values[part * len(axis.values) // samples] for part in parts.tolist()])
        else:
            shares = (parts + draw.random(samples)) / samples
            columns.append([axis.at(share) for share in shares.tolist()])
    return zip(*columns, strict=True)


def point_groups(
    plan: Plan, maker: PointMaker, *, kind: str, samples: int | None, seed: int
) -> tuple[tuple[Point, ...], ...]:
    """Return the points, each once: of every combination of the outer axes a group, then those listed.

    Parameters
    ----------
    plan : Plan
        Of a study.
    maker : PointMaker
        Knows which combinations are invalid.
    kind : str
        Of the search.
    samples : int or None
        How many combinations of the inner axes are drawn, the same ones in each group; None takes all.
    seed : int
        Of the draws.
    """
    seen: set[str] = set()
    listed = [maker.make(name_listed(value)) for value in plan.listed]
    if plan.listed and not plan.axes:
        return _drop_missing([_blank_seen(listed, seen)])
    outer = list(all_of(plan.outer))
    rows = _drop_repeated(plan, _rows(plan, kind, samples, seed))
    candidates = (_blank_seen(points, seen) for points in _points_of_rows(plan, maker, outer, rows))
    # Once something is wrong nothing will be run: then samples need not be good for anything.
    useful = (points for points in candidates if maker.mistakes or any(points))
    groups: list[list[Point | None]] = [[] for _ in outer]
    for points in islice(useful, samples):
        for group, point in zip(groups, points, strict=True):
            group.append(point)
    return _drop_missing([*groups, _blank_seen(listed, seen)])


def _points_of_rows(
    plan: Plan, maker: PointMaker, outer: list[tuple[Value, ...]], rows: Iterable[tuple[Value, ...]]
) -> Iterator[list[Point | None]]:
    """Yield the points of each row of inner values: one for each combination of the outer axes."""
    names = [axis.name for axis in (*plan.outer, *plan.inner)]
    order = [names.index(axis.name) for axis in plan.axes]
    for row in rows:
        yield [maker.make((names[k], (*above, *row)[k]) for k in order) for above in outer]


def name_listed(value: Value) -> Named:
    """Return what makes the point of a listed case: its keys are its axes."""
    setting = [
        (key, Value({key: setting}, format_value(setting), value.place))
        for key, setting in value.settings.items()
    ]
    label = [("case", Value({}, value.label, value.place))] if value.label else []
    return (*label, *setting)


def one_by_one(plan: Plan) -> Iterator[Named]:
    """Yield combinations in which each value of each axis comes at least once: few, to check specs alone."""
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


def _drop_repeated(plan: Plan, rows: Iterable[tuple[Value, ...]]) -> Iterator[tuple[Value, ...]]:
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


def _blank_seen(points: Iterable[Point | None], seen: set[str]) -> list[Point | None]:
    """Return points with None for those that were seen before, and keep what has been seen."""
    group: list[Point | None] = []
    for point in points:
        spec = "" if point is None else point.spec
        group.append(None if spec in seen else point)
        seen.add(spec)
    return group


def _drop_missing(groups: Iterable[list[Point | None]]) -> tuple[tuple[Point, ...], ...]:
    """Return the points that there are, without groups that have none."""
    there = (tuple(point for point in group if point is not None) for group in groups)
    return tuple(group for group in there if group)
