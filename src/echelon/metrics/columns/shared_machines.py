"""What ran at which site of a schedule, and the busy cores of time-shared machines among the sites."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.steps import Steps, step_function
from echelon.model.schedules.features import Feature, features_of, sites_with, there

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from echelon.model import Platform, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Copies(NamedTuple):
    """What ran at which site, each of shape (n_copies,): every copy of every job, or each of its parts.

    Attributes
    ----------
    job, site : IntColumn
        Position of the job, and place of the site.
    start, end : FloatColumn
        From when to when, in seconds.
    processes : IntColumn
        Of the job there, each on a processor.
    """

    job: IntColumn
    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    processes: IntColumn

    def at(self, chosen: NDArray[np.bool_]) -> Copies:
        """Return some of them."""
        return Copies._make(column[chosen] for column in self)


def first_records(records: Iterable[Copies], jobs: int) -> Copies:
    """Return of each of `jobs` jobs what the first of several records that has it says. Cost: O(n)."""
    covered, parts = np.zeros(jobs, dtype=np.bool_), []
    for record in records:
        new = ~covered[record.job]
        if new.any():
            parts.append(record if new.all() else record.at(new))
            covered[record.job] = True
    return parts[0] if len(parts) == 1 else Copies._make(map(np.concatenate, zip(*parts, strict=True)))


def copies_of(schedule: Schedule) -> Copies:
    """Return what ran where, of each job by the closest record of it. Only of a schedule with sites.

    That is which node each task was in, which cores a task held, which copies of it ran, and else when the
    job held its processors.
    """
    return first_records(_records(schedule, features_of(schedule)), len(schedule.instance))


def _records(schedule: Schedule, has: Feature) -> Iterator[Copies]:
    size, of = schedule.instance.size, there(schedule.site)
    if Feature.PLACES in has:
        tasks = there(schedule.places)
        times = tasks.times(schedule.start_time, schedule.end_time)
        yield Copies(tasks.job, tasks.site, *times, np.ones_like(tasks.job))
    if Feature.CORES in has:
        held = there(schedule.holdings)
        yield Copies(held.job, of[held.job], held.start, held.release, held.held)
    if Feature.COPIES in has:
        copies = there(schedule.replicas)
        yield Copies(copies.job, copies.site, copies.start, copies.end, size[copies.job])
    job, start, end = schedule.holding
    yield Copies(job, of[job], start, end, size[job])


def copies_of_table(replicas: pl.DataFrame, names: Sequence[str], size: IntColumn) -> Copies:
    """Return the copies that a table with the columns of ``replicas.csv`` tells, all of known sites."""
    place = {name: number for number, name in enumerate(names)}
    row = replicas["row"].to_numpy().astype(np.int64)
    site = np.array([place[name] for name in replicas["site"].cast(str).to_list()], dtype=np.int64)
    start, end = (replicas[name].to_numpy().astype(np.float64) for name in ("start_time", "end_time"))
    return Copies(row, site, start, end, size[row])


def speeds(platform: Platform) -> FloatColumn:
    """Return the speed of a core of each site, 1 of one with a queue, shape (n_sites,)."""
    return np.array([site.speed for site in platform.sites])


def capacity(platform: Platform) -> float:
    """Return how many processors of speed 1 do as much as the platform: sum(processors * speed)."""
    return float((platform.sizes * speeds(platform)).sum())


def shared_copies(copies: Copies, platform: Platform) -> Copies:
    """Return what ran on time-shared machines."""
    return copies.at(sites_with(platform, Feature.TIME_SHARING)[copies.site])


def processes_by_site(copies: Copies, sites: int) -> list[Steps]:
    """Return how many processes each site had over time. Cost: O(n log n)."""
    order = np.argsort(copies.site, kind="stable")
    bounds = np.searchsorted(copies.site[order], np.arange(sites + 1))
    here = [order[bounds[place] : bounds[place + 1]] for place in range(sites)]
    return [step_function(copies.start[one], copies.end[one], copies.processes[one]) for one in here]


def working_cores(copies: Copies, platform: Platform, *, weighted: bool = False) -> Steps:
    """Return how many cores had a process over time: at each site the processes, at most its cores.

    Parameters
    ----------
    copies : Copies
        What ran.
    platform : Platform
        Where.
    weighted : bool, default False
        Count each core as its speed: how many cores of speed 1 do what CPU-bound processes are served.

    Notes
    -----
    Cost: O(n log n).
    """
    weights = speeds(platform) if weighted else np.ones(len(platform), dtype=np.int64)
    found = processes_by_site(copies, len(platform))
    used = [
        np.diff(np.minimum(steps.value, cores), prepend=0) * weight
        for steps, cores, weight in zip(found, platform.sizes, weights, strict=True)
    ]
    times = np.concatenate([steps.time for steps in found])
    order = np.argsort(times, kind="stable")
    ordered, sums = times[order], np.cumsum(np.concatenate(used)[order])
    last = np.append(ordered[1:] != ordered[:-1], np.ones(min(1, len(times)), dtype=np.bool_))
    return Steps(ordered[last], sums[last])


def rows_per_core(copies: Copies, platform: Platform) -> int:
    """Return how many rows a shared core needs to draw each process in one of its own: 1 if cores suffice."""
    copies = shared_copies(copies, platform)
    most = [int(steps.value.max(initial=0)) for steps in processes_by_site(copies, len(platform))]
    return max(1, *(-(-peak // int(cores)) for peak, cores in zip(most, platform.sizes, strict=True)))


def rows_of(copies: Copies, platform: Platform, *, least: int = 1) -> Platform:
    """Return the platform as it is drawn: every core that processes share with a row for each of them.

    All shared cores have equally many, at least `least`, so that their sites stay in their order.
    """
    rows = max(least, rows_per_core(copies, platform))
    sites = tuple(
        replace(site, resource=site.processors * rows) if shared else site
        for site, shared in zip(platform.sites, sites_with(platform, Feature.TIME_SHARING), strict=True)
    )
    return platform.with_sites(sites)


def working_shares(copies: Copies, platform: Platform, edges: FloatColumn) -> NDArray[np.float64]:
    """Return the share of each site's cores that had a process, on average between each two moments.

    Parameters
    ----------
    copies : Copies
        What ran.
    platform : Platform
        Where.
    edges : FloatColumn, shape (k + 1,)
        Moments, in seconds, ascending.

    Returns
    -------
    ndarray of float, shape (n_sites, k)
        Exact, 0 to 1. Cost: O(n log n + sites x k).
    """
    found = np.zeros((len(platform), len(edges) - 1))
    for place, steps in enumerate(processes_by_site(copies, len(platform))):
        if len(steps.time):
            cores = np.minimum(steps.value, platform.sizes[place])
            held = np.concatenate(([0.0], np.cumsum(cores[:-1] * np.diff(steps.time))))
            found[place] = np.diff(np.interp(edges, steps.time, held))
    return found / (np.diff(edges) * platform.sizes[:, None])


def mean_processes(copies: Copies, sites: int) -> tuple[FloatColumn, IntColumn]:
    """Return the mean number of processes of each site while it had some, and the most; nan if never."""
    mean, most = np.full(sites, np.nan), np.zeros(sites, dtype=np.int64)
    for place, steps in enumerate(processes_by_site(copies, sites)):
        most[place] = steps.value.max(initial=0)
        length, value = np.diff(steps.time), steps.value[:-1]
        if (busy := float(length[value > 0].sum())) > 0:
            mean[place] = float((length * value).sum()) / busy
    return mean, most
