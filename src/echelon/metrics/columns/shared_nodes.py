"""How nodes that have owners were used: by parallel tasks beside each other, and beside their owners."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.schedules.features import Feature, features_of, sites_with, there
from echelon.model.schedules.number_sets import number_sets

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Platform, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.schedules.forecasts import TaskPlaces
    from echelon.model.schedules.number_sets import NumberSets


class SharedNodes:
    """Nodes that have owners and what ran in them, each column worked out when first asked for.

    Nodes are counted through all sites, in the platform's order; a site of another kind has none of them,
    which `shared` says, of shape (n_sites,). Columns of them have shape (n_nodes,), times
    are in seconds.

    Parameters
    ----------
    schedule : Schedule
        With `places`, of at least one job.

    Raises
    ------
    InputError
        If it is not on a multicluster.

    Notes
    -----
    Cost: O(k log k) for k tasks.
    """

    def __init__(self, schedule: Schedule) -> None:
        if Feature.PLACES not in features_of(schedule):
            raise InputError("metrics of shared nodes need a schedule on a multicluster")
        self.schedule = schedule
        self.platform: Platform = schedule.instance.sites
        self.places: TaskPlaces = there(schedule.places)
        self.shared = sites_with(self.platform, Feature.PLACES)
        sizes = np.zeros(len(self.platform), dtype=np.int64)
        sizes[self.shared] = [len(cluster) for cluster in self.platform.clusters]
        self.first_node: IntColumn = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes)))

    def __len__(self) -> int:
        """Return the number of nodes."""
        return int(self.first_node[-1])

    @cached_property
    def site(self) -> IntColumn:
        """Place of each node's site in the platform."""
        return np.repeat(np.arange(len(self.platform)), np.diff(self.first_node))

    @cached_property
    def number(self) -> IntColumn:
        """Number of each node in its site, from 0."""
        return np.arange(len(self)) - self.first_node[self.site]

    @cached_property
    def node(self) -> IntColumn:
        """Node of each task, shape (n_tasks,)."""
        return self.first_node[self.places.site] + self.places.node

    @cached_property
    def tasks(self) -> IntColumn:
        """Tasks that ran in each node."""
        # One that resumed in the same node is the same task.
        nodes = np.unique(self.places.job * len(self) + self.node) % len(self)
        return np.bincount(nodes, minlength=len(self))

    @cached_property
    def task_time(self) -> FloatColumn:
        """Times of all tasks of each node together."""
        start, end = self._times
        return np.bincount(self.node, weights=end - start, minlength=len(self)).astype(np.float64)

    @property
    def _times(self) -> tuple[FloatColumn, FloatColumn]:
        """From when to when each task was there, each of shape (n_tasks,)."""
        return self.places.times(self.schedule.start_time, self.schedule.end_time)

    @cached_property
    def _levels(self) -> tuple[IntColumn, FloatColumn, IntColumn]:
        """Node, length and tasks of every span of time between two events in a node; ends before starts."""
        start, end = self._times
        node = np.tile(self.node, 2)
        time = np.concatenate((end, start))
        change = np.repeat((-1, 1), len(self.node))
        order = np.lexsort((change, time, node))
        count, node, time = np.cumsum(change[order]), node[order], time[order]
        # After the last event of a node no task is left in it, so that counts never cross to the next one.
        same = node[1:] == node[:-1]
        return node[:-1][same], np.diff(time)[same], count[:-1][same]

    @cached_property
    def busy_time(self) -> FloatColumn:
        """Time in which each node had at least one task."""
        node, length, count = self._levels
        busy = np.bincount(node, weights=np.where(count > 0, length, 0.0), minlength=len(self))
        return busy.astype(np.float64)

    @cached_property
    def most_tasks(self) -> IntColumn:
        """Most tasks that each node had at once."""
        node, length, count = self._levels
        most = np.zeros(len(self), dtype=np.int64)
        np.maximum.at(most, node[length > 0], count[length > 0])
        return most

    @cached_property
    def owner_active_time(self) -> FloatColumn:
        """Time in which each node's owner was at work, while jobs were in the system."""
        delays = self.schedule.owner_delays
        return np.zeros(len(self)) if delays is None else delays.active_time

    @cached_property
    def owner_delayed_time(self) -> FloatColumn:
        """The same, each second weighed by the slowdown of the owner's system calls in it."""
        delays = self.schedule.owner_delays
        return np.zeros(len(self)) if delays is None else delays.delayed_time

    @cached_property
    def site_tasks(self) -> IntColumn:
        """Tasks of each job in each site, in its last attempt, shape (n_jobs, n_sites)."""
        jobs, sites = len(self.schedule.instance), len(self.platform)
        cell = (self.places.job * sites + self.places.site)[self.places.last]
        return np.bincount(cell, minlength=jobs * sites).reshape(jobs, sites)

    @property
    def sites_per_job(self) -> IntColumn:
        """How many sites each job had tasks in, shape (n_jobs,)."""
        spread: IntColumn = (self.site_tasks > 0).sum(axis=1, dtype=np.int64)
        return spread

    def pairs(self) -> tuple[IntColumn, IntColumn, NumberSets]:
        """Return job, site, and numbers of nodes in it, of each pair of a job and a site it had tasks in.

        By job, then site.
        """
        sites = len(self.platform)
        cells, whose = np.unique(self.places.job * sites + self.places.site, return_inverse=True)
        nodes = number_sets(whose.reshape(-1), self.places.node, len(cells))
        return cells // sites, cells % sites, nodes

    def table(self, job_ids: pl.Series) -> pl.DataFrame:
        """Return one row a job and site it had tasks in: ``job_id``, ``row``, ``site``, ``nodes``, ``tasks``.

        ``row`` is the job's place in the schedule, from 0, ``nodes`` numbers as ``"1-3 5"``. Where jobs may
        have several attempts, one row for each, with its ``start_time`` and ``end_time``.
        """
        # A heavy library that only tables need.
        import polars as pl

        places, (start, end) = self.places, self._times
        keys = np.stack((places.job, start, places.site), dtype=np.float64)
        _, first, whose = np.unique(keys, axis=1, return_index=True, return_inverse=True)
        jobs, nodes = places.job[first], number_sets(whose.reshape(-1), places.node, len(first))
        columns = {
            "job_id": job_ids.gather(jobs),
            "row": jobs,
            "site": pl.Series(list(self.platform.names), dtype=pl.String).gather(places.site[first]),
            "nodes": pl.Series(nodes.texts(), dtype=pl.String),
            "tasks": nodes.sizes,
        }
        if places.start is not None:
            columns |= {"start_time": start[first], "end_time": end[first]}
        return pl.DataFrame(columns)

    def texts(self) -> list[str]:
        """Return the nodes of each job: ``"1-3 5"``; on several sites ``"site-1: 1-3 5; site-2: 0"``."""
        found = [""] * len(self.schedule.instance)
        jobs, sites, nodes = self.pairs()
        names = self.platform.names
        for job, site, text in zip(jobs.tolist(), sites.tolist(), nodes.texts(), strict=True):
            here = text if len(names) == 1 else f"{names[site]}: {text}"
            found[job] = f"{found[job]}; {here}" if found[job] else here
        return found
