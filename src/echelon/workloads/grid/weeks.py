"""GridWorkload: the jobs of several sites as one stream, and each week of it as an experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model import Anomaly, Header
from echelon.quantities import tally
from echelon.workloads import transform
from echelon.workloads.grid.weekdays import WEEK
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Platform, Workload
    from echelon.workloads.grid.contribution import Contribution
    from echelon.workloads.grid.recipe import GridRecipe


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
            "days": self.recipe.days,
            "weeks": self.recipe.weeks,
            "first_week": self.recipe.first_week,
            "time_zone": self.recipe.time_zone,
            "hours": self.recipe.hours,
            "filters": self.recipe.filters,
            "sizes": self.recipe.sizes,
            "largest": self.recipe.largest,
            "run_times": self.recipe.run_times,
            "short_logs": self.recipe.short_logs,
            "seed": self.recipe.seed,
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
    at_home = int((workload.processors > capacity[home]).sum())
    if at_home:
        sentence = f"{tally(at_home, 'job')} need more processors than their home site has"
        every_anomaly.append(Anomaly("larger-than-home", at_home, sentence))
    anywhere = int((workload.processors > platform.largest).sum())
    if anywhere:
        sentence = f"{tally(anywhere, 'job')} need more processors than the largest site's {platform.largest}"
        every_anomaly.append(Anomaly("larger-than-every-site", anywhere, sentence))
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
