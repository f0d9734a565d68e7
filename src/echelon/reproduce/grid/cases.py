"""Cases: the workloads of the study's three grids, from the logs that are to be had."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.workloads.grid import RECIPES, grid_workload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.settings import GridSettings
    from echelon.workloads.grid import GridWorkload

RECIPE_OF: Mapping[str, str] = {"Grid 1": "grid1", "Grid 2": "grid2", "Grid 3": "grid3"}


class Case(NamedTuple):
    """A grid of the study, or why it is not testable.

    Attributes
    ----------
    grid : GridWorkload, optional
        Its workload.
    missing : str
        Why there is none, as a clause.
    apart : str
        What is other than in the study, as a clause; empty if nothing.
    """

    grid: GridWorkload | None
    missing: str = ""
    apart: str = ""


def cases(settings: GridSettings) -> dict[str, Case]:
    """Return the three grids by the study's names.

    Grid 1 needs all its logs. Grid 2 is its five DAS-2 sites more than half; without their logs it is not
    testable unless `settings.stand_ins`. Grid 3 takes its jobs from Grid 2's logs, whatever their sites, so
    those that are to be had make a workload of the same kind.

    Raises
    ------
    InputError
        If no grid is testable.
    """
    found = {name: _case(name, settings) for name in RECIPE_OF}
    if all(case.grid is None for case in found.values()):
        raise InputError("; ".join(case.missing for case in found.values()), field="grid")
    return found


def _case(name: str, settings: GridSettings) -> Case:
    recipe = replace(RECIPES[RECIPE_OF[name]], weeks=settings.weeks)
    try:
        grid = grid_workload(recipe, stand_ins="lublin")
    except InputError as error:
        return Case(None, f"{name} cannot be made: {error}")
    if not grid.stand_ins:
        return Case(grid)
    lacking = ", ".join(grid.stand_ins)
    if settings.stand_ins:
        return Case(grid, apart=f"jobs of the Lublin-Feitelson model stand in for the logs of {lacking}")
    there = tuple(log for log in recipe.logs if log.site not in grid.stand_ins)
    if name != "Grid 3" or not there:
        return Case(None, f"the logs of {lacking} are missing")
    found = grid_workload(replace(recipe, logs=there))
    return Case(found, apart=f"without the jobs of {lacking}, whose logs are missing")
