"""Critical-difference diagram: names by mean rank on one line, and those that do not differ significantly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.reports.study.svg import WIDTH, Axis, chart, clipped, line, path, stroked, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.analysis import Friedman

_LINE = 46.0
"""Height of the line of ranks."""

_SIDE = 150.0
"""Room for names at either side."""


def rank_diagram(found: Friedman, names: Sequence[str]) -> str:
    """Return names along a line of ranks, the best at the left; bars join those that do not differ.

    Notes
    -----
    Source: Demšar, JMLR 7, 2006, figure 1.
    """
    ranks, count = found.mean_ranks, len(names)
    axis = Axis(1, count, _SIDE, WIDTH - _SIDE)
    parts = [*_scale(axis, count), *_ruler(axis, found.critical_difference, count)]
    first, half = _LINE + 20 + 7 * len(found.cliques), (count + 1) // 2
    for place, column in enumerate(np.argsort(ranks, kind="stable").tolist()):
        row = place if place < half else count - 1 - place
        parts += _name(names[column], axis, float(ranks[column]), first + 18 * row, is_left=place < half)
    for place, clique in enumerate(found.cliques):
        low, high = (axis.at(float(ranks[clique[end]])) for end in (0, -1))
        height = _LINE + 8 + 7 * place
        parts.append(path([(low - 3, height), (high + 3, height)], stroked(1, width=4)))
    label = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(names, ranks.tolist(), strict=True))
    return chart(parts, first + 18 * half, f"Mean ranks: {label}")


def _scale(axis: Axis, count: int) -> list[str]:
    parts = [line((axis.start, _LINE), (axis.end, _LINE), kind="ink")]
    for rank in range(1, count + 1, max(1, math.ceil(count / 9))):
        place = axis.at(rank)
        parts += [
            line((place, _LINE), (place, _LINE - 6), kind="ink"),
            text(place, _LINE - 10, str(rank), anchor="middle"),
        ]
    return parts


def _ruler(axis: Axis, difference: float, count: int) -> list[str]:
    end = axis.at(min(1 + difference, count))
    return [
        line((axis.start, 14), (end, 14), kind="ink"),
        *(line((place, 10), (place, 18), kind="ink") for place in (axis.start, end)),
        text(axis.start - 8, 18, f"critical difference {difference:.2f}", anchor="end"),
    ]


def _name(name: str, axis: Axis, rank: float, height: float, *, is_left: bool) -> list[str]:
    """Join a place on the line with a name beside the diagram."""
    place, said = axis.at(rank), clipped(name, 17)
    edge = axis.start - 6 if is_left else axis.end + 6
    label = f"{said}  {rank:.2f}" if is_left else f"{rank:.2f}  {said}"
    leader = f"{place:.1f},{_LINE:.1f} {place:.1f},{height:.1f} {edge:.1f},{height:.1f}"
    at, anchor = (edge - 4, "end") if is_left else (edge + 4, "start")
    return [
        f'<polyline class="leader" points="{leader}"/>',
        text(at, height + 4, label, anchor=anchor, kind="name"),
    ]
