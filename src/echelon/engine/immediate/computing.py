"""Computing: how much of its run time each job computes, and what that is at a speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.execution.processor_sharing import cpu_demand, time_alone

if TYPE_CHECKING:
    from echelon.model import Instance, Job
    from echelon.model.jobs.columns import FloatColumn


def cpu_shares(instance: Instance, cpu_use: str) -> FloatColumn:
    """Return the part of its run time that each job computes, in (0, 1], shape (n_jobs,).

    1 with ``full``; with ``log`` the log's average CPU time of a processor by the log's run time, at most 1,
    and 1 where the log has no value or 0.
    """
    if cpu_use == "full":
        return np.ones(len(instance))
    used = instance.workload.float_column("average_cpu_time")[instance.kept]
    return np.where(used > 0, np.minimum(used / instance.workload.run_time[instance.kept], 1.0), 1.0)


class Computing:
    """The computing of each job, by position.

    Parameters
    ----------
    instance : Instance
        The jobs.
    cpu_use : str
        See `echelon.engine.immediate.rules.CpuUse`.
    """

    def __init__(self, instance: Instance, cpu_use: str) -> None:
        self._run_time: list[float] = instance.uncut_time.tolist()
        self._longest: list[float] = instance.longest_time.tolist()
        self._share: list[float] = cpu_shares(instance, cpu_use).tolist()

    def run_time(self, position: int) -> float:
        """Return the time of a job alone on cores of speed 1, in seconds."""
        return self._run_time[position]

    def plan_attempt(self, position: int, run_time: float) -> None:
        """Let the next attempt of a job take so long alone on cores of speed 1, in seconds."""
        self._run_time[position] = run_time

    def follow_plan(self, job: Job) -> None:
        """Let `job` take its planned time alone on cores of speed 1."""
        self._run_time[job.position] = job.planned_time

    def work(self, position: int) -> float:
        """Return the computing time of a process of a job on a core of speed 1, in seconds."""
        return self._run_time[position] * self._share[position]

    def longest_run(self, position: int) -> float:
        """Return how long a job may run until it is cut, in seconds; infinity if it is not."""
        return self._longest[position]

    def demand(self, position: int, speed: float) -> float:
        """Return the demand of a process of a job for a core of `speed`, in (0, 1]."""
        return cpu_demand(self._share[position], speed)

    def time_alone(self, position: int, speed: float) -> float:
        """Return the time of a job alone on cores of `speed`, in seconds."""
        return time_alone(self._run_time[position], self._share[position], speed)

    def planned_time_alone(self, position: int, planned_time: float, speed: float) -> float:
        """Return the planned time of a job alone on cores of `speed`, in seconds."""
        return time_alone(planned_time, self._share[position], speed)
