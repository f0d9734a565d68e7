"""Timed parts: the steps of the grid study, each announced and its time noted."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from echelon.reproduce.grid.setups import Progress
    from echelon.reproduce.machinery.parts import Step

Found = TypeVar("Found")


class TimedParts:
    """Announces each part, and notes how long it took."""

    def __init__(self, step: Step | None, seconds: dict[str, float]) -> None:
        self._step, self._seconds = step, seconds

    def one(self, what: str, work: Callable[[Progress | None], Found]) -> Found:
        """Return what `work` gives, a part of this name."""
        began = perf_counter()
        found = work(self._step(what) if self._step else None)
        self._seconds[what] = round(perf_counter() - began, 1)
        return found

    def grid(
        self, what: str, grids: Iterable[str], work: Callable[[str, Progress | None], Found]
    ) -> dict[str, Found]:
        """Return what `work` gives on each grid, each a part of its own."""
        return {grid: self.one(f"{grid}, {what}", partial(work, grid)) for grid in grids}
