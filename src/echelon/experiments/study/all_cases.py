"""A search that knows all its cases from the start: a product, a list, or samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.case import Case
    from echelon.experiments.study.outcome import Outcome
    from echelon.experiments.study.point import Point


@dataclass(frozen=True, slots=True)
class AllCases:
    """Every point with every seed.

    Parameters
    ----------
    kind : str
        ``"product"``, ``"list"``, ``"random"`` or ``"latin-hypercube"``: how the points were found.
    points : tuple of Point
        All different.
    seeds : tuple of int or None
        At least one. Every point is run with the first before any is with the second: an interrupted study
        can compare what it has.
    shown : bool, default True
        Whether the seeds are an axis, with a label.
    """

    kind: str
    points: tuple[Point, ...]
    seeds: tuple[int | None, ...] = (None,)
    shown: bool = True

    @property
    def size(self) -> int:
        """How many cases there are."""
        return len(self.points) * len(self.seeds)

    def first(self) -> tuple[Case, ...]:
        """Return all cases."""
        return tuple(point.case(seed, shown=self.shown) for seed in self.seeds for point in self.points)

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return no case: all were there at first."""
        return ()
