"""ContractPlacement: the nodes of a cluster that a job gets, as its social contract allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.sharing.node_choice import rank_nodes, rooms
from echelon.engine.multicluster.sharing.nodes import program_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.placement import Room


class ContractPlacement:
    """One task in each node: the most available nodes whose contract allows it.

    A node is left out if it holds as many tasks as the contract allows, has too little memory for the task
    beside its owner, no processor time at all, or if tasks would demand more of its link than the contract
    allows. The others are taken by fewest tasks, then most free memory, then most effective power.

    Parameters
    ----------
    nodes : SharedNodes
        The nodes of all clusters.
    site : int
        Index of the cluster.
    owners : bool, default True
        Whether the present local load counts; otherwise owners are assumed to be away.
    asked : FloatColumn, shape (nodes of the cluster,), optional
        Demand of tasks on the links of the cluster's nodes, in bytes a second; default: that of those there.

    Notes
    -----
    **Ties**: the lowest number. **Cost**: O(nodes log nodes). **Source**: M-CISNE thesis, section 2.5.2,
    which names the criteria; their order is our choice.
    """

    name = "contract"

    def __init__(
        self, nodes: SharedNodes, site: int, *, owners: bool = True, asked: FloatColumn | None = None
    ) -> None:
        self._nodes, self._owners, self._asked = nodes, owners, asked
        self._here = nodes.of(site)
        self._mpl = nodes.clusters[site].contract.mpl

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """Return one slot in each of the nodes chosen, or None if too few allow it."""
        chosen = self.choose_nodes(
            job, cores, room.cores, room.memory, planned=getattr(room, "planned", False)
        )
        return None if chosen is None else [room.idle(node)[0] for node in chosen]

    def choose_nodes(
        self, job: Job, count: int, slots: IntColumn, memory: NDArray[np.float64], *, planned: bool = False
    ) -> list[int] | None:
        """Return the `count` best nodes for `job`, best first, or None if too few can take a task of it.

        If `planned`, at a later time, the demand on their links is unknown.
        """
        able = self.able(job, slots, memory, planned=planned)
        return None if len(able) < count else able[:count]

    def able(
        self, job: Job, slots: IntColumn, memory: NDArray[np.float64], *, planned: bool = False
    ) -> list[int]:
        """Return the nodes that can take a task of `job`, best first, if they have these slots and memory."""
        nodes, here, tasks = self._nodes, self._here, self._mpl - slots
        free, processors = self._resources_left(memory)
        gamma = nodes.power[here] * np.minimum(1.0, processors / (tasks + 1))
        room = self._room(job, slots, memory, planned=planned)
        ranked: list[int] = rank_nodes(room=room, tasks=tasks, memory=free, gamma=gamma).tolist()
        return ranked

    def left_key(self) -> tuple[bytes, bytes]:
        """Return the resources that owners leave of each node for a task, for comparison."""
        nodes, here = self._nodes, self._here
        return (nodes.processors[here] > 0).tobytes(), nodes.taken_beyond[here].tobytes()

    def count(self, job: Job, slots: IntColumn, memory: NDArray[np.float64]) -> int:
        """Return how many nodes can take a task of `job` if they have these slots and memory."""
        return int(np.count_nonzero(self._room(job, slots, memory)))

    def _resources_left(self, memory: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the memory and the processors that owners leave of each node, if it has that memory."""
        nodes, here = self._nodes, self._here
        if not self._owners:
            return memory, nodes.all_processors[here]
        return memory - nodes.taken_beyond[here], nodes.processors[here]

    def _room(
        self, job: Job, slots: IntColumn, memory: NDArray[np.float64], *, planned: bool = False
    ) -> NDArray[np.bool_]:
        nodes, here, program = self._nodes, self._here, program_of(job)
        free, processors = self._resources_left(memory)
        demands = nodes.asked[here] if self._asked is None else self._asked
        asked = np.zeros(len(memory)) if planned else demands
        room = rooms(
            (program.memory, program.bandwidth if job.processors > 1 else 0.0),
            tasks=self._mpl - slots, mpl=self._mpl, processors=processors, memory=free, demand=asked,
            ceiling=nodes.ceiling[here],
        )  # fmt: skip
        # The slots and memory of a scheduler's accounting are exact.
        room &= memory >= program.memory
        return room
