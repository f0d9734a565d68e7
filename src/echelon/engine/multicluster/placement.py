"""ContractPlacement: the nodes of a cluster that a job gets, as its social contract allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.node_choice import nodes_ranked, rooms
from echelon.engine.multicluster.nodes import program_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.multicluster.nodes import SharedNodes
    from echelon.model import Job
    from echelon.model.columns import IntColumn
    from echelon.policies.placement import Room


class ContractPlacement:
    """One task in each node: of the nodes whose contract allows it the most available ones.

    A node is left out if it holds as many tasks as the contract allows, has too little memory for the task
    beside its owner, no processor time at all, or if tasks would ask for more of its link than the contract
    allows. The others are taken by fewest tasks, then most free memory, then most effective power.

    Parameters
    ----------
    nodes : SharedNodes
        Of all clusters.
    site : int
        Whose.

    Notes
    -----
    **Ties**: the lowest number. **Cost**: O(nodes log nodes). **Source**: M-CISNE thesis, section 2.5.2,
    which names the criteria; their order is ours.
    """

    name = "contract"

    def __init__(self, nodes: SharedNodes, site: int) -> None:
        self._nodes = nodes
        self._here = nodes.of(site)
        self._mpl = nodes.clusters[site].contract.mpl

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """Return one slot in each of the nodes chosen, or None if too few allow it."""
        chosen = self.chosen(job, cores, room.cores, room.memory)
        return None if chosen is None else [room.idle(node)[0] for node in chosen]

    def chosen(self, job: Job, count: int, slots: IntColumn, memory: NDArray[np.float64]) -> list[int] | None:
        """Return the `count` best nodes for `job`, best first, or None if too few can take a task of it."""
        able = self.able(job, slots, memory)
        return None if len(able) < count else able[:count]

    def able(self, job: Job, slots: IntColumn, memory: NDArray[np.float64]) -> list[int]:
        """Return the nodes that can take a task of `job`, best first, if they have these slots and memory."""
        nodes, here, tasks = self._nodes, self._here, self._mpl - slots
        gamma = nodes.power[here] * np.minimum(1.0, nodes.processors[here] / (tasks + 1))
        free = memory - nodes.taken_beyond[here]
        room = self._room(job, slots, memory)
        found: list[int] = nodes_ranked(room=room, tasks=tasks, memory=free, gamma=gamma).tolist()
        return found

    def count(self, job: Job, slots: IntColumn, memory: NDArray[np.float64]) -> int:
        """Return how many nodes can take a task of `job` if they have these slots and memory."""
        return int(np.count_nonzero(self._room(job, slots, memory)))

    def _room(self, job: Job, slots: IntColumn, memory: NDArray[np.float64]) -> NDArray[np.bool_]:
        nodes, here, program = self._nodes, self._here, program_of(job)
        room = rooms(
            (program.memory, program.bandwidth if job.processors > 1 else 0.0),
            tasks=self._mpl - slots, mpl=self._mpl, processors=nodes.processors[here],
            memory=memory - nodes.taken_beyond[here], demand=nodes.asked[here], ceiling=nodes.ceiling[here],
        )  # fmt: skip
        # The slots and memory of a scheduler's books are exact.
        room &= memory >= program.memory
        return room
