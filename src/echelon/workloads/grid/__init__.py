"""Grid workloads: the jobs of several sites' logs as one stream, cut into weeks.

Each job remembers where it was submitted: its partition is named after its home site.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads.grid.building import grid_workload
    from echelon.workloads.grid.contribution import Contribution
    from echelon.workloads.grid.ready import RECIPES
    from echelon.workloads.grid.recipe import GRID1, GRID2, GRID3, GridRecipe, SiteLog, recipe_of
    from echelon.workloads.grid.weeks import GridWorkload
    from echelon.workloads.grid.writing import write_weeks

__all__ = [
    "GRID1",
    "GRID2",
    "GRID3",
    "RECIPES",
    "Contribution",
    "GridRecipe",
    "GridWorkload",
    "SiteLog",
    "grid_workload",
    "recipe_of",
    "write_weeks",
]

lazily(
    __name__,
    {
        "building": ("grid_workload",),
        "contribution": ("Contribution",),
        "ready": ("RECIPES",),
        "recipe": ("GRID1", "GRID2", "GRID3", "GridRecipe", "SiteLog", "recipe_of"),
        "weeks": ("GridWorkload",),
        "writing": ("write_weeks",),
    },
)
