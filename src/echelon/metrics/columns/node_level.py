"""Inside a machine: what its cores were held for, and how much of what they can do was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.job_places import held_core_time
from echelon.metrics.columns.sweep import summed
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from echelon.model import Demands, Schedule
    from echelon.model.jobs.columns import FloatColumn


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
    done = _of_jobs(demands)[inside & ~schedule.instance.killed].sum()
    return float(done) / (float(hardware.core_speed.sum()) * makespan)


def _of_jobs(demands: Demands) -> FloatColumn:
    """Return the operations of all tasks of each job, shape (n_jobs,)."""
    job = np.repeat(np.arange(len(demands)), np.diff(demands.first_group))
    return summed(job, demands.tasks * demands.operations, len(demands))
