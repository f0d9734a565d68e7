"""A mix of sequential and MPI jobs for the global experiment, whose own jobs the thesis does not state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.reproduce.irmasim.traces import MEGABYTE
from echelon.workloads import generate
from echelon.workloads.synthetic.task_mix import NAME

if TYPE_CHECKING:
    from echelon.model import Workload


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

    def drawn(self, seed: int) -> Workload:
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
