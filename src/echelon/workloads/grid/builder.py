"""Building a grid's workload from the logs of its sites."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model import Header, Platform, Site, Workload
from echelon.workloads import transform
from echelon.workloads.grid.calendar import WEEK, check_time_zone
from echelon.workloads.grid.contribution import contribute
from echelon.workloads.grid.recipe import GridRecipe, SiteLog
from echelon.workloads.grid.site_logs import absence, read_site_log, stamp, stand_in
from echelon.workloads.grid.spec import RECIPES
from echelon.workloads.grid.weeks import GridWorkload, anomalies, grid_header
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.workloads.files.datasets import Progress
    from echelon.workloads.grid.contribution import Contribution


def grid_workload(
    recipe: GridRecipe | str = "grid1", *, progress: Progress | None = None, **changes: str | float | None
) -> GridWorkload:
    """Return the workload of a grid, in weekly experiments, from the logs of its sites.

    Parameters
    ----------
    recipe : GridRecipe or str, default ``"grid1"``
        Which logs and how; a ready one by name: ``grid1``, ``grid2``, ``grid3``.
    progress : callable (bytes_done: int, bytes_total: int or None) -> None, optional
        Called while a data set is downloaded.
    **changes : optional
        Fields of `GridRecipe` to change: ``weeks=10, days="mon-thu", stand_ins="lublin"``.

    Returns
    -------
    GridWorkload
        ``grid.week(3)`` is the third experiment's `Workload`, ``grid.platform`` its `Platform`.

    Raises
    ------
    InputError
        If a log is not to be had and may not be stood in for, is too short, or has no jobs after all
        filters; all logs that are missing are named at once.
    UnknownNameError
        If there is no such recipe or field, or a choice has no such value.

    Notes
    -----
    The jobs are those of the logs, merged by submit time on one clock; ties go to the log named first. The
    last four grids of a process are kept, as long as their files stay the same.

    Cost: O(n log n); Grid 1, 30 weeks of seven logs, takes about 2 s, most of it reading.
    """
    chosen = _recipe(recipe)
    fields = GridRecipe.__dataclass_fields__
    for name in changes:
        if name not in fields:
            raise UnknownNameError("field of a grid's recipe", name, fields)
    changed = replace(chosen, **cast("dict[str, Any]", changes))
    return _build_grid(changed, tuple(stamp(log.log) for log in changed.logs), progress)


def _recipe(recipe: GridRecipe | str) -> GridRecipe:
    if isinstance(recipe, GridRecipe):
        return recipe
    if recipe not in RECIPES:
        raise UnknownNameError("recipe of a grid", recipe, RECIPES)
    return RECIPES[recipe]


@lru_cache(maxsize=4)
def _build_grid(
    recipe: GridRecipe, _: tuple[tuple[str, ...], ...], progress: Progress | None
) -> GridWorkload:
    """Build it again; kept by the recipe and the stamps of its logs' files."""
    check_time_zone(recipe.time_zone)
    parts = []
    for place, (log, reason) in enumerate(_read(recipe, progress)):
        site_log = recipe.logs[place]
        parts.append(
            contribute(log, recipe, site=site_log.site, processors=site_log.processors, stand_in=reason)
        )
    contributions = tuple(contribution for _, contribution in parts)
    platform = Platform(recipe.sites, recipe.name) if recipe.sites else _platform(recipe.name, contributions)
    jobs = _merge_parts(recipe, [part for part, _ in parts])
    grid = GridWorkload(recipe, jobs, contributions, platform)
    header = grid_header(recipe, platform, contributions)
    titled = replace(jobs, name=grid.name, header=header)
    for contribution in contributions:
        titled = record_transform(titled, contribution.sentence())
    return replace(grid, jobs=replace(titled, anomalies=anomalies(titled, contributions, platform)))


def _read(recipe: GridRecipe, progress: Progress | None) -> list[tuple[Workload, str]]:
    """Return each log, or what stands in for it and why."""
    # Checked first, so that a missing log is reported before other logs are downloaded.
    _refuse_missing(recipe, {log.log: absence(log.log) for log in recipe.logs})
    names = dict.fromkeys(log.log for log in recipe.logs)
    read = {log: read_site_log(log, progress=progress) for log in names}
    _refuse_missing(recipe, {log: reason for log, reason in read.items() if isinstance(reason, str)})
    return [_log_or_stand_in(recipe, log, read[log.log]) for log in recipe.logs]


def _refuse_missing(recipe: GridRecipe, reasons: Mapping[str, str]) -> None:
    """Raise `InputError` if logs are not to be had and nothing may stand in for them."""
    missing = [log for log in recipe.logs if reasons.get(log.log)]
    if missing and recipe.stand_ins == "refuse":
        sites = ", ".join(f"{log.log} of {log.site}" for log in missing)
        raise InputError(
            f"lacks {sites}: {reasons[missing[0].log]}. Jobs of a model can replace them (stand-ins=lublin)",
            field=f"grid {recipe.name!r}",
        )


def _log_or_stand_in(
    recipe: GridRecipe, site_log: SiteLog, log_or_reason: Workload | str
) -> tuple[Workload, str]:
    if isinstance(log_or_reason, Workload):
        return _part(log_or_reason, site_log.partition), ""
    if site_log.processors is None:
        raise InputError(
            f"lacks {site_log.log}, and a stand-in needs its size: LOG@{site_log.site}:PROCESSORS",
            field=f"grid {recipe.name!r}",
        )
    seconds = (recipe.first_week + recipe.weeks) * WEEK
    return stand_in(site_log.site, site_log.processors, seconds=seconds, seed=recipe.seed), log_or_reason


def _part(log: Workload, partition: str | None) -> Workload:
    """Return the jobs of one partition of a log, by its name or its code."""
    if partition is None:
        return log
    is_code = partition.isdecimal() and partition not in log.names.get("partition", ())
    part = transform.filter(log, field="partition", values=[int(partition) if is_code else partition])
    if not len(part):
        raise InputError(f"has no job in partition {partition!r}", file=log.name)
    return replace(part, name=f"{log.name}#{partition}")


def _platform(name: str, contributions: tuple[Contribution, ...]) -> Platform:
    """Return the logs' sites; several logs of one site must agree on its size."""
    sizes: dict[str, int] = {}
    for one in contributions:
        if sizes.setdefault(one.site, one.processors) != one.processors:
            raise InputError(
                f"has {sizes[one.site]} processors by one log and {one.processors} by another",
                field=f"site {one.site!r}",
            )
    return Platform(tuple(Site(site, size) for site, size in sizes.items()), name)


def _merge_parts(recipe: GridRecipe, parts: list[Workload]) -> Workload:
    """Return all jobs by submit time, users of different logs apart, partitions named after the sites."""
    if not any(map(len, parts)):
        raise InputError("has no job after all filters", field=f"grid {recipe.name!r}")
    named = [
        replace(part, name=name, names={**part.names, "partition": ()})
        for part, name in zip(parts, _names(recipe, parts), strict=True)
    ]
    merged = transform.merge(*named)
    # Merging parts the sites of different logs, too: one code a log that has jobs, in the order of the logs.
    codes = [int(part.int_column("partition")[0]) for part in parts if len(part)]
    home = np.array([0, *codes])[merged.int_column("partition")]
    sites = {**merged.names, "partition": recipe.site_names}
    return replace(merged.with_columns(partition=home), names=sites, header=Header())


def _names(recipe: GridRecipe, parts: list[Workload]) -> list[str]:
    """Return the names that users are known by: the logs', with the site where a log serves two."""
    names = [part.name for part in parts]
    return [
        f"{name}@{log.site}" if names.count(name) > 1 else name
        for name, log in zip(names, recipe.logs, strict=True)
    ]
