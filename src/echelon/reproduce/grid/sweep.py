"""Sweep: the nine strategies on one grid over many factors of admissibility."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.grid.strategies import NINE
from echelon.reproduce.grid.two_levels import MAIN_ROWS, degradations, setups_of, stacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce.grid.setups import Laboratory, Progress


def sweep(
    laboratory: Laboratory,
    grid: str,
    factors: Sequence[float],
    *,
    weeks: int | None = None,
    progress: Progress | None = None,
) -> dict[float, list[float]]:
    """Return mean degradations by the three main metrics, by factor, in the order of the nine strategies.

    Against the best of all strategies and factors.
    """
    setups = [setup for factor in factors for setup in setups_of(grid, f"{factor:g}")]
    values = stacked(laboratory.measures(setups, weeks=weeks, progress=progress), setups)
    means = degradations(values)[MAIN_ROWS].mean(axis=0)
    rows = np.split(means, len(factors))
    return {factor: row.tolist() for factor, row in zip(factors, rows, strict=True) if len(row) == len(NINE)}
