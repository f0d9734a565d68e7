"""Time-shared machines in a schedule: the copies of jobs that shared them, and their busy cores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.steps import Steps, step_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from echelon.model import Platform, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Copies(NamedTuple):
    """Every copy of every job on time-shared machines, each of shape (n_copies,).

    Attributes
    ----------
    job, site : IntColumn
        Position of the job, and place of the machine.
    start, end : FloatColumn
        From when to when, in seconds.
    processes : IntColumn
        Of the job.
    """

    job: IntColumn
    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    processes: IntColumn


def copies_of(schedule: Schedule) -> Copies:
    """Return what ran where: the attempts, each with its processes. Only on a grid."""
    ran = schedule.attempts
    return Copies(ran.job, ran.site, ran.start, ran.end, schedule.instance.size[ran.job])


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
    """Return how many rows a core needs to draw each process in one of its own: 1 if cores suffice."""
    most = [int(steps.value.max(initial=0)) for steps in processes_by_site(copies, len(platform))]
    return max(1, *(-(-peak // int(cores)) for peak, cores in zip(most, platform.sizes, strict=True)))


def rows_of(copies: Copies, platform: Platform, *, least: int = 1) -> Platform:
    """Return the platform as it is drawn: every core with so many rows that each process has one of its own.

    All cores have equally many, at least `least`, so that sites stay in their order.
    """
    rows = max(least, rows_per_core(copies, platform))
    sites = tuple(
        replace(site, resource=replace(machine, processors=machine.processors * rows))
        for site, machine in zip(platform.sites, platform.time_shared, strict=True)
    )
    return replace(platform, sites=sites)


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
