"""A job as one row: the record for people, and the view for policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.model.jobs.applications import Application
    from echelon.model.jobs.demands import Demand


class JobRecord(NamedTuple):
    """One row of a workload, all 18 fields and the size a simulation uses. -1 means unknown.

    Units are those of `echelon.model.jobs.fields.FIELDS`: times in seconds, memory in kilobytes.
    """

    job_id: int
    submit_time: float
    wait_time: float
    run_time: float
    allocated_processors: int
    average_cpu_time: float
    used_memory: float
    requested_processors: int
    requested_time: float
    requested_memory: float
    status: int
    user: int
    group: int
    executable: int
    queue: int
    partition: int
    preceding_job: int
    think_time: float
    processors: int


class Job(NamedTuple):
    """A job as a policy sees it: everything except its actual run time.

    Attributes
    ----------
    position : int
        0-based place in the instance; the last tie-breaker of every queue.
    job_id : int
        The log's number.
    submit_time : float
        In seconds.
    processors : int
        Size, >= 1.
    planned_time : float
        What the scheduler plans with, in seconds, > 0; see `echelon.model.instance.Instance`.
    requested_time : float
        The user's estimate, in seconds; -1 if unknown.
    user, group, executable, queue, partition : int
        The log's codes; -1 if unknown.
    memory : float
        Requested memory, else used memory, in KB a processor; -1 if unknown.
    demand : Demand, optional
        Demand of its tasks on nodes and cores; only on a machine with a node-level model.
    application : Application, optional
        The parallel program it runs, where the workload says so.
    """

    position: int
    job_id: int
    submit_time: float
    processors: int
    planned_time: float
    requested_time: float = -1.0
    user: int = -1
    group: int = -1
    executable: int = -1
    queue: int = -1
    partition: int = -1
    memory: float = -1.0
    demand: Demand | None = None
    application: Application | None = None

    @property
    def area(self) -> float:
        """Processors times planned time, in processor-seconds."""
        return self.processors * self.planned_time
