"""Workloads of the study's three grids, from the logs that are to be had, and what each is like."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.workloads.grid import RECIPES, grid_workload
from echelon.workloads.grid.calendar import DAY, WEEK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.reproduce.grid.experiments import GridSettings
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
    case_by_name = {name: _case(name, settings) for name in RECIPE_OF}
    if all(case.grid is None for case in case_by_name.values()):
        raise InputError("; ".join(case.missing for case in case_by_name.values()), field="grid")
    return case_by_name


def _case(name: str, settings: GridSettings) -> Case:
    recipe = replace(RECIPES[RECIPE_OF[name]], weeks=settings.weeks)
    try:
        grid = grid_workload(recipe, stand_ins="lublin")
    except InputError as error:
        return Case(None, f"{name} cannot be created: {error}")
    if not grid.stand_ins:
        return Case(grid)
    lacking = ", ".join(grid.stand_ins)
    if settings.stand_ins:
        return Case(grid, apart=f"jobs of the Lublin-Feitelson model stand in for the logs of {lacking}")
    there = tuple(log for log in recipe.logs if log.site not in grid.stand_ins)
    if name != "Grid 3" or not there:
        return Case(None, f"the logs of {lacking} are missing")
    workload = grid_workload(replace(recipe, logs=there))
    return Case(workload, apart=f"without the jobs of {lacking}, whose logs are missing")


_HOUR = 3600.0
DAYTIME = (8, 18)
"""Hours of the day taken for daytime: from the first, up to the second."""


class Character(NamedTuple):
    """What a grid's workload is like.

    Attributes
    ----------
    jobs_a_week : float
        Mean number of jobs of an experiment.
    load : float
        Work over the processor time of the experiments' days.
    by_site : ndarray, shape (n_sites,)
        Mean number of jobs of an experiment by the smallest site that can hold them.
    work_by_site : ndarray, shape (n_sites,)
        Their share of the work, 0 to 1.
    sizes : mapping of int to float
        Share of jobs of 1, 2, 4 ... processors.
    small : float
        Share of jobs of at most 32 processors.
    daytime : float
        Share of jobs submitted in `DAYTIME`.
    lone_job : float
        Share of experiments whose lower bound of C_max is the end of one job that starts when submitted.
    """

    jobs_a_week: float
    load: float
    by_site: NDArray[np.float64]
    work_by_site: NDArray[np.float64]
    sizes: dict[int, float]
    small: float
    daytime: float
    lone_job: float


def character(grid: GridWorkload) -> Character:
    """Return what a grid's workload is like. Cost: O(n log m)."""
    jobs, sizes = grid.jobs, grid.platform.sizes
    fits = (jobs.processors <= sizes[-1]) & (jobs.run_time > 0)
    size, run, submit = jobs.processors[fits], jobs.run_time[fits], jobs.submit_time[fits]
    work = size * run
    place = np.searchsorted(sizes, size)
    hour = submit % DAY / _HOUR
    weeks = len(grid)
    return Character(
        len(size) / weeks,
        float(work.sum()) / (grid.platform.processors * weeks * grid.recipe.weekdays.seconds),
        np.bincount(place, minlength=len(sizes)) / weeks,
        np.bincount(place, weights=work, minlength=len(sizes)) / work.sum(),
        {int(one): float((size == one).mean()) for one in (1, 2, 4, 8, 16, 32)},
        float((size <= 32).mean()),
        float(((hour >= DAYTIME[0]) & (hour < DAYTIME[1])).mean()),
        _lone_jobs(submit, run, work, weeks=weeks, processors=grid.platform.processors),
    )


def _lone_jobs(
    submit: NDArray[np.float64],
    run: NDArray[np.float64],
    work: NDArray[np.float64],
    *,
    weeks: int,
    processors: int,
) -> float:
    week = (submit // WEEK).astype(np.int64)
    last = np.zeros(weeks)
    np.maximum.at(last, week, submit - week * WEEK + run)
    area = np.bincount(week, weights=work, minlength=weeks) / processors
    return float((last >= area).mean())
