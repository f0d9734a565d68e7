"""GridWorkload: the jobs of several sites as one stream, each week of it as an experiment, and its files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model import Anomaly, Header
from echelon.quantities import tally
from echelon.workloads import transform
from echelon.workloads.files.atomic import replacing
from echelon.workloads.files.workload_reader import write_workload
from echelon.workloads.formats.known_formats import format_to_write
from echelon.workloads.grid.calendar import WEEK
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Platform, Workload
    from echelon.workloads.grid.contribution import Contribution
    from echelon.workloads.grid.recipe import GridRecipe

SUMMARY = "summary.json"

_RECIPE_FIELDS = (
    *("days", "weeks", "first_week", "time_zone", "hours", "filters", "sizes", "largest"),
    *("run_times", "short_logs", "seed"),
)
"""What a summary says of the recipe."""


@dataclass(frozen=True, slots=True, eq=False)
class GridWorkload:
    """The workload of a grid: build it with `grid_workload`.

    ``grid.week(k)`` is the workload of experiment k, counted from 1; iterating gives all of them.

    Parameters
    ----------
    recipe : GridRecipe
        How it was made.
    jobs : Workload
        All experiments, each a week after the one before it, second 0 the first midnight of the first. The
        jobs' partition is their home site, named in ``jobs.names["partition"]``.
    contributions : tuple of Contribution
        What each log gave, in the recipe's order.
    platform : Platform
        The sites, in the recipe's order.
    """

    recipe: GridRecipe
    jobs: Workload
    contributions: tuple[Contribution, ...]
    platform: Platform

    def __len__(self) -> int:
        """Return the number of experiments."""
        return self.recipe.weeks

    def __iter__(self) -> Iterator[Workload]:
        """Yield the workload of each experiment, in turn."""
        return map(self.week, range(1, len(self) + 1))

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Sites whose jobs are of a model, as their logs are not to be had."""
        return tuple(one.site for one in self.contributions if one.stand_in)

    @property
    def name(self) -> str:
        """The recipe's name, with a mark if there are stand-ins."""
        return self.recipe.name + ("-with-stand-ins" if self.stand_ins else "")

    def week(self, number: int) -> Workload:
        """Return the workload of experiment `number`, from 1 on, its second 0 the first day's midnight.

        Jobs are numbered from 1; a preceding job of another week is unknown. There may be no job in it.

        Raises
        ------
        InputError
            If there is no such experiment.

        Notes
        -----
        Cost: O(n) of its own jobs, and O(log n) of all.
        """
        if not isinstance(number, int | np.integer) or not 1 <= number <= len(self):
            raise InputError(f"must be from 1 to {len(self)}, got {number!r}", field="week")
        submit, start = self.jobs.submit_time, (number - 1) * WEEK
        first, end = np.searchsorted(submit, [start, start + WEEK])
        jobs = self.jobs.take(np.arange(first, end))
        jobs = jobs.with_columns(submit_time=jobs.submit_time - start)
        header = self.jobs.header
        for label in ("MaxJobs", "MaxRecords"):
            header = header.with_value(label, str(len(jobs)))
        titled = replace(jobs, header=header, name=f"{self.name}-week-{number:02d}")
        numbered = transform.renumber(record_transform(titled, f"week {number} of {len(self)}"))
        return replace(numbered, anomalies=anomalies(numbered, self.contributions, self.platform))

    def summary(self) -> dict[str, Any]:
        """Return what was made of which logs in plain values, for JSON."""
        sizes = self.jobs.processors
        return {
            "name": self.name,
            **{name: getattr(self.recipe, name) for name in _RECIPE_FIELDS},
            "processors": self.platform.processors,
            "jobs": len(self.jobs),
            "larger_than_every_site": int((sizes > self.platform.largest).sum()),
            "stand_ins": list(self.stand_ins),
            "logs": [one.to_dict() for one in self.contributions],
        }


def anomalies(
    workload: Workload, contributions: tuple[Contribution, ...], platform: Platform
) -> tuple[Anomaly, ...]:
    """Return what a person should know of the jobs of a grid: stand-ins, empty logs, jobs too large."""
    home = workload.int_column("partition")
    sites = workload.names.get("partition", ())
    size_of = {one.site: one.processors for one in contributions}
    capacity = np.array([0, *(size_of[site] for site in sites)])
    every_anomaly = []
    for one in contributions:
        if one.stand_in:
            jobs = int((home == sites.index(one.site) + 1).sum())
            sentence = f"the {tally(jobs, 'job')} of {one.site} are drawn from a model: {one.stand_in}"
            every_anomaly.append(Anomaly("stand-in", jobs, sentence))
        elif not one.given:
            every_anomaly.append(
                Anomaly("no-jobs", one.jobs, f"no job of {one.log} is left: {one.sentence()}")
            )
    for kind, most, where in (
        ("larger-than-home", capacity[home], "their home site has"),
        ("larger-than-every-site", platform.largest, f"the largest site's {platform.largest}"),
    ):
        if count := int((workload.processors > most).sum()):
            sentence = f"{tally(count, 'job')} need more processors than {where}"
            every_anomaly.append(Anomaly(kind, count, sentence))
    return tuple(every_anomaly)


def grid_header(recipe: GridRecipe, platform: Platform, contributions: tuple[Contribution, ...]) -> Header:
    """Return the header of a grid's workload."""
    jobs = str(sum(one.given for one in contributions))
    clock = "each log's own clock" if recipe.hours == "own" else f"the clock of {recipe.time_zone}"
    sites = ", ".join(f"{site.name} {site.processors}" for site in platform.sites)
    lines: list[tuple[str | None, str]] = [
        ("Version", "2.2"),
        ("Computer", f"{recipe.name}: a grid of {tally(len(platform), 'site')}"),
        ("MaxJobs", jobs),
        ("MaxRecords", jobs),
        ("MaxProcs", str(platform.processors)),
        ("MaxPartitions", str(len(recipe.site_names))),
        *(("Partition", f"{code} {site}") for code, site in enumerate(recipe.site_names, 1)),
        ("Note", f"processors: {sites}"),
        ("Note", "a job's partition is its home site, the site of its log"),
        (
            "Note",
            f"second 0 is midnight of the first day of {recipe.days} by {clock}; the logs' years differ",
        ),
    ]
    if recipe.run_times != 1:
        lines.append(("Note", f"run times and requests are those of the logs times {recipe.run_times:g}"))
    lines += [
        ("Note", f"stand-in: the jobs of {one.site} are drawn from a model: {one.stand_in}")
        for one in contributions
        if one.stand_in
    ]
    return Header(tuple(lines))


def write_weeks(grid: GridWorkload, folder: Path | str, *, ending: str = ".swf.gz") -> list[Path]:
    """Write each experiment to ``NAME-week-01.swf.gz`` ... in `folder`, and ``summary.json`` after them.

    Parameters
    ----------
    grid : GridWorkload
        All experiments of it are written, those without a job too.
    folder : path
        Made if it is not there. Files of these names are replaced, each in one step, and further weeks of a
        grid of this name and ending are removed.
    ending : str, default ``".swf.gz"``
        Of the files, which says their format.

    Returns
    -------
    list of Path
        The files, the summary last.

    Raises
    ------
    InputError
        If the ending names no format that can be written, or the folder or a file cannot be written.
    """
    dotted = ending if ending.startswith(".") else f".{ending}"
    format_to_write(f"{grid.name}{dotted}")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created: {error.strerror}", file=str(folder)) from error
    files = []
    for week in grid:
        files.append(target / f"{week.name}{dotted}")
        write_workload(week, files[-1])
    files.append(target / SUMMARY)
    with replacing(files[-1]) as file:
        file.write((json.dumps(grid.summary(), indent=2, ensure_ascii=False) + "\n").encode())
    _remove_others(target, f"{grid.name}-week-", dotted, {file.name for file in files})
    return files


def _remove_others(folder: Path, start: str, ending: str, written: set[str]) -> None:
    """Remove weeks of an earlier grid of this name, which would be taken for this one's."""
    weeks = re.compile(f"{re.escape(start)}[0-9]+{re.escape(ending)}")
    for file in folder.iterdir():
        if weeks.fullmatch(file.name) and file.name not in written:
            file.unlink(missing_ok=True)
