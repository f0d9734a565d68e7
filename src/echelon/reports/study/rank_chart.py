"""Critical-difference diagram: names by mean rank on one line, and those that do not differ significantly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.plotting.study.letters import wrap_name
from echelon.reports.study.svg import Axis, chart, line, path, stroke_style, text, text_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.analysis import Friedman

_LINE = 58.0
"""Height of the line of ranks."""

_LENGTH = 200.0
"""Length of the line of ranks."""

_LEAST, _MOST = 90.0, 215.0
"""Room for names at either side; of longer names several lines."""

_ROW, _GAP = 14.0, 5.0
"""Height of a line of a name, and what is between two names."""


def rank_diagram(friedman: Friedman, names: Sequence[str]) -> str:
    """Return names along a line of ranks, the best at the left; bars join those that do not differ.

    Names are whole; long ones have several lines.

    Notes
    -----
    Source: Demšar, JMLR 7, 2006, figure 1.
    """
    ranks, count = friedman.mean_ranks, len(names)
    side = min(_MOST, max(_LEAST, *(text_room(f"{name}  {count:.2f}") for name in names)))
    axis = Axis(1, count, side + 16, side + 16 + _LENGTH)
    parts = [*_scale(axis, count), *_ruler(axis, friedman, count)]
    first, half = _LINE + 12 + 7 * len(friedman.cliques), (count + 1) // 2
    order = np.argsort(ranks, kind="stable").tolist()
    ends = [first]
    # The worst is at the top of the right side, so that no line crosses another.
    for is_left, columns in ((True, order[:half]), (False, order[: half - 1 : -1])):
        height = first
        for column in columns:
            texts = (names[column], f"{ranks[column]:.2f}")
            lines = wrap_name("  ".join(texts if is_left else reversed(texts)), side, text_room)
            parts += _name(lines, axis, float(ranks[column]), height, is_left=is_left)
            height += len(lines) * _ROW + _GAP
        ends.append(height)
    for place, clique in enumerate(friedman.cliques):
        low, high = (axis.at(float(ranks[clique[end]])) for end in (0, -1))
        height = _LINE + 8 + 7 * place
        parts.append(path([(low - 3, height), (high + 3, height)], stroke_style(1, width=4)))
    label = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(names, ranks.tolist(), strict=True))
    return chart(parts, max(ends) + 4, f"Mean ranks: {label}", width=_LENGTH + 2 * side + 32)


def _scale(axis: Axis, count: int) -> list[str]:
    parts = [line((axis.start, _LINE), (axis.end, _LINE), kind="ink")]
    for rank in range(1, count + 1, max(1, math.ceil(count / 9))):
        place = axis.at(rank)
        parts += [
            line((place, _LINE), (place, _LINE - 6), kind="ink"),
            text(place, _LINE - 10, str(rank), anchor="middle"),
        ]
    return parts


def _ruler(axis: Axis, friedman: Friedman, count: int) -> list[str]:
    """Return the critical difference as a ruler; one that is longer than the line of ranks has no end."""
    is_beyond = 1 + friedman.critical_difference > count
    end = axis.at(min(1 + friedman.critical_difference, count))
    label = f"critical difference {friedman.critical_difference:.2f}" + (
        ", beyond the scale" if is_beyond else ""
    )
    return [
        line((axis.start, 26), (end, 26), kind="ink"),
        *(
            line((place, 22), (place, 30), kind="ink")
            for place in ([axis.start] if is_beyond else [axis.start, end])
        ),
        text((axis.start + axis.end) / 2, 14, label, anchor="middle"),
    ]


def _name(lines: Sequence[str], axis: Axis, rank: float, top: float, *, is_left: bool) -> list[str]:
    """Join a place on the line with a name beside the diagram."""
    place, middle = axis.at(rank), top + len(lines) * _ROW / 2
    edge = axis.start - 6 if is_left else axis.end + 6
    leader = f"{place:.1f},{_LINE:.1f} {place:.1f},{middle:.1f} {edge:.1f},{middle:.1f}"
    at, anchor = (edge - 4, "end") if is_left else (edge + 4, "start")
    return [
        f'<polyline class="leader" points="{leader}"/>',
        *(
            text(at, top + _ROW * (row + 0.5) + 4, line, anchor=anchor, kind="name")
            for row, line in enumerate(lines)
        ),
    ]
