"""Numbers beside marks: each near its own mark, upon no mark and upon no other number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.plotting.study.column import root_of, small_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

_MARK = 2.6
"""Half the size of a mark, in pt."""

_FAR = 12.0
"""Distance from which a number is joined to its mark by a line, in pt."""

_AROUND = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
_DISTANCES = (3, 8, 13, 19, 26, 34, 43)
"""Where a number may be: so many pt from its mark, to one of eight sides."""


class _Box(NamedTuple):
    """A rectangle, by its middle and half of its size, in pt."""

    x: float
    y: float
    wide: float
    tall: float

    def overlap(self, other: _Box) -> float:
        """Return the area that both cover."""
        wide = self.wide + other.wide - abs(self.x - other.x)
        tall = self.tall + other.tall - abs(self.y - other.y)
        return max(0.0, wide) * max(0.0, tall)

    def is_within(self, other: _Box) -> bool:
        """Return whether the other one holds all of it."""
        return (
            abs(self.x - other.x) + self.wide <= other.wide
            and abs(self.y - other.y) + self.tall <= other.tall
        )


def number_marks(
    ax: Axes, named: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]] = ()
) -> None:
    """Write 1, 2 ... beside marks, each where it covers least, stays in the axes, and is near.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Its layout is final.
    named : sequence of (float, float)
        The marks, in the axes' data.
    others : sequence of (float, float), default empty
        Further marks, which are not to be covered.

    Notes
    -----
    Greedy, in the order of the marks. Cost: O(56 n (n + m)) for n numbers and m other marks.
    """
    figure = root_of(ax)
    figure.draw_without_rendering()
    points = 72 / figure.dpi
    left, bottom, right, top = (points * end for end in ax.bbox.extents)
    frame = _Box((left + right) / 2, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2)
    places = [ax.transData.transform(place) * points for place in (*named, *others)]
    boxes = [_Box(float(x), float(y), _MARK, _MARK) for x, y in places]
    marks = list(boxes)
    for number, mark in enumerate(marks[: len(named)], 1):
        box = _best(list(_spots(mark, str(number))), mark, boxes, frame, marks)
        boxes.append(box)
        _write(ax, number, named[number - 1], box.x - mark.x, box.y - mark.y)


def _spots(mark: _Box, number: str) -> Iterator[_Box]:
    """Yield where a number may be, the nearest first."""
    wide, tall = 0.36 * len(number) * small_size(), 0.42 * small_size()
    for far in _DISTANCES:
        for right, up in _AROUND:
            yield _Box(mark.x + right * (wide + far), mark.y + up * (tall + far), wide, tall)


def _best(
    spots: Sequence[_Box], mark: _Box, boxes: Sequence[_Box], frame: _Box, marks: Sequence[_Box]
) -> _Box:
    """Return the place that covers least; of several one that is nearest to its mark, in the axes."""
    costs = [
        (
            round(sum(map(spot.overlap, boxes)), 3),
            _is_ambiguous(spot, mark, marks),
            not spot.is_within(frame),
            step,
        )
        for step, spot in enumerate(spots)
    ]
    return spots[min(costs)[-1]]


def _is_ambiguous(spot: _Box, mark: _Box, marks: Sequence[_Box]) -> bool:
    """Return whether a number without a line to its mark would be as near to another one."""
    own = math.hypot(spot.x - mark.x, spot.y - mark.y)
    return own <= _FAR and any(
        math.hypot(spot.x - other.x, spot.y - other.y) <= own
        for other in marks
        if (other.x, other.y) != (mark.x, mark.y)
    )


def _write(ax: Axes, number: int, mark: tuple[float, float], right: float, up: float) -> None:
    line = {"arrowstyle": "-", "linewidth": 0.4, "color": "#5b6670"}
    ax.annotate(
        str(number),
        mark,
        (right, up),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize="small",
        arrowprops=line if math.hypot(right, up) > _FAR else None,
        zorder=4,
    )
