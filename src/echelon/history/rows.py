"""Rows of a run: its applications, nodes, jobs, forecasts and queues, as the tables of a history hold them.

Each row has the values of its table's columns, in their order there; of tables with numbers of their own
without that number.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush
from itertools import compress, repeat
from math import isnan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from echelon.history.shared_nodes import sharing_of
from echelon.history.stays import dedicated_time
from echelon.model import Application
from echelon.model.schedules.features import Feature, sites_with

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.history.stays import Stays
    from echelon.model import Experience, Forecasts, Platform, Schedule, TaskPlaces
    from echelon.model.jobs.columns import FloatColumn

Value: TypeAlias = str | int | float | bool | None
Row: TypeAlias = tuple[Value, ...]


def platform_name(schedule: Schedule) -> str:
    """Return the name of the platform, or the size of a single machine."""
    instance = schedule.instance
    return f"{instance.processors} processors" if instance.platform is None else instance.platform.name


def application_rows(schedule: Schedule, experiences: Sequence[Experience]) -> list[Row]:
    """Return the application of every job; an unknown one only computes."""
    instance = schedule.instance
    profiles = instance.workload.applications
    applications = repeat(Application()) if profiles is None else iter(profiles.take(instance.kept))
    return [
        (
            experience.application,
            one.compute_share,
            one.memory,
            one.bandwidth,
            one.library,
            " ".join(one.requires),
        )
        for experience, one in zip(experiences, applications, strict=False)
    ]


def node_rows(platform: Platform) -> list[Row]:
    """Return every node of the clusters of `platform`, in order; sites of other kinds have none."""
    shared = compress(platform.sites, sites_with(platform, Feature.PLACES))
    return [
        (
            *(platform.name, site.name, number),
            *(node.name, node.power, node.processors, node.memory, node.bandwidth),
            *(contract.mpl, contract.memory, contract.bandwidth, contract.cpu),
        )
        for site, cluster in zip(shared, platform.clusters, strict=True)
        for contract in [cluster.contract]
        for number, node in enumerate(cluster.nodes)
    ]


def job_rows(
    schedule: Schedule, experiences: Sequence[Experience], stays: Stays, applications: Sequence[int]
) -> Iterator[Row]:
    """Yield every job, with the number of its application, without its experiment."""
    instance = schedule.instance
    sites = ("",) if instance.platform is None else instance.platform.names
    times = (instance.submit_time, stays.joined, stays.start, stays.end, dedicated_time(schedule), stays.work)
    columns = zip(
        map(instance.label, range(len(instance))),
        applications,
        experiences,
        map(sites.__getitem__, stays.site.tolist()),
        zip(*(column.tolist() for column in times), strict=True),
        np.where(instance.killed, "killed", "").tolist(),
        strict=True,
    )
    for job, (label, application, experience, site, moments, error) in enumerate(columns):
        asked = (experience.user, experience.queue, site, experience.nodes)
        yield job, label, application, *asked, *moments, *experience[4:7], error


def forecast_rows(forecasts: Sequence[Forecasts]) -> Iterator[Row]:
    """Yield each estimator's forecast of each job; of equal estimators, those of the first."""
    for column in {column.estimator: column for column in reversed(forecasts)}.values():
        times = zip(*map(_replace_nans, (column.wait, column.run, column.seconds)), strict=True)
        for job, (wait, run, seconds) in enumerate(times):
            yield job, column.estimator, wait, run, seconds


def _replace_nans(column: FloatColumn) -> list[float | None]:
    """Return the values, with None for nan, which databases do not share."""
    return [None if isnan(value) else value for value in column.tolist()]


def job_node_rows(
    places: TaskPlaces, stays: Stays, platform: Platform, numbers: Sequence[int]
) -> Iterator[Row]:
    """Yield the jobs that shared each node; `numbers` are those of all nodes of `platform`, in order."""
    sharing = sharing_of(places, stays)
    sizes = np.zeros(len(platform), dtype=np.int64)
    sizes[sites_with(platform, Feature.PLACES)] = [len(cluster) for cluster in platform.clusters]
    first = np.concatenate(((0,), np.cumsum(sizes)))
    node = np.array(numbers, dtype=np.int64)[first[sharing.site] + sharing.node]
    columns = (sharing.first, sharing.second, node, sharing.start, sharing.end)
    return zip(*(column.tolist() for column in columns), strict=True)


def queue_rows(stays: Stays, *, places: int) -> Iterator[tuple[int, int, int]]:
    """Yield (joining job, waiting job, its place from 1) for the first `places` of every queue joined.

    Waiting jobs are in the order in which they joined; they are those of `experiences_of`.

    Cost: O(n log n + rows) for n jobs, and moving a queue up by one when a job leaves it.
    """
    order = stays.order
    for site in np.unique(stays.site).tolist():
        here = order[stays.site[order] == site]
        here = here[stays.queued[here]]
        yield from _of_site(here.tolist(), stays.joined[here].tolist(), stays.start[here].tolist(), places)


def _of_site(
    here: list[int], joined: list[float], start: list[float], places: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the rows of one site, whose jobs `here` are in the order in which they joined."""
    waiting: list[int] = []
    leaving: list[tuple[float, int]] = []
    for rank, job in enumerate(here):
        while leaving and leaving[0][0] <= joined[rank]:
            del waiting[bisect_left(waiting, heappop(leaving)[1])]
        for place, other in enumerate(waiting[:places], 1):
            yield job, here[other], place
        waiting.append(rank)
        heappush(leaving, (start[rank], rank))
