"""Contribution: what one log gives to a grid's workload, and what was left out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model import Dropped
from echelon.model.jobs.fields import UNKNOWN
from echelon.quantities import tally
from echelon.workloads import transform
from echelon.workloads.grid.calendar import WEEK, calendar
from echelon.workloads.transform.moving import move_submissions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import IntColumn
    from echelon.workloads.grid.calendar import Calendar
    from echelon.workloads.grid.recipe import GridRecipe

    Mask = NDArray[np.bool_]


NOT_COMPLETED = (0, 4, 5)
"""Codes of the SWF for jobs that failed, whose last part failed, and that were canceled."""


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """What one log gives to a grid's workload.

    Parameters
    ----------
    log, site : str
        Where the jobs come from, and their home.
    processors : int
        Of the home site.
    jobs : int
        In the log.
    dropped : tuple of Dropped
        Jobs left out for a field they lack, by reason, or for their size.
    full_weeks : int
        That the log has from its first week on.
    begins : str
        The day at whose midnight the first week begins.
    clock : str
        By which clock, as a clause.
    by_week : IntColumn, shape (n_weeks,)
        Jobs given to each experiment.
    larger_than_home : int
        Of those, the jobs that need more processors than their home site has.
    stand_in : str
        Why the jobs are of a model and not of a log, as a clause; empty for a log.
    """

    log: str
    site: str
    processors: int
    jobs: int
    dropped: tuple[Dropped, ...]
    full_weeks: int
    begins: str
    clock: str
    by_week: IntColumn
    larger_than_home: int
    stand_in: str = ""

    @property
    def given(self) -> int:
        """Jobs given to all experiments together."""
        return int(self.by_week.sum())

    def sentence(self) -> str:
        """Return how the log was used, as one sentence for a header."""
        out = "; ".join(f"{one.count} with {one.reason}" for one in self.dropped) or "none"
        origin = f"{self.log}, a model, not a log" if self.stand_in else self.log
        return (
            f"home site {self.site}: {tally(self.given, 'job')} of {origin}; dropped: {out}; "
            f"first week begins {self.begins}, {self.clock}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain values, for JSON."""
        names = (
            *("site", "processors", "log", "stand_in", "jobs", "dropped", "full_weeks", "begins", "clock"),
            *("given", "larger_than_home", "by_week"),
        )
        plain = {name: getattr(self, name) for name in names}
        dropped = {one.reason: one.count for one in self.dropped}
        return plain | {"dropped": dropped, "by_week": self.by_week.tolist()}


def contribute(
    workload: Workload, recipe: GridRecipe, *, site: str, processors: int | None, stand_in: str = ""
) -> tuple[Workload, Contribution]:
    """Return the jobs of one log on the grid's clock, their partition the number of their home site.

    Parameters
    ----------
    workload : Workload
        The whole log.
    recipe : GridRecipe
        Which of its jobs are taken, and when its weeks begin.
    site : str
        One of the recipe's.
    processors : int, optional
        Of the site; default: the header's MaxProcs.
    stand_in : str, default ``""``
        Why it is no log, if it is none.

    Returns
    -------
    Workload
        Submitted from 0 to `recipe.weeks` weeks; week k of the log begins at (k - 1) weeks.
    Contribution
        What was taken and what was not.

    Raises
    ------
    InputError
        If the site's size is unknown, or the log has fewer full weeks than the recipe's choice allows.
    """
    size = processors or workload.header.max_procs
    if size is None:
        raise InputError(
            f"does not give the size of {site}; give it as LOG@{site}:PROCESSORS", file=workload.name
        )
    times = calendar(
        workload,
        recipe.weekdays,
        time_zone=recipe.time_zone,
        own_hours=recipe.hours == "own",
        first_week=recipe.first_week,
    )
    _check_length(workload, times, recipe)
    sized = _set_sizes(workload, recipe.sizes)
    kept, dropped = _filter_jobs(sized, recipe)
    placed = transform.scale_run_times(_place_jobs(sized, kept, times, recipe), recipe.run_times)
    code = recipe.site_names.index(site) + 1
    return placed.with_columns(partition=np.full(len(placed), code)), Contribution(
        workload.name,
        site,
        size,
        len(workload),
        dropped,
        times.full_weeks,
        times.begins,
        times.clock,
        np.bincount((placed.submit_time // WEEK).astype(np.int64), minlength=recipe.weeks),
        int((placed.processors > size).sum()),
        stand_in,
    )


def _check_length(workload: Workload, times: Calendar, recipe: GridRecipe) -> None:
    short = times.full_weeks < recipe.weeks and recipe.short_logs == "refuse"
    if short or (not times.full_weeks and recipe.short_logs == "wrap"):
        raise InputError(
            f"has {tally(times.full_weeks, 'full week')} of {recipe.days}, expected {recipe.weeks}; take "
            "fewer, or let short logs start over or be left out (short-logs=wrap or leave-out)",
            file=workload.name,
        )


def _set_sizes(workload: Workload, sizes: str) -> Workload:
    """Return the jobs, on request with the processors asked for instead of those had."""
    if sizes == "allocated":
        return workload
    asked = workload.int_column("requested_processors")
    had = workload.int_column("allocated_processors")
    return workload.with_columns(allocated_processors=np.where(asked > 0, asked, had))


def _filter_jobs(workload: Workload, recipe: GridRecipe) -> tuple[Mask, tuple[Dropped, ...]]:
    """Mark the jobs that the recipe's filters keep; say what they drop."""
    literal = recipe.filters == "literal"
    keep = np.ones(len(workload), dtype=np.bool_)
    dropped: tuple[Dropped, ...] = ()
    if recipe.filters != "none":
        keep = transform.is_complete(workload, literal=literal)
        dropped = transform.find_incomplete(workload, literal=literal)
    if recipe.filters == "completed":
        keep, dropped = _drop_hit(
            workload, keep, dropped, np.isin(workload.int_column("status"), NOT_COMPLETED), "no completion"
        )
    if recipe.largest is None:
        return keep, dropped
    larger = workload.processors > recipe.largest
    return _drop_hit(workload, keep, dropped, larger, f"more than {recipe.largest} processors")


def _drop_hit(
    workload: Workload, keep: Mask, dropped: tuple[Dropped, ...], hit: Mask, reason: str
) -> tuple[Mask, tuple[Dropped, ...]]:
    """Mark what is kept without the jobs that a further rule hits, and say what it drops."""
    out = keep & hit
    if out.any():
        dropped = (*dropped, Dropped(reason, int(out.sum()), workload.label(int(np.argmax(out)))))
    return keep & ~hit, dropped


def _place_jobs(workload: Workload, kept: Mask, times: Calendar, recipe: GridRecipe) -> Workload:
    """Return the kept jobs of the experiments' days, submitted at seconds of the experiments' weeks."""
    week = np.floor(times.seconds / WEEK)
    wraps = recipe.short_logs == "wrap" and times.full_weeks < recipe.weeks
    own_weeks = min(recipe.weeks, times.full_weeks)
    in_time = (week >= 0) & (week < own_weeks) & (times.seconds - week * WEEK < recipe.weekdays.seconds)
    places = np.flatnonzero(kept & in_time & (workload.submit_time >= 0))
    if not wraps:
        return move_submissions(workload.take(places), times.seconds[places])
    rounds = -(-recipe.weeks // own_weeks)
    turn = np.repeat(np.arange(rounds), len(places))
    places = np.tile(places, rounds)
    seconds = times.seconds[places] + turn * (own_weeks * WEEK)
    inside = seconds < recipe.weeks * WEEK
    repeated = workload.take(places[inside])
    # A number occurs once a round now: the predecessor of a job is unknown.
    moved = move_submissions(repeated, seconds[inside])
    alone = moved.with_columns(preceding_job=np.full(int(inside.sum()), UNKNOWN))
    return replace(alone, dependencies=None)
