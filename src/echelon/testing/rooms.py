"""A room made by hand: what some nodes have to give, to ask a placement outside a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.columns import FloatColumn, IntColumn


@dataclass(frozen=True, eq=False)
class StillRoom:
    """What `echelon.policies.Room` promises, of a machine in which no time passes.

    Parameters
    ----------
    hardware : Hardware
        All nodes.
    idle_cores : sequence of sequences of int
        The cores named as idle, of each node, ascending.
    cores : IntColumn, shape (n_nodes,)
        How many of them each node has to give, at most all.
    memory : FloatColumn, shape (n_nodes,)
        Bytes each node has to give.
    asleep : ndarray of bool, shape (n_nodes,)
        Whether each is switched off.
    running : IntColumn, shape (n_nodes,)
        Jobs that run in each.
    seed : int, default 0
        Of what is drawn.
    """

    hardware: Hardware
    idle_cores: tuple[tuple[int, ...], ...]
    cores: IntColumn
    memory: FloatColumn
    asleep: NDArray[np.bool_]
    running: IntColumn
    seed: int = 0

    @classmethod
    def of(cls, hardware: Hardware, busy: Sequence[int] = (), *, seed: int = 0) -> StillRoom:
        """Return the room left where these cores are held, a job a node; memory is free, no node sleeps."""
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
        """See `Room.memory_in_use`: of nodes with limited memory what is not free."""
        used: FloatColumn = np.zeros(len(self.memory))
        limited = np.isfinite(self.hardware.node_memory)
        used[limited] = (self.hardware.node_memory - self.memory)[limited]
        return used

    @property
    def bandwidth_asked(self) -> FloatColumn:
        """See `Room.bandwidth_asked`: nobody asks for any."""
        return np.zeros(len(self.hardware.processors))

    def idle(self, node: int) -> Sequence[int]:
        """See `Room.idle`."""
        return self.idle_cores[node]

    def draws(self, job: Job) -> FloatColumn:
        """See `Room.draws`."""
        return stream(self.seed, f"placement/{job.position}").random(self.hardware.cores)
