"""Inside a machine: what its cores were held for, and how much of what they can do was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.job_places import held_core_time
from echelon.metrics.columns.sweep import summed

if TYPE_CHECKING:
    from echelon.model import Demands, Hardware, Holdings, Schedule
    from echelon.model.jobs.columns import FloatColumn


def core_utilization(schedule: Schedule, makespan: float) -> float:
    """Return the share of all cores' time in which they were held: core-seconds / (cores x makespan).

    Unlike the utilization of whole jobs it counts each core of a sequential job only until its task ends.
    """
    hardware, holdings = _parts(schedule)
    return float(held_core_time(holdings).sum()) / (hardware.cores * makespan)


def blocked_share(schedule: Schedule) -> float:
    """Return the share of the cores' held time in which no task ran on them.

    It is lost before a node has woken up, and behind the end of a task whose MPI job has not ended yet.
    """
    _, holdings = _parts(schedule)
    held = float(held_core_time(holdings).sum())
    ran = float((holdings.held * (holdings.end - holdings.begin)).sum())
    return max(0.0, 1 - ran / held) if held else 0.0


def exploitation(schedule: Schedule, makespan: float) -> float:
    """Return the operations done over those the machine could have done at its peak for the makespan.

    Notes
    -----
    The peak is clock x operations per cycle of all cores. What jobs did that were cut at their request is not
    counted. Source: public code of IRMASim 0.1.
    """
    hardware, _ = _parts(schedule)
    done = _of_jobs(schedule.instance.node_level.demands)[~schedule.instance.killed].sum()
    return float(done) / (float(hardware.core_speed.sum()) * makespan)


def _of_jobs(demands: Demands) -> FloatColumn:
    """Return the operations of all tasks of each job, shape (n_jobs,)."""
    job = np.repeat(np.arange(len(demands)), np.diff(demands.first_group))
    return summed(job, demands.tasks * demands.operations, len(demands))


def _parts(schedule: Schedule) -> tuple[Hardware, Holdings]:
    hardware, holdings = schedule.instance.hardware, schedule.holdings
    if hardware is None or holdings is None:
        raise InputError("needs a run on nodes, with the cores that its tasks held")
    return hardware, holdings
