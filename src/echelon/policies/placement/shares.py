"""Shares: the number of tasks of a job that each node could take, and their assignment to chosen nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.demands import Demand, TaskGroup
from echelon.model.machines.capacity import capacity, enough, per_node

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room


@dataclass(frozen=True, slots=True)
class Shares:
    """The problem of choosing nodes for a job: nodes whose weights sum to at least the need.

    A sequential job needs one node that holds it, an MPI job that names its nodes so many that each hold an
    equal share: nodes that do have weight 1. Of any other job the weight of a node is how many of its tasks
    the node could take, and the need is its tasks. All nodes together always satisfy the need.

    Parameters
    ----------
    weights : IntColumn, shape (n_nodes,)
        Of each node, 0 if it cannot be chosen.
    need : int
        What the weights of the nodes chosen must add up to, at least; >= 1.
    cores : int
        Cores to deal.
    even : bool
        Whether the nodes chosen take equal shares, as far as they divide.
    """

    weights: IntColumn
    need: int
    cores: int
    even: bool

    @classmethod
    def of(cls, job: Job, cores: int, room: Room) -> Shares | None:
        """Return the shares of a job, or None if no choice of nodes can hold it.

        Nodes that are switched off count only if the others are not enough.
        """
        demand = job.demand or Demand((TaskGroup(job.processors, 1.0),))
        holds = capacity(room.cores, room.memory, demand)
        if not enough(holds, demand, cores):
            return None
        if room.asleep.any():
            awake = np.where(room.asleep, 0, holds)
            holds = awake if enough(awake, demand, cores) else holds
        if demand.sequential:
            return cls((holds >= cores).astype(np.int64), 1, cores, even=True)
        if demand.nodes:
            share = per_node(demand, cores)
            return cls((holds >= share).astype(np.int64), demand.nodes, cores, even=True)
        most = demand.tasks_per_node or cores
        return cls(np.minimum(holds, most).astype(np.int64), cores, cores, even=False)

    @property
    def open(self) -> IntColumn:
        """Nodes that can be chosen, ascending."""
        return np.flatnonzero(self.weights)

    def deal_cores(self, nodes: IntColumn, room: Room) -> list[int]:
        """Return the cores of the job in `nodes`, filled one after the other, or evenly; lowest cores first.

        Parameters
        ----------
        nodes : IntColumn
            Different ones whose weights add up to the need; what lies behind that is left alone.
        room : Room
            The free resources.
        """
        allocated: list[int] = []
        for rank, node in enumerate(nodes[: self.cores].tolist()):
            if self.even:
                share = self.cores // self.need + (rank < self.cores % self.need)
            else:
                share = min(int(self.weights[node]), self.cores - len(allocated))
            allocated += room.idle(node)[:share]
            if len(allocated) == self.cores:
                break
        return allocated
