"""NodeRoom: the free resources of nodes, now or as planned, as placements see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.nodes.nodes import Nodes
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class NodeRoom:
    """Implements `echelon.policies.placement.Room`.

    Parameters
    ----------
    nodes : Nodes
        The nodes.
    cores : IntColumn, shape (n_nodes,)
        Free cores of each node.
    memory : FloatColumn, shape (n_nodes,)
        Free memory of each node, in bytes.
    now : float
        Simulation time, in seconds.
    planned : bool, default False
        Whether this is room at a later time, when it is not known which cores will be idle.
    """

    __slots__ = ("_nodes", "cores", "hardware", "memory", "now", "planned")

    def __init__(
        self, nodes: Nodes, cores: IntColumn, memory: FloatColumn, now: float, *, planned: bool = False
    ) -> None:
        self._nodes, self.now = nodes, now
        self.planned = planned
        self.hardware: Hardware = nodes.hardware
        self.cores = cores
        self.memory = memory

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """Whether each node is switched off now.

        Under a power cap no node counts as off while no job runs: otherwise a job that is placed on nodes
        that are on, but takes too much power there, would wait forever.
        """
        nodes = self._nodes
        if nodes.power.is_capped and not nodes.assignments:
            return np.zeros(len(self.cores), dtype=np.bool_)
        return nodes.sleep.asleep(self.now)

    @property
    def running(self) -> IntColumn:
        """Jobs that run in each node now."""
        return self._nodes.jobs_in_node

    @property
    def memory_in_use(self) -> FloatColumn:
        """Bytes of memory held in each node now."""
        return self._nodes.memory_in_use

    @property
    def bandwidth_asked(self) -> FloatColumn:
        """Memory traffic of the tasks on each processor now, in bytes a second."""
        return self._nodes.bandwidth_asked()

    def idle(self, node: int) -> Sequence[int]:
        """Return the idle cores of a node; see `Room.idle`."""
        if self.planned:
            first = self.hardware.first_core
            return range(int(first[node]), int(first[node + 1]))
        return self._nodes.idle[node]

    def draws(self, job: Job) -> NDArray[np.float64]:
        """Return one random number of `job` for each core; see `Room.draws`."""
        return self._nodes.places.draws(job)
