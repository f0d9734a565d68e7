"""The study's jobs: sequential ones and MPI ones of equal tasks, as workloads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model import Demand, Demands, TaskGroup, Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

OPERATIONS = 2e9
"""Of every task of the first four experiments: a second on a core of 2 GHz, whatever one makes of the ipc."""

LITTLE = 1.0
"""Bytes between tasks in different nodes where the volume must not matter: too few for any contention."""


class StudyJob(NamedTuple):
    """One job of the study.

    Attributes
    ----------
    demand : Demand
        What its tasks ask for.
    submit_time : float
        In seconds.
    requested_time : float
        The user's estimate, in seconds; -1: none.
    """

    demand: Demand
    submit_time: float = 0.0
    requested_time: float = -1.0


def sequential(tasks: int, *, operations: float = OPERATIONS) -> StudyJob:
    """Return a job of equal tasks that share memory, so that all must be in one node."""
    return StudyJob(Demand((TaskGroup(tasks, operations),), sequential=True))


def mpi(
    tasks: int, *, operations: float = OPERATIONS, volume: float = LITTLE, compute_share: float = 0.9
) -> StudyJob:
    """Return a job of equal tasks that may be anywhere and send messages between nodes.

    Parameters
    ----------
    tasks : int
        How many.
    operations : float
        Of each.
    volume : float
        Bytes exchanged between each pair of tasks in different nodes.
    compute_share : float
        Share of its time in which a task computes.
    """
    group = TaskGroup(tasks, operations)
    return StudyJob(Demand((group,), communication_volume=volume, compute_share=compute_share))


def workload_of(name: str, jobs: Sequence[StudyJob]) -> Workload:
    """Return the jobs as a workload; they are numbered from 1, as the study numbers them."""
    columns = Workload.from_columns(
        name=name,
        submit_time=np.array([job.submit_time for job in jobs]),
        requested_time=np.array([job.requested_time for job in jobs]),
        processors=np.array([job.demand.tasks for job in jobs]),
    )
    return replace(columns, demands=Demands.of([job.demand for job in jobs]))
