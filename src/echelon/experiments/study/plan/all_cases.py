"""A search that knows all its cases from the start: a product, a list, or samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.experiments.study.plan.point import Point
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome


@dataclass(frozen=True, slots=True)
class AllCases:
    """Every point with every seed that gives another run.

    Parameters
    ----------
    kind : str
        ``"product"``, ``"list"``, ``"random"`` or ``"latin-hypercube"``: how the points were found.
    points : tuple of Point
        All different.
    seeds : tuple of int or None
        At least one. Every point is run with the first before any is with the second: an interrupted study
        can compare what it has. A point that no chance enters is run with the first alone.
    shown : bool, default True
        Whether the seeds are an axis, with a label.
    """

    kind: str
    points: tuple[Point, ...]
    seeds: tuple[int | None, ...] = (None,)
    shown: bool = True

    @property
    def size(self) -> int:
        """How many cases there are if chance enters every point; else there are fewer."""
        return len(self.points) * len(self.seeds)

    def first(self) -> tuple[Case, ...]:
        """Return the cases with the first seed, and all those whose jobs are drawn by their seed."""
        return self._cases({})

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return the cases with other seeds of points that chance has turned out to enter."""
        outcome_by_spec = {outcome.case.spec: outcome for outcome in outcomes}
        before = outcome_by_spec.keys() | {case.spec for case in self.first()}
        return tuple(case for case in self._cases(outcome_by_spec) if case.spec not in before)

    def planned(self, free: Callable[[Point], bool]) -> tuple[Case, ...]:
        """Return all cases there will be if these points are free of chance, and no others."""
        points = dict.fromkeys(self.seeds[:1], self.points)
        points |= dict.fromkeys(self.seeds[1:], tuple(point for point in self.points if not free(point)))
        return tuple(point.case(seed, shown=self.shown) for seed in self.seeds for point in points[seed])

    def _cases(self, outcome_by_spec: Mapping[str, Outcome]) -> tuple[Case, ...]:
        """Return the cases that are worth running by what is known, seed by seed."""
        firsts = [outcome_by_spec.get(point.case(self.seeds[0]).spec) for point in self.points]
        wanted = [
            len(point.replications(self.seeds, first))
            for point, first in zip(self.points, firsts, strict=True)
        ]
        return tuple(
            point.case(seed, shown=self.shown)
            for place, seed in enumerate(self.seeds)
            for point, count in zip(self.points, wanted, strict=True)
            if place < count
        )
