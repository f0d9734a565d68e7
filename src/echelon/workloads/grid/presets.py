"""The ready recipes of grids by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules, by_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.workloads.grid.recipe import GridRecipe

_READY: Rules[GridRecipe] = Rules(
    __package__, {"grid1": "recipe.GRID1", "grid2": "recipe.GRID2", "grid3": "recipe.GRID3"}
)

RECIPES: Mapping[str, GridRecipe] = by_word(_READY)
"""Every ready recipe, in the order in which tables show them."""
