"""Grid workloads: the jobs of several sites' logs as one stream, cut into weeks.

Each job remembers where it was submitted: its partition is named after its home site.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "builder": "grid_workload",
        "contribution": "Contribution",
        "recipe": "GRID1 GRID2 GRID3 GridRecipe SiteLog recipe_of",
        "spec": "RECIPES",
        "weeks": "GridWorkload write_weeks",
    },
)
