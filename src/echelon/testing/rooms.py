"""FixedRoom: fixed free resources of nodes, to test a placement outside a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, eq=False)
class FixedRoom:
    """Implements `echelon.policies.Room` for a machine at a fixed time.

    Parameters
    ----------
    hardware : Hardware
        All nodes.
    idle_cores : sequence of sequences of int
        Idle cores of each node, ascending.
    cores : IntColumn, shape (n_nodes,)
        Number of idle cores that may be used in each node, at most all.
    memory : FloatColumn, shape (n_nodes,)
        Free memory of each node, in bytes.
    asleep : ndarray of bool, shape (n_nodes,)
        Whether each node is switched off.
    running : IntColumn, shape (n_nodes,)
        Number of jobs that run in each node.
    seed : int, default 0
        Seed of random numbers.
    """

    hardware: Hardware
    idle_cores: tuple[tuple[int, ...], ...]
    cores: IntColumn
    memory: FloatColumn
    asleep: NDArray[np.bool_]
    running: IntColumn
    seed: int = 0

    @classmethod
    def of(cls, hardware: Hardware, busy: Sequence[int] = (), *, seed: int = 0) -> FixedRoom:
        """Return the room beside these `busy` cores, one job per node; memory is free and no node sleeps."""
        held = np.zeros(hardware.cores, dtype=np.bool_)
        held[list(busy)] = True
        idle = tuple(
            tuple(core for core in range(first, stop) if not held[core])
            for first, stop in zip(hardware.first_core[:-1], hardware.first_core[1:], strict=True)
        )
        cores = np.array([len(here) for here in idle], dtype=np.int64)
        running = (cores < hardware.node_cores).astype(np.int64)
        asleep = np.zeros(len(cores), dtype=np.bool_)
        return cls(hardware, idle, cores, hardware.node_memory, asleep, running, seed)

    @property
    def memory_in_use(self) -> FloatColumn:
        """See `Room.memory_in_use`: the memory that is not free, of nodes with limited memory."""
        used: FloatColumn = np.zeros(len(self.memory))
        limited = np.isfinite(self.hardware.node_memory)
        used[limited] = (self.hardware.node_memory - self.memory)[limited]
        return used

    @property
    def bandwidth_asked(self) -> FloatColumn:
        """See `Room.bandwidth_asked`: no job demands any."""
        return np.zeros(len(self.hardware.processors))

    def idle(self, node: int) -> Sequence[int]:
        """See `Room.idle`."""
        return self.idle_cores[node]

    def draws(self, job: Job) -> FloatColumn:
        """See `Room.draws`."""
        return stream(self.seed, f"placement/{job.position}").random(self.hardware.cores)


StillRoom = FixedRoom
"""An earlier name."""
