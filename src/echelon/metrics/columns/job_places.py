"""Where the jobs of a schedule were in the machine, what they sent, and how much they were slowed down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.schedules.held_nodes import held_nodes
from echelon.model.schedules.number_sets import NumberSets, number_sets, united

if TYPE_CHECKING:
    from echelon.model import Hardware, Holdings, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_NEEDED = "needs a schedule on hardware, with holdings"


def job_cores(holdings: Holdings, jobs: int) -> NumberSets:
    """Return the cores that each of `jobs` jobs held. Cost: O(k log k) for k intervals of holdings."""
    return united(holding_cores(holdings), holdings.job, jobs)


def holding_cores(holdings: Holdings) -> NumberSets:
    """Return the cores of each holding. Cost: O(k) for k cores held in all."""
    return number_sets(np.repeat(np.arange(len(holdings)), holdings.held), holdings.cores, len(holdings))


def job_nodes(holdings: Holdings, hardware: Hardware, jobs: int) -> NumberSets:
    """Return the nodes in which each of `jobs` jobs held cores. Cost: O(k log k) for k holdings."""
    return number_sets(holdings.job, hardware.node_of_processor[holdings.processor], jobs)


def held_core_time(holdings: Holdings) -> FloatColumn:
    """Return core-seconds of each holding, shape (n,): cores x (release - start), with what is blocked."""
    return holdings.held * (holdings.release - holdings.start)


def communication_volumes(schedule: Schedule) -> FloatColumn:
    """Return the bytes that each job's tasks exchanged between nodes, shape (n_jobs,).

    The job's communication volume for every unordered pair of its tasks that ran in different nodes; none
    for sequential jobs. The schedule is one on hardware.

    Notes
    -----
    Cost: O(k log k) for k holdings.
    """
    held = held_nodes(schedule, _NEEDED)
    jobs, holdings, demands = len(schedule.instance), held.holdings, held.demands
    place, tasks_there = _tasks_by_node(holdings, held.node)
    squares = np.bincount(place, weights=tasks_there**2, minlength=jobs)
    tasks = np.bincount(holdings.job, weights=holdings.tasks, minlength=jobs)
    volume = np.where(demands.sequential, 0.0, demands.communication_volume)
    return (tasks**2 - squares) / 2 * volume


def speed_factors(schedule: Schedule) -> FloatColumn:
    """Return how fast each job ran of what its cores could do, shape (n_jobs,), 0 < factor <= 1.

    The time that its longest task would have taken on its core with nothing to slow it down (no other task
    at the same memory, network or core), over the time from the job's first progress to its end. 1: nothing
    slowed it down, or it held no cores of known nodes. The schedule is one on hardware.

    Notes
    -----
    Cost: O(k) for k holdings.
    """
    _, demands, holdings = held_nodes(schedule, _NEEDED)
    jobs = len(schedule.instance)
    alone, begin, end = np.zeros(jobs), np.full(jobs, np.inf), np.full(jobs, -np.inf)
    work = demands.operations[demands.first_group[holdings.job] + holdings.group]
    np.maximum.at(alone, holdings.job, work / holdings.speed)
    np.minimum.at(begin, holdings.job, holdings.begin)
    np.maximum.at(end, holdings.job, holdings.end)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = alone / (end - begin)
    # Times are rounded; a job without contention is reported as such.
    return np.where((factor >= 1 - 1e-9) | (end < begin), 1.0, factor)


def _tasks_by_node(holdings: Holdings, node: IntColumn) -> tuple[IntColumn, FloatColumn]:
    """Return job and tasks of each pair of a job and a node in which it had some."""
    pairs, index = np.unique(np.stack((holdings.job, node)), axis=1, return_inverse=True)
    tasks = np.bincount(index.reshape(-1), weights=holdings.tasks, minlength=pairs.shape[1])
    return pairs[0], tasks.astype(np.float64)
