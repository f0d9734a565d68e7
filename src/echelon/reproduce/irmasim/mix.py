"""A mix of sequential and MPI jobs for the global experiment, whose own jobs the thesis does not state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.model.streams import stream
from echelon.reproduce.irmasim.jobs import StudyJob, mpi, sequential, workload_of
from echelon.reproduce.irmasim.traces import MEGABYTE

if TYPE_CHECKING:
    import numpy as np

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
        """Return the workload of one seed, of the stream ``"irmasim/mix"``.

        Other ranges change nothing but what they are of: each job draws the same numbers.
        """
        draws = stream(seed, "irmasim/mix").random((self.jobs, 5))
        return workload_of(f"mix-{seed}", [self._job(row) for row in draws])

    def _job(self, draw: np.ndarray) -> StudyJob:
        kind, size, work, volume, share = draw.tolist()
        operations = _between(self.operations, work)
        if kind >= self.mpi_share:
            return sequential(1 + int(size * self.most_tasks), operations=operations)
        low, high = self.volume
        return mpi(
            2 + int(size * (self.most_tasks - 1)),
            operations=operations,
            volume=low * (high / low) ** volume * MEGABYTE,
            compute_share=_between(self.compute_share, share),
        )


def _between(bounds: tuple[float, float], share: float) -> float:
    low, high = bounds
    return low + share * (high - low)
