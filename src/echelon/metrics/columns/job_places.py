"""Inside a machine: where jobs were, what they sent, what slowed them down, what cores were held for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.sweep import sum_by_part
from echelon.model.schedules.holdings import held_nodes
from echelon.model.schedules.number_sets import NumberSets, number_sets, unite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Hardware, Holdings, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_NEEDED = "needs a schedule on hardware, with holdings"


def job_cores(holdings: Holdings, jobs: int) -> NumberSets:
    """Return the cores that each of `jobs` jobs held. Cost: O(k log k) for k intervals of holdings."""
    return unite(holding_cores(holdings), holdings.job, jobs)


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
    for sequential jobs. Of a job that was suspended each stay counts by its share of the time in which the
    job progressed. The schedule is one on hardware.

    Notes
    -----
    Cost: O(k log k) for k holdings.
    """
    held = held_nodes(schedule, _NEEDED)
    holdings, demands, job_stays = held.holdings, held.demands, stays(held.holdings)
    place, tasks_there = _tasks_by_node(job_stays.row, holdings, held.node)
    squares = np.bincount(place, weights=tasks_there**2, minlength=len(job_stays))
    tasks = np.bincount(job_stays.row, weights=holdings.tasks, minlength=len(job_stays))
    volume = np.where(demands.sequential, 0.0, demands.communication_volume)
    sent = (tasks**2 - squares) / 2 * volume[job_stays.job] * job_stays.shares(len(volume))
    return np.bincount(job_stays.job, weights=sent, minlength=len(volume)).astype(np.float64)


def speed_factors(schedule: Schedule) -> FloatColumn:
    """Return how fast each job ran of what its cores could do, shape (n_jobs,), 0 < factor <= 1.

    The time that its longest task would have taken on its core with nothing to slow it down (no other task
    at the same memory, network or core), over the time from the job's first progress to its end. If it was
    suspended, the harmonic mean of this over its stays, by the work done in each: 1 / the sum of the time in
    which it progressed there over the time that it would have taken alone there. 1: nothing slowed it down,
    or it held no cores of known nodes. The schedule is one on hardware.

    Notes
    -----
    Cost: O(k) for k holdings.
    """
    _, demands, holdings = held_nodes(schedule, _NEEDED)
    jobs, job_stays = len(schedule.instance), stays(holdings)
    alone = np.zeros(len(job_stays))
    work = demands.operations[demands.first_group[holdings.job] + holdings.group]
    np.maximum.at(alone, job_stays.row, work / holdings.speed)
    several = np.bincount(job_stays.job, minlength=jobs) > 1
    factor = np.ones(jobs)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor[job_stays.job] = alone / job_stays.progress
        slowed = np.bincount(job_stays.job, weights=job_stays.progress / alone, minlength=jobs)
        factor[several] = 1 / slowed[several]
    # Times are rounded; a job without contention is reported as such.
    return np.where(factor >= 1 - 1e-9, 1.0, factor)


class Stays(NamedTuple):
    """The stays of jobs on cores: one, or one for each time that a job was started or resumed.

    Attributes
    ----------
    row : IntColumn, shape (n_holdings,)
        The stay of each holding.
    job : IntColumn, shape (n,)
        The job of each stay; ascending.
    progress : FloatColumn, shape (n,)
        Time from the beginning of its first task to the end of its last one, in seconds.
    """

    row: IntColumn
    job: IntColumn
    progress: FloatColumn

    def __len__(self) -> int:
        """Return the number of stays."""
        return len(self.job)

    def shares(self, jobs: int) -> FloatColumn:
        """Return the share of its job's progress in each stay; of no progress, equal shares."""
        stays, total = (np.bincount(self.job, each, jobs) for each in (None, self.progress))
        equal = 1 / stays[self.job]
        return np.divide(self.progress, total[self.job], out=equal, where=total[self.job] > 0)


def stays(holdings: Holdings) -> Stays:
    """Return the stays of jobs on cores: the holdings of one job that start together. Cost: O(k)."""
    new = np.ones(len(holdings), dtype=np.bool_)
    # Rows are in order of job, then start.
    new[1:] = (np.diff(holdings.job) != 0) | (np.diff(holdings.start) != 0)
    row = np.cumsum(new) - 1
    begin, end = np.full(int(new.sum()), np.inf), np.full(int(new.sum()), -np.inf)
    np.minimum.at(begin, row, holdings.begin)
    np.maximum.at(end, row, holdings.end)
    return Stays(row, holdings.job[new], end - begin)


def last_stays(holdings: Holdings) -> NDArray[np.bool_]:
    """Return whether each holding is of the last stay of its job, shape (n_holdings,)."""
    job_stays = stays(holdings)
    last: NDArray[np.bool_] = np.diff(job_stays.job, append=-1) != 0
    return last[job_stays.row]


def _tasks_by_node(row: IntColumn, holdings: Holdings, node: IntColumn) -> tuple[IntColumn, FloatColumn]:
    """Return stay and tasks of each pair of a stay and a node in which it had some."""
    pairs, index = np.unique(np.stack((row, node)), axis=1, return_inverse=True)
    tasks = np.bincount(index.reshape(-1), weights=holdings.tasks, minlength=pairs.shape[1])
    return pairs[0], tasks.astype(np.float64)


def core_utilization(schedule: Schedule, makespan: float) -> float:
    """Return the share of all cores' time in which they were held: core-seconds / (cores x makespan).

    Unlike the utilization of whole jobs it counts each core of a sequential job only until its task ends.
    """
    hardware, _, holdings = held_nodes(schedule)
    return float(held_core_time(holdings).sum()) / (hardware.cores * makespan)


def blocked_share(schedule: Schedule) -> float:
    """Return the share of the cores' held time in which no task ran on them.

    It is lost before a node has woken up, in context switches, and behind the end of a task whose MPI job has
    not ended yet.
    """
    holdings = held_nodes(schedule).holdings
    seconds = float(held_core_time(holdings).sum())
    ran = float((holdings.held * (holdings.end - holdings.begin)).sum())
    return max(0.0, 1 - ran / seconds) if seconds else 0.0


def exploitation(schedule: Schedule, makespan: float) -> float:
    """Return the operations done over those the machine could have done at its peak for the makespan.

    Notes
    -----
    The peak is clock x operations per cycle of all cores. What jobs did that were cut at their request is not
    counted. Source: public code of IRMASim 0.1.
    """
    hardware, demands, holdings = held_nodes(schedule)
    inside = np.bincount(holdings.job, minlength=len(demands)) > 0
    job = np.repeat(np.arange(len(demands)), np.diff(demands.first_group))
    operations = sum_by_part(job, demands.tasks * demands.operations, len(demands))
    done = operations[inside & ~schedule.instance.killed].sum()
    return float(done) / (float(hardware.core_speed.sum()) * makespan)
