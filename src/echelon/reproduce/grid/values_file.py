"""Values file: every metric of every week of a grid as CSV, for people who want to look for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.grid.strategies import EIGHTEEN, METRICS

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.reproduce.grid.two_levels import TwoLevels


def values_file(found: TwoLevels) -> Callable[[], bytes]:
    """Return what writes the file: a line a week and strategy, times in seconds."""

    def write() -> bytes:
        lines = [",".join(("week", "strategy", *METRICS))]
        for week, strategies in enumerate(found.both.transpose(1, 2, 0).tolist(), 1):
            for name, metrics in zip(EIGHTEEN, strategies, strict=True):
                lines.append(",".join((str(week), name, *map(repr, metrics))))
        return ("\n".join(lines) + "\n").encode()

    return write
