"""Setups: the jobs of the thesis' experiments, its traces, a mix of jobs, and cores forced on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from echelon.model import Demand, Demands, Platform, Site, TaskGroup, Workload
from echelon.model.machines.site_path import as_component
from echelon.workloads import generate
from echelon.workloads.synthetic.task_mix import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Hardware, Job
    from echelon.policies.placement import Room


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

    `volume` is in bytes between each pair of tasks in different nodes, `compute_share` of a task's time.
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


MEGABYTE = 1e6
"""Bytes: the study's 4 pairs of 200 MB are 800,000,000 bytes."""

PAIR_VOLUME = 200 * MEGABYTE
"""Bytes exchanged between each pair of tasks in different nodes, in the experiments on communication."""

COMPUTE_SHARE = 0.9
PENALTY = 0.8
"""Factor of communication in a node with contention."""

WIDE = 1e12
"""Bytes a second of a node whose network is never in the way. The study does not say what it edited."""


class Trace(NamedTuple):
    """What one experiment runs.

    Attributes
    ----------
    title : str
        What it is for.
    figure : str
        The study's figure of its run.
    jobs : tuple of StudyJob
        In the order in which the study numbers them.
    cores : mapping of int to tuple of int
        Cores of each job, by its number, as the study's figure shows them; empty: the placement decides.
    wide : tuple of int
        Nodes whose network bandwidth is edited to be `WIDE`.
    """

    title: str
    figure: str
    jobs: tuple[StudyJob, ...]
    cores: Mapping[int, tuple[int, ...]] = MappingProxyType({})
    wide: tuple[int, ...] = ()


def _communicating_job(tasks: int) -> StudyJob:
    return mpi(tasks, volume=PAIR_VOLUME, compute_share=COMPUTE_SHARE)


TRACES: Mapping[str, Trace] = MappingProxyType(
    {
        "E1a": Trace("Planning, first trace", "figure 4.3", (sequential(6), sequential(4), mpi(6))),
        "E1b": Trace("Planning, second trace", "figure 4.5", (sequential(6), sequential(6), sequential(4))),
        "E1c": Trace("Planning, third trace", "figure 4.7", (sequential(2), mpi(12), mpi(4))),
        "E2a": Trace(
            "Communication and contention",
            "figures 4.9 and 4.11",
            (sequential(4), _communicating_job(4), _communicating_job(2)),
            # The text names the four of job 2; how the program came to them: `queue_order`.
            {1: (0, 1, 2, 3), 2: (5, 7, 8, 9), 3: (4, 6)},
        ),
        "E2b": Trace(
            "Communication within a node",
            "not drawn in the thesis",
            (sequential(2), _communicating_job(4), _communicating_job(2)),
        ),
        "E4": Trace("Release", "figure 4.13", (_communicating_job(9),), wide=(0,)),
        "E4 and one more": Trace(
            "Release, with a job that waits for a node",
            "not in the study",
            (_communicating_job(9), sequential(8)),
            wide=(0,),
        ),
    }
)
"""By the names that the reproduction gives them; E3 is the run of E2a, looked at for its times."""


@dataclass(frozen=True, slots=True)
class Mix:
    """How jobs are drawn. Of the thesis are only: both kinds, and that volumes and shares vary.

    Parameters
    ----------
    jobs : int, default 400
        How many, all submitted at second 0.
    mpi_share : float, default 0.5
        Probability that a job is an MPI one.
    most_tasks : int, default 16
        Tasks of a job are uniform from 1, of an MPI job from 2, to this: a node's cores.
    operations : (float, float), default (1e9, 16e9)
        Of each task, uniform; all tasks of a job have the same. With so many jobs the mix takes about as long
        as that of the thesis, 24.41 s without contention.
    volume : (float, float), default (1, 100)
        MB exchanged between each pair of tasks in different nodes, uniform in its logarithm.
    compute_share : (float, float), default (0, 1)
        Of MPI jobs, uniform.
    """

    jobs: int = 400
    mpi_share: float = 0.5
    most_tasks: int = 16
    operations: tuple[float, float] = (1e9, 16e9)
    volume: tuple[float, float] = (1.0, 100.0)
    compute_share: tuple[float, float] = (0.0, 1.0)

    def draw(self, seed: int) -> Workload:
        """Return the workload of one seed, drawn by the model ``irmasim-mix``.

        Other ranges change nothing but what they are of: each quantity has a random stream of its own.
        """
        return generate(
            NAME,
            self.jobs,
            seed=seed,
            mean_gap=0,
            mpi=self.mpi_share,
            unequal=0,
            node_cores=self.most_tasks,
            most_tasks=self.most_tasks,
            least_operations=self.operations[0],
            most_operations=self.operations[1],
            least_memory=0,
            most_memory=0,
            least_comm=self.volume[0] * MEGABYTE,
            most_comm=self.volume[1] * MEGABYTE,
            least_compute=self.compute_share[0],
            most_compute=self.compute_share[1],
        )


@dataclass(frozen=True, slots=True)
class Forced:
    """Put each job on the cores named for it, as soon as all of them are idle.

    Parameters
    ----------
    by_job : mapping of int to tuple of int
        Cores of each job, by its number.
    """

    by_job: Mapping[int, tuple[int, ...]]

    name: ClassVar[str] = "forced"
    source: ClassVar[str] = "none"

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """Return the cores of `job`, or None while one of them is not idle; see `Placement`."""
        wanted = self.by_job[job.job_id][:cores]
        nodes = {int(room.hardware.node_of_core[core]) for core in wanted}
        idle = {core for node in nodes for core in room.idle(node)}
        return wanted if idle.issuperset(wanted) else None


def platform_of(hardware: Hardware) -> Platform:
    """Return a platform of one site with these nodes."""
    return Platform((Site(as_component(hardware.name), hardware),), name=hardware.name)
